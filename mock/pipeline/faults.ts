/** Fault rules of `/_mock/faults`. They draw from the world's seed, so a run with faults is reproducible. */
import type { OperationId } from '../../spec/operations.ts';
import type { FaultRule } from './fault-rule.ts';
import { createRandom, type Random } from '../time/random.ts';

/** How a response is damaged: the connection is closed, or its JSON is cut off. */
export type Disruption = 'cut' | 'broken-json';

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
