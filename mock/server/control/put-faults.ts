/** PUT /_mock/faults: replaces the fault rules and restarts their random generators. */
import { z } from 'zod';
import { invalidField } from '../../http/problems.ts';
import { bodyFormat } from './body-format.ts';
import type { ControlCall } from './control-call.ts';
import { createFaults } from '../../pipeline/faults.ts';
import { faultRule, type FaultRule } from '../../pipeline/fault-rule.ts';
import { faultsReply } from './get-faults.ts';

const faultRules = z.strictObject({ rules: z.array(faultRule) });

export const putFaults: ControlCall<z.infer<typeof faultRules>> = {
  body: bodyFormat(faultRules),
  handle: ({ served, body: { rules } }) => {
    for (const [index, each] of rules.entries()) checkRule(`rules[${index}]`, each);
    served.faults = createFaults(rules, served.world.seed);
    return faultsReply(served.faults);
  },
};

/** Headers that frame a response; the mock sets them. */
const FRAMING = ['content-length', 'transfer-encoding', 'connection'];

function checkRule(where: string, { operation, status, headers = {}, delayMs, cut, brokenJson }: FaultRule): void {
  const effects = { status, cut, brokenJson: brokenJson || undefined };
  const named = Object.entries(effects).filter(([, value]) => value !== undefined);
  if (named.length === 0 && delayMs === undefined)
    throw invalidField(where, { operation }, 'a rule that does something: status, delayMs, cut, brokenJson');
  if (cut !== undefined && named.length > 1)
    throw invalidField(`${where}.cut`, cut, 'cut without status and brokenJson, since no response is sent');
  if (status === undefined && Object.keys(headers).length > 0)
    throw invalidField(`${where}.headers`, headers, 'headers only with a status');
  const framing = Object.keys(headers).find((name) => FRAMING.includes(name.toLowerCase()));
  if (framing !== undefined) throw invalidField(`${where}.headers`, framing, `any header but ${FRAMING.join(', ')}`);
}
