/** Finds out whether a rule could not be judged because the target lacks an operation. */
import {
  brokenByOther,
  isMissingStatus,
  missingOperation,
  NOT_DECLARED,
  OTHER_OPERATIONS,
  routeOf,
  waitingReason,
} from '../../spec/missing-operation.ts';
import { isAbout } from '../../spec/operation-names.ts';
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Operation } from '../../spec/table-types.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Target } from '../target/target.ts';
import type { Mismatch } from '../target/violation.ts';
import { isUnrestricted, strongestCaller } from './callers.ts';
import { matchOf } from './exercised-elements.ts';

export interface Obstacle extends Pick<RuleResult, 'reason' | 'missing'> {
  /** A valid request to the missing operation. Absent if its absence is declared, so that it needs no proof. */
  readonly exchange?: Exchange;
}

/** A valid request to an operation that answered none. */
export interface MissingAt {
  readonly exchange: Exchange;
  /** What only the target file names, and what the target may not have instead. Absent if it is certain to be there. */
  readonly doubtfulName?: string;
  /** Whether it got the response to an unknown path. */
  readonly isLikeUnknownPath?: true;
}

function waitingFor(id: OperationId, { exchange, doubtfulName, isLikeUnknownPath }: MissingAt): Obstacle {
  const route = routeOf(operation(id));
  const unless = doubtfulName === undefined ? '' : `, or does not know ${doubtfulName}`;
  const status = `${exchange.response.status}${isLikeUnknownPath === true ? ', as for an unknown path' : ''}`;
  const finding = `is not implemented${unless} (${status})`;
  return { reason: waitingReason(route, finding), missing: missingOperation(route), exchange };
}

export const isMissing = ({ response: { status } }: Exchange): boolean => isMissingStatus(status);

/**
 * Sent by a gateway, a limit, or a check before routing, such as of the size or type of the body: it does not show whether the
 * operation exists.
 */
export const isInconclusive = ({ response: { status } }: Exchange): boolean =>
  [401, 403, 406, 413, 414, 415, 429, 431, 502, 503, 504].includes(status);

export const isAccepted = ({ response: { status } }: Exchange): boolean => status < 300;

/** What would break a rule, if its operation were declared. */
export interface UndeclaredResponse {
  readonly id: OperationId;
  readonly status: number;
}

const brokenBy = ({ id, status }: UndeclaredResponse): Obstacle => ({
  reason: brokenByOther(routeOf(operation(id)), status),
  missing: OTHER_OPERATIONS,
});

/** What one rule has seen. */
export interface Seen {
  readonly missing: Set<OperationId>;
  /** Whether another response than "missing" came. */
  isAnswered: boolean;
}

/** What the exchanges of a run have shown about operations. */
interface Known {
  /** Undefined unless the operation is missing. */
  readonly missingAt: (id: OperationId) => MissingAt | undefined;
  /** Whether it has answered a valid request. */
  readonly isPresent: (id: OperationId) => boolean;
  /** What a rule has seen, by its id. */
  readonly seenBy: ReadonlyMap<string, Seen>;
}

export function createObstacles(target: Target, { missingAt, isPresent, seenBy }: Known) {
  const isDeclared = (id: OperationId): boolean => target.operations?.includes(id) === true;
  const isUndeclared = (id: OperationId): boolean => target.operations?.includes(id) === false;

  function obstacleTo(
    rule: Requirement,
    result: RuleResult,
    evidence: readonly Exchange[],
    undeclared: readonly UndeclaredResponse[] = [],
  ): Obstacle | undefined {
    const id = result.verdict === 'failed' ? refuting(rule, evidence) : blocking(rule, result);
    const found = id && missingAt(id);
    const isKnown = id !== undefined && isEvident(target, found);
    if (isKnown && !isUndeclared(id)) return waitingFor(id, found!);
    const isOpen = result.verdict === 'passed' || result.verdict === 'not-tried';
    const broken = isOpen ? undeclared.find((each) => !isOfStub(each)) : undefined;
    if (broken !== undefined) return brokenBy(broken);
    return isKnown && (result.verdict === 'passed' || !hasOwnReason(rule)) ? { reason: NOT_DECLARED } : undefined;
  }

  /** Whether it only shows that the target does not have the operation. */
  const isOfStub = ({ id, status }: UndeclaredResponse): boolean => isMissingStatus(status) && !isPresent(id);

  /** Whether the target has one of its operations that are declared, so that the rule was tried with that. */
  const hasOwnReason = (rule: Requirement): boolean =>
    rule.operations.some((each) => isDeclared(each as OperationId) && !missingAt(each as OperationId));

  /** The operation that alone refuted a rule. Undefined if the target has it, and the rule is to be tried with it. */
  function refuting(rule: Requirement, evidence: readonly Exchange[]): OperationId | undefined {
    const ids = evidence.map((each) => operationOf(each, target)?.id);
    const isExcused = ids.every((id, at) => {
      const exchange = evidence[at]!;
      if (id === undefined) return false;
      // What reads the state that another operation left is evidence about that one.
      if (isUndeclared(id)) return !isAccepted(exchange);
      return (isMissing(exchange) || isInconclusive(exchange)) && missingAt(id);
    });
    return isExcused ? ids[0] : undefined;
  }

  /** The operation without which a rule showed nothing. */
  function blocking(rule: Requirement, { verdict, missing }: RuleResult): OperationId | undefined {
    const seen = seenBy.get(rule.id);
    // A request that several rules need is sent by one of them.
    const named = verdict === 'not-tried' ? (rule.operations as readonly OperationId[]) : [];
    const concerns = (id: OperationId): boolean => isDeclared(id) || isAbout(rule, [id]);
    const found = [...(seen?.missing ?? []), ...named].filter((each) => missingAt(each) && concerns(each));
    const id = found.find((each) => !isUndeclared(each)) ?? found[0];
    // What other operations respond shows nothing about a rule of which all are missing.
    const hasOwn = rule.operations.some((each) => !missingAt(each as OperationId));
    if (verdict === 'passed') return seen?.isAnswered === true && hasOwn ? undefined : id;
    return verdict === 'not-tried' && missing === undefined ? id : undefined;
  }

  return obstacleTo;
}

/** What a mismatch shows of an operation that is not declared, although others are: the rule is about all of them. */
export function undeclaredResponse(
  rule: Requirement,
  { exchange, stream }: Pick<Mismatch, 'exchange' | 'stream'>,
  target: Target,
): UndeclaredResponse | undefined {
  if (target.operations === undefined) return undefined;
  const { surface, response } = exchange;
  const { request, status } = stream ?? { request: exchange.request, status: response.status };
  const { id } = operationOf({ surface, request }, target) ?? {};
  if (id === undefined || target.operations.includes(id) || !isAbout(rule, [id])) return undefined;
  return { id, status };
}

const operationOf = (exchange: Pick<Exchange, 'surface' | 'request'>, { addresses }: Target): Operation | undefined =>
  matchOf(exchange, addresses[exchange.surface])?.value;

/**
 * Other callers than admins may get 404 in place of 403, but without any credential the refusal is 401; 405 and 501 mean the same
 * for all.
 */
export const isEvident = (target: Target, found: MissingAt | undefined): boolean =>
  isUnrestricted(target) ||
  strongestCaller(target).bearer === undefined ||
  (found !== undefined && found.exchange.response.status !== 404);
