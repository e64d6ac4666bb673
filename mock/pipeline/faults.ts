/** Fault rules of `/_mock/faults`. They draw from the world's seed, so a run with faults is reproducible. */
import type { OperationId } from '../../spec/operations.ts';
import { createRandom, type Random } from '../time/random.ts';

/** How a response is damaged: the connection is closed, or its JSON is cut off. */
export type Disruption = 'cut' | 'broken-json';

export interface FaultRule {
  /** Absent: every request, including those to unknown paths. */
  readonly operation?: OperationId;
  /** Only every nth of the matching requests. */
  readonly every?: number;
  /** 0 to 1, both inclusive. Default 1. */
  readonly probability?: number;
  /** Maximum number of requests that it affects. */
  readonly times?: number;
  /** Returned instead of calling the operation, which then has no effect. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Real time, before anything else. */
  readonly delayMs?: number;
  /** Closes the connection before or after the request has its effect. */
  readonly cut?: 'before' | 'after';
  /** Sends only the first half of the response's JSON. */
  readonly brokenJson?: boolean;
}

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

/** The first rule that matches the operation and applies to this request. */
export function drawFault(faults: Faults, operation: OperationId | undefined): Fault | undefined {
  const fault = faults.find((each) => isTurnOf(each, operation));
  if (fault !== undefined) fault.fired++;
  return fault;
}

const TWO_TO_32 = 2 ** 32;

function isTurnOf(fault: Fault, operation: OperationId | undefined): boolean {
  const { rule, random, fired } = fault;
  if (rule.operation !== undefined && rule.operation !== operation) return false;
  fault.matched++;
  if (fired >= (rule.times ?? Infinity) || fault.matched % (rule.every ?? 1) !== 0) return false;
  return random.next() < (rule.probability ?? 1) * TWO_TO_32;
}
