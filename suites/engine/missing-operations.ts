/** Finds documented operations that answer every valid request with 404, 405 or 501: the target does not have them. */
import { elements } from '../../spec/elements/elements.ts';
import { missingOperation, routeOf } from '../../spec/missing-operation.ts';
import { operation } from '../../spec/operations.ts';
import type { Operation, OperationId } from '../../spec/operations.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import { fieldsOf } from '../json/fields.ts';
import { jsonIn } from '../json/json-in.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Target } from '../target/target.ts';
import { strongestCaller } from './callers.ts';
import { callOf, matchOf } from './exercised-elements.ts';

export interface MissingOperations {
  see(exchange: Exchange, rule: Requirement): void;
  /**
   * The response that shows that a rule could not be judged, because an operation is missing. `evidence`: the exchanges that
   * break the rule, if it failed. Undefined if anything else was decisive.
   */
  blockerOf(rule: Requirement, result: RuleResult, evidence: readonly Exchange[]): Exchange | undefined;
}

/** The verdict of a rule that could not be judged because of this response. */
export function waitingFor({ operation: id, response }: Exchange): Pick<RuleResult, 'verdict' | 'reason' | 'missing'> {
  const route = routeOf(operation(id!));
  const reason = `waits for ${route}, which is not implemented (${response.status})`;
  return { verdict: 'not-tried', reason, missing: missingOperation(route) };
}

const isMissing = ({ response: { status } }: Exchange): boolean => [404, 405, 501].includes(status);

/** Sent by a gateway, a limit, or a check before routing: it does not show whether the operation exists. */
const isInconclusive = ({ response: { status } }: Exchange): boolean => [401, 403, 429, 502, 503, 504].includes(status);

const isAccepted = ({ response: { status } }: Exchange): boolean => status < 300;

/** What one rule has seen. */
interface Seen {
  readonly missing: Set<OperationId>;
  /** Whether another response than "missing" came. */
  isAnswered: boolean;
}

const invalidElements = Map.groupBy(
  elements.filter(({ kind }) => kind === 'invalid'),
  (each) => each.operation,
);

/** `unknownName`: what nothing on the target is called. */
export function createMissingOperations(target: Target, unknownName: string): MissingOperations {
  const credential = strongestCaller(target).credential?.name;
  const knownNames = new Set(textsIn([target.resources, target.workspace, target.account]));
  /** The first valid request of each operation that found none. Null if another one was answered. */
  const first = new Map<OperationId, Exchange | null>();
  const byRule = new Map<string, Seen>();

  function isValid(
    exchange: Exchange,
    { id, security, method, surface }: Operation,
    names: readonly string[],
  ): boolean {
    if (security && credential !== exchange.credential) return false;
    const { url, headers, body = '' } = exchange.request;
    if (`${url} ${JSON.stringify(headers)} ${body}`.includes(unknownName)) return false;
    const createsPath = surface === 'sandbox' && method === 'PUT';
    const isNamed = exchange.response.status !== 404 || createsPath || names.every((name) => knownNames.has(name));
    const call = callOf(exchange);
    return isNamed && invalidElements.get(id)?.some(({ isIn }) => isIn(call)) !== true;
  }

  function learnNames({ request, response }: Exchange, method: string, names: readonly string[]): void {
    for (const name of names) knownNames.add(name);
    if (method === 'DELETE') knownNames.delete(names.at(-1) ?? '');
    if (method !== 'POST') return;
    for (const body of [response.json, jsonIn(request.body ?? '')])
      for (const name of textsIn([fieldsOf(body)?.['name'], fieldsOf(fieldsOf(body)?.['metadata'])?.['name']]))
        knownNames.add(name);
  }

  function see(exchange: Exchange, { id: rule }: Requirement): void {
    const seen = byRule.get(rule) ?? { missing: new Set(), isAnswered: false };
    byRule.set(rule, seen);
    const match = matchOf(exchange, target.addresses[exchange.surface]);
    if (!isMissing(exchange)) seen.isAnswered = true;
    if (match === undefined) return;
    const { value: own, params } = match;
    const names = Object.values(params).filter((name) => !/^\/*$/.test(name ?? ''));
    if (isAccepted(exchange)) {
      first.set(own.id, null);
      learnNames(exchange, own.method, names);
    }
    if (!own.documented || isAccepted(exchange)) return;
    if (isMissing(exchange)) seen.missing.add(own.id);
    if (first.get(own.id) === null || isInconclusive(exchange) || !isValid(exchange, own, names)) return;
    if (!isMissing(exchange)) first.set(own.id, null);
    else if (!first.has(own.id)) first.set(own.id, { ...exchange, operation: own.id });
  }

  function blockerOf(rule: Requirement, { verdict, missing }: RuleResult, evidence: readonly Exchange[]) {
    const seen = byRule.get(rule.id);
    const firstOf = (id: OperationId | undefined) => (id === undefined ? undefined : (first.get(id) ?? undefined));
    const operationOf = (exchange: Exchange) => matchOf(exchange, target.addresses[exchange.surface])?.value.id;
    const candidate = [...(seen?.missing ?? [])].find((id) => firstOf(id) !== undefined);
    if (verdict === 'failed') {
      const isShown = evidence.every((each) => isMissing(each) && firstOf(operationOf(each)) !== undefined);
      return evidence[0] && isShown ? firstOf(operationOf(evidence[0])) : undefined;
    }
    if (candidate === undefined || rule.level !== 'must') return undefined;
    if (verdict === 'passed') return seen?.isAnswered === true ? undefined : firstOf(candidate);
    const isAbout = [candidate, operation(candidate).surface].some((each) => rule.operations.includes(each));
    return verdict === 'not-tried' && missing === undefined && isAbout ? firstOf(candidate) : undefined;
  }

  return { see, blockerOf };
}

/** Strings at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
