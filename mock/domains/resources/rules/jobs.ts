/** Jobs: how often a task is retried, and how long an attempt may take. */
import { invalidField } from '../../../http/problems.ts';
import type { Rule } from './rule.ts';

const MAX_RETRIES = 10;
const MAX_TIMEOUT_SECONDS = 86_400;

/** `spec.retries`: further attempts of a failed task. `spec.timeout`: seconds of an attempt; 0: no limit. */
export const checkJob: Rule = ({ spec }) => {
  for (const [name, max] of [
    ['retries', MAX_RETRIES],
    ['timeout', MAX_TIMEOUT_SECONDS],
  ] as const) {
    const value = spec[name];
    const isValid = value === undefined || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max);
    if (!isValid) throw invalidField(`spec.${name}`, value, `a whole number from 0 to ${max}`);
  }
};
