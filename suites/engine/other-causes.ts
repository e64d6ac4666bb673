/**
 * What a rule cannot be tested without, although another rule judges it: a valid parameter that is refused, or a body that cannot
 * be read. Only the rules whose sentences that breaks fail; all others are not tried. And what an operation does that the user
 * does not declare.
 */
import { NOT_DECLARED } from '../../spec/missing-operation.ts';
import type { MustId } from '../../spec/requirements/index.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import type { Client } from '../target/client.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Target } from '../target/target.ts';
import { undeclaredResponse } from './obstacles.ts';
import type { Tally } from './tally.ts';
import type { Cause, Mismatch } from '../target/violation.ts';
import { exchangesOf, NotTried, Violation } from '../target/violation.ts';

/** What the cases of a run share. */
export interface SharedRun {
  readonly target: Target;
  readonly shared: object;
}

/** The case that got the response. */
export interface CauseRun extends SharedRun {
  readonly rule: Requirement;
  /** Of the strongest caller. */
  readonly client: Client;
}

/** The causes of an area. */
export interface AreaCauses {
  /** Why the response to a valid request shows nothing. It may send requests, to which nothing but one part of the request belongs. */
  readonly causeOf: (run: CauseRun, exchange: Exchange) => Promise<Cause | undefined>;
  /** Whether this refusal has a cause that the run knows already. */
  readonly knownCauseOf: (run: SharedRun, exchange: Exchange) => Cause | undefined;
}

const byArea = new Map<string, AreaCauses>();

/** The causes of the rules of an area, such as `metrics`. */
export const registerCauses = (area: string, causes: AreaCauses): void => void byArea.set(area, causes);

const causesOf = ({ id, level }: Requirement): AreaCauses | undefined =>
  level === 'must' ? byArea.get(id.split('.', 1)[0]!) : undefined;

/** Whether the sentence of this rule is one of those that it breaks. */
export const isOf = (cause: Cause, { id }: Requirement): boolean => cause.rules.includes(id as MustId);

/** Why a response shows nothing. Undefined if it can be judged. */
export const causeOf = async (run: CauseRun, exchange: Exchange): Promise<Cause | undefined> =>
  causesOf(run.rule)?.causeOf(run, exchange);

/** The same, unless the rule of the case is one of those that this breaks. */
export async function otherCauseOf(run: CauseRun, exchange: Exchange): Promise<Cause | undefined> {
  const cause = await causeOf(run, exchange);
  return cause === undefined || isOf(cause, run.rule) ? undefined : cause;
}

const allExchangesOf = ({ exchange, before = [], concurrent = [] }: Mismatch): readonly Exchange[] => [
  exchange,
  ...before.flatMap(exchangesOf),
  ...concurrent,
];

/** A success shows what it contains: what cannot be read in it is known when it is read. */
const isSuccess = ({ response: { status } }: Exchange): boolean => status < 400;

/** Of what another operation does than those that the user declares. */
const undeclared: Cause = { rules: [], missing: NOT_DECLARED };

async function otherCauseOfMismatch(run: CauseRun, mismatch: Mismatch): Promise<Cause | undefined> {
  if (causesOf(run.rule) === undefined) return undefined;
  if (mismatch.cause !== undefined) return isOf(mismatch.cause, run.rule) ? undefined : mismatch.cause;
  for (const exchange of allExchangesOf(mismatch)) {
    const cause = isSuccess(exchange) ? undefined : await otherCauseOf(run, exchange);
    if (cause !== undefined) return cause;
  }
  return undefined;
}

interface Sorted {
  readonly own: readonly Mismatch[];
  /** Of the others. Undefined if there are none. */
  readonly cause: Cause | undefined;
}

/** Separates what breaks the rule of the case from what breaks others. The tally gets what operations do that are not declared. */
export async function sortMismatches(run: CauseRun, mismatches: readonly Mismatch[], tally: Tally): Promise<Sorted> {
  const causes: (Cause | undefined)[] = [];
  for (const mismatch of mismatches) {
    const response = undeclaredResponse(run.rule, mismatch, run.target);
    if (response !== undefined) tally.undeclared.push(response);
    causes.push(response === undefined ? await otherCauseOfMismatch(run, mismatch) : undeclared);
  }
  return {
    own: mismatches.filter((_, at) => causes[at] === undefined),
    cause: causes.find((cause) => cause !== undefined),
  };
}

/** NotTried in place of a violation that breaks only other rules. */
export async function asOtherCause(error: unknown, run: CauseRun, tally: Tally): Promise<unknown> {
  if (!(error instanceof Violation)) return error;
  const { own, cause } = await sortMismatches(run, error.mismatches, tally);
  if (cause === undefined) return error;
  return own.length === 0 ? new NotTried(cause.missing) : new Violation(own, error.failingInput);
}

/** Whether these break only other rules, as far as the run knows already. */
export const isOfKnownCause = (run: SharedRun, rule: Requirement, mismatches: readonly Mismatch[]): boolean =>
  mismatches.every((mismatch) => {
    const known = mismatch.cause ?? knownCauseOf(run, rule, mismatch);
    return known !== undefined && !isOf(known, rule);
  });

function knownCauseOf(run: SharedRun, rule: Requirement, mismatch: Mismatch): Cause | undefined {
  const refused = allExchangesOf(mismatch).filter((each) => !isSuccess(each));
  return refused.map((each) => causesOf(rule)?.knownCauseOf(run, each)).find((cause) => cause !== undefined);
}
