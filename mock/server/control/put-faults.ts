/** PUT /_mock/faults: replaces the fault rules and restarts their random generators. */
import { z } from 'zod';
import { requestLimits } from '../../../spec/formats/mock-limits.ts';
import { invalidField } from '../../http/problems.ts';
import { bodyFormat } from './body-format.ts';
import type { ControlCall } from './control-call.ts';
import { requireFewExpectedValues } from './expected-values.ts';
import { createFaults, matchOf } from '../../pipeline/faults.ts';
import { faultRule, type FaultRule } from '../../pipeline/rule-formats.ts';
import { requireConsistent } from './require-consistent.ts';
import { faultsReply } from './get-faults.ts';

const faultRules = z.strictObject({
  rules: z.array(faultRule).max(requestLimits.rules.max, { error: `an array of at most ${requestLimits.rules.max}` }),
});

export const putFaults: ControlCall<z.infer<typeof faultRules>> = {
  body: bodyFormat(faultRules),
  handle: ({ served, body: { rules } }) => {
    requireFewExpectedValues(rules.map(matchOf));
    for (const [index, each] of rules.entries()) checkRule(`rules[${index}]`, each);
    served.faults = createFaults(rules, served.world.seed);
    return faultsReply(served.faults);
  },
};

function checkRule(where: string, rule: FaultRule): void {
  const { status, headers = {}, delayMs, cut, brokenJson, bytesPerSecond } = rule;
  const hasEffect = [status, delayMs, cut, bytesPerSecond].some((each) => each !== undefined) || brokenJson === true;
  if (!hasEffect)
    throw invalidField(where, rule, 'a rule that does something: status, delayMs, cut, brokenJson, bytesPerSecond');
  requireConsistent(where, rule);
  if (status === undefined && Object.keys(headers).length > 0)
    throw invalidField(`${where}.headers`, headers, 'headers only with a status');
}
