import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RuleResult } from '../../../spec/verdicts.ts';
import { resolveAddress, matches, noFilter, readAddress, writeAddress } from './address.ts';
import { verdicts } from './verdict.ts';

const address = fc.record({
  place: fc.stringMatching(/^[a-z0-9.-]*$/),
  verdicts: fc.uniqueArray(fc.constantFrom(...verdicts.map(({ verdict }) => verdict))),
  area: fc.string(),
  text: fc.string({ unit: 'binary' }),
});

test('an address is read as it was written', () => {
  fc.assert(
    fc.property(address, (given) => {
      expect(readAddress(writeAddress(given))).toEqual(given);
    }),
  );
});

test('invalid parts are ignored', () => {
  expect(readAddress('#a.b.c?verdict=nope,failed&x=1')).toEqual({ ...noFilter, place: 'a.b.c', verdicts: ['failed'] });
  expect(readAddress('')).toEqual({ ...noFilter, place: '' });
});

const result: RuleResult = {
  id: 'metrics.group-by.at-most-three',
  level: 'must',
  rule: 'At most three dimensions.',
  verdict: 'failed',
  reason: 'status 200',
  durationMs: 1,
  exchanges: 1,
};

test.each([
  ['no filter', {}, true],
  ['its verdict', { verdicts: ['failed', 'error'] as const }, true],
  ['another verdict', { verdicts: ['passed'] as const }, false],
  ['its area', { area: 'metrics' }, true],
  ['the beginning of its area', { area: 'metric' }, false],
  ['words of rule, reason and id, in any case', { text: 'THREE 200 group' }, true],
  ['a word that is nowhere', { text: 'three four' }, false],
])('a rule is judged by %s', (_, filter, isShown) => {
  expect(matches(result, { ...noFilter, ...filter })).toBe(isShown);
});

test('a link to a rule shows the rule, and keeps its filter only if the rule matches it', () => {
  const to = (place: string, filter: object) => ({ ...noFilter, ...filter, place });
  const hidden = { verdicts: ['passed'] as const, area: 'metrics', text: 'x' };
  expect(resolveAddress(to(result.id, hidden), [result])).toEqual(to(result.id, {}));
  expect(resolveAddress(to(result.id, { area: 'metrics' }), [result])).toEqual(to(result.id, { area: 'metrics' }));
  expect(resolveAddress(to('', hidden), [result])).toEqual(to('', hidden));
  expect(resolveAddress(to('timings', hidden), [result])).toEqual(to('timings', hidden));
});
