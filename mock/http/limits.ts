/** Problems of requests that exceed a limit (spec/formats/mock-limits.ts). */
import { requestLimits, worldLimits, type WorldLimitName, type WorldLimits } from '../../spec/formats/mock-limits.ts';
import { invalidField, Problem } from './problems.ts';

type RequestLimitName = keyof typeof requestLimits;

/** Refuses a request that has more than a fixed limit. `field`: what of the request. */
export function requireAtMost(name: RequestLimitName, found: number, field: string): void {
  const { max, what, status } = requestLimits[name];
  if (found <= max) return;
  if (status === 400) throw invalidField(`the size of ${field}`, found, `at most ${max} ${what}`);
  throw new Problem(status, 'body_too_large', `The body has more than the allowed ${max} ${what}.`);
}

/** Refuses a request after which the world would have more than its limit. `total`: after the request. */
export function requireWithin(limits: WorldLimits, name: WorldLimitName, total: number): void {
  if (total > limits[name]) throw limitReached(limits, name);
}

export function limitReached(limits: WorldLimits, name: WorldLimitName): Problem {
  const { what, status } = worldLimits[name];
  return new Problem(
    status === 'none' ? 429 : status,
    'limit_reached',
    `The mock has reached its limit limits.${name} of ${limits[name]} (${what.replace(/[;.].*$/, '')}). Delete some, reset the world, or raise the limit in the world file.`,
    status === 429 ? { 'retry-after': '1' } : {},
  );
}
