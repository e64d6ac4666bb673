/** PUT /_mock/faults: these rules instead of those before, drawn from the seed's beginning. */
import { listOf, record } from '../../../fixtures/worlds/world-file-schema.ts';
import { isOperationId, operations } from '../../../spec/operations.ts';
import { invalidField } from '../../http/problems.ts';
import type { ControlCall } from './control-call.ts';
import { createFaults, type FaultRule } from '../../pipeline/faults.ts';
import { faultsReply } from './get-faults.ts';

const whole = { type: 'integer', minimum: 1 } as const;
const LONGEST_DELAY_MS = 600_000;

const rule = record({
  'operation?': { type: 'string' },
  'every?': whole,
  'times?': whole,
  'probability?': { type: 'number', minimum: 0, maximum: 1 },
  'status?': { type: 'integer', minimum: 400, maximum: 599 },
  'headers?': {
    type: 'object',
    propertyNames: { type: 'string', pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$", 'x-allowed': "a header's name" },
    additionalProperties: { type: 'string', pattern: '^[\\x20-\\x7e]*$', 'x-allowed': 'visible ASCII and spaces' },
  },
  'delayMs?': { type: 'integer', minimum: 0, maximum: LONGEST_DELAY_MS, 'x-unit': 'milliseconds' },
  'cut?': { type: 'string', enum: ['before', 'after'] },
  'brokenJson?': { type: 'boolean' },
});

export const putFaults: ControlCall<{ readonly rules: readonly FaultRule[] }> = {
  body: { schema: record({ rules: listOf(rule) }) },
  handle: ({ served, body: { rules } }) => {
    for (const [index, each] of rules.entries()) checkRule(`rules[${index}]`, each);
    served.faults = createFaults(rules, served.world.seed);
    return faultsReply(served.faults);
  },
};

/** Framing of the answer is the mock's own. */
const FRAMING = ['content-length', 'transfer-encoding', 'connection'];

function checkRule(where: string, { operation, status, headers = {}, delayMs, cut, brokenJson }: FaultRule): void {
  if (operation !== undefined && !isOperationId(operation))
    throw invalidField(`${where}.operation`, operation, `an operationId of the documents${near(operation)}`);
  const effects = { status, cut, brokenJson: brokenJson || undefined };
  const named = Object.entries(effects).filter(([, value]) => value !== undefined);
  if (named.length === 0 && delayMs === undefined)
    throw invalidField(where, { operation }, 'a rule that does something: status, delayMs, cut, brokenJson');
  if (cut !== undefined && named.length > 1)
    throw invalidField(`${where}.cut`, cut, 'cut without status and brokenJson, since nothing is answered then');
  if (status === undefined && Object.keys(headers).length > 0)
    throw invalidField(`${where}.headers`, headers, 'headers beside a status');
  const framing = Object.keys(headers).find((name) => FRAMING.includes(name.toLowerCase()));
  if (framing !== undefined) throw invalidField(`${where}.headers`, framing, `any header but ${FRAMING.join(', ')}`);
}

/** Up to five ids that share a word with the one that is none. */
function near(wrong: string): string {
  const words = wrong.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  const alike = operations
    .map(({ id }) => id)
    .filter((id) => words.some((word) => word.length > 3 && id.toLowerCase().includes(word)));
  return alike.length === 0 ? ', such as updateAgent' : `, such as ${alike.slice(0, 5).join(', ')}`;
}
