import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '../../../spec/values.ts';
import { bodyFindings } from '../../../spec/validators.ts';
import { agentParts } from './agent-body.ts';
import {
  cronExpression,
  cronExpressions,
  otherFieldCount,
  otherFieldCounts,
} from '../../generators/cron-expression.ts';

test.each(['mk2', 'mk3'] as const)('agents of generation %s match the schema', (generation) => {
  const fragments = [{ repository: { type: 'github' } }, { runtime: { image: 'i' } }, { revision: { traffic: 100 } }];
  fc.assert(
    fc.property(agentParts({ generation, mayBePublic: true, fragments }), ({ metadata, spec }) => {
      const body = { metadata: { name: 'a', ...metadata }, spec };
      expect(bodyFindings('updateAgent', body)).toEqual([]);
    }),
  );
});

test('mk2 agents have no fields that only mk3 supports', () => {
  fc.assert(
    fc.property(agentParts({ generation: 'mk2', mayBePublic: true, fragments: [] }), ({ spec }) => {
      expect(JSON.stringify(spec)).not.toMatch(/"timeout"|"public":true/);
    }),
  );
});

const fieldsOf = (schedule: string): number => (schedule.trim() === '' ? 0 : schedule.trim().split(/\s+/).length);

test('valid schedules have five fields, invalid ones have another number', () => {
  expect(cronExpressions.map(fieldsOf)).toEqual(cronExpressions.map(() => limits.cronFields));
  expect(otherFieldCounts.map(fieldsOf)).not.toContain(limits.cronFields);
  fc.assert(fc.property(cronExpression, (schedule) => fieldsOf(schedule) === limits.cronFields));
  fc.assert(fc.property(otherFieldCount, (schedule) => fieldsOf(schedule) !== limits.cronFields));
});
