/** Faults on demand: rules that disturb requests, drawn from the world's seed so that a run with faults can be repeated. */
import type { OperationId } from '../../spec/operations.ts';
import { createRandom, type Random } from '../time/random.ts';

/** What becomes of an answer on its way out. */
export type Disruption = 'cut' | 'broken-json';

export interface FaultRule {
  /** Left out: every request, those to unknown paths too. */
  readonly operation?: OperationId;
  /** Only each n-th of the requests it is for. */
  readonly every?: number;
  /** 0 to 1, both inclusive; left out: 1. */
  readonly probability?: number;
  /** How often at most. */
  readonly times?: number;
  /** Answered instead of the operation, which then has no effect. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Real time, before anything else happens. */
  readonly delayMs?: number;
  /** Cuts the connection: before the request has an effect, or after it. */
  readonly cut?: 'before' | 'after';
  /** The answer's JSON ends half-way. */
  readonly brokenJson?: boolean;
}

/** A rule and how it has fared. */
export interface Fault {
  readonly index: number;
  readonly rule: FaultRule;
  readonly random: Random;
  /** Requests it was for. */
  matched: number;
  /** Requests it disturbed. */
  fired: number;
}

export type Faults = readonly Fault[];

/** Each rule draws from a generator of its own: another rule beside it changes nothing. */
export function createFaults(rules: readonly FaultRule[], seed: number): Faults {
  return rules.map((rule, index) => {
    const random = createRandom(createRandom(seed + index).next());
    return { index, rule, random, matched: 0, fired: 0 };
  });
}

/** The first rule that is for the operation and whose turn it is. */
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
