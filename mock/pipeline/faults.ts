/** Fault rules of `/_mock/faults`. They draw from the world's seed, so a run with faults is reproducible. */
import type { FaultRule, RequestMatch } from './rule-formats.ts';
import { matchesRequest, type ReceivedRequest } from './request-match.ts';
import { createRandom, type Random } from '../time/random.ts';

/** A rule and its counts. */
export interface Fault {
  readonly index: number;
  readonly rule: FaultRule;
  readonly random: Random;
  /** Number of requests that it matched. */
  matched: number;
  /** Number of requests that it affected. */
  fired: number;
}

export type Faults = readonly Fault[];

/** Each rule has its own generator, so adding a rule does not change the draws of the others. */
export function createFaults(rules: readonly FaultRule[], seed: number): Faults {
  return rules.map((rule, index) => {
    const random = createRandom(createRandom(seed + index).next());
    return { index, rule, random, matched: 0, fired: 0 };
  });
}

/** `headers` and `status` of a rule are those of the response. */
export function matchOf({ headers: _headers, status: _status, ...match }: FaultRule): RequestMatch {
  return match;
}

/** The first rule that matches the request and applies to it. */
export async function drawFault(faults: Faults, ctx: ReceivedRequest): Promise<Fault | undefined> {
  for (const fault of faults) {
    if (!(await matchesRequest(ctx, matchOf(fault.rule))) || !isTurnOf(fault)) continue;
    fault.fired++;
    return fault;
  }
  return undefined;
}

const TWO_TO_32 = 2 ** 32;

function isTurnOf(fault: Fault): boolean {
  const { rule, random, fired } = fault;
  fault.matched++;
  if (fired >= (rule.times ?? Infinity) || fault.matched % (rule.every ?? 1) !== 0) return false;
  return random.next() < (rule.probability ?? 1) * TWO_TO_32;
}
