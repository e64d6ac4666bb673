/** Finds documented operations that answer every valid request with 404, 405 or 501: the target does not have them. */
import { operationIn } from '../../spec/operation-versions.ts';
import { headerNames } from '../../spec/brand.ts';
import { elements } from '../../spec/elements/elements.ts';
import { isMissingStatus, missingOperation, NOT_DECLARED, routeOf } from '../../spec/missing-operation.ts';
import { isAbout } from '../../spec/operation-names.ts';
import { operation } from '../../spec/operations.ts';
import type { Operation, OperationId } from '../../spec/operations.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import { fieldsOf } from '../json/fields.ts';
import { jsonIn } from '../json/json-in.ts';
import { earliestStable, isKnownVersion } from '../../spec/versions.ts';
import type { Exchange } from '../target/exchange.ts';
import { noteFinalAnswer } from '../target/eventually.ts';
import type { Target } from '../target/target.ts';
import { isUnrestricted, strongestCaller } from './callers.ts';
import { createFinalAnswers } from './final-answers.ts';
import { callOf, matchOf } from './exercised-elements.ts';
import { createUnacceptedOperations } from './unaccepted-operations.ts';

export interface MissingOperations {
  see(exchange: Exchange, rule: Requirement): void;
  /** Whether the target certainly has no operation that the rule is about, so that its case need send nothing more. */
  areMissing(rule: Requirement): boolean;
  /**
   * Why a rule could not be judged, because an operation is missing. `evidence`: the exchanges that break the rule, if it
   * failed. Undefined if anything else was decisive.
   */
  obstacleTo(rule: Requirement, result: RuleResult, evidence: readonly Exchange[]): Obstacle | undefined;
  /** The reason why a rule was not tried, with the refusals of its operations (see UnacceptedOperations). */
  explained(rule: Requirement, reason: string): string;
}

interface Obstacle extends Pick<RuleResult, 'reason' | 'missing'> {
  /** A valid request to the missing operation. Absent if its absence is declared, so that it needs no proof. */
  readonly exchange?: Exchange;
}

function waitingFor(exchange: Exchange, { id }: Operation): Obstacle {
  const route = routeOf(operation(id));
  const reason = `waits for ${route}, which is not implemented (${exchange.response.status})`;
  return { reason, missing: missingOperation(route), exchange };
}

const isMissing = ({ response: { status } }: Exchange): boolean => isMissingStatus(status);

/**
 * Sent by a gateway, a limit, or a check before routing, such as of the size or type of the body: it does not show whether the
 * operation exists.
 */
const isInconclusive = ({ response: { status } }: Exchange): boolean =>
  [401, 403, 406, 413, 414, 415, 429, 431, 502, 503, 504].includes(status);

const isAccepted = ({ response: { status } }: Exchange): boolean => status < 300;

/** MCP lets a server refuse them with 405: Streamable HTTP has no stream without a request, and no end of a session. */
const mayBeAbsent: ReadonlySet<OperationId> = new Set<OperationId>([
  'getFunctionMcp',
  'deleteFunctionMcp',
  'getSandboxMcp',
  'deleteSandboxMcp',
]);

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

/** A body that claims to be JSON, and is not. */
function isMalformed({ headers, body = '' }: Exchange['request']): boolean {
  const [, type = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return String(type).includes('json') && body !== '' && jsonIn(body) === undefined;
}

/** Whether a request is valid, whatever its path names. */
function validCalls(target: Target, unknownName: string) {
  const credential = strongestCaller(target).credential?.name;
  const versionHeader = headerNames(target.brand).version.toLowerCase();
  return (exchange: Exchange, { id, security, surface }: Operation, names: readonly string[]): boolean => {
    // A path that no resource has may be refused before routing.
    if (surface === 'management' && !names.every((name) => /^[\w-]+$/.test(name))) return false;
    if (security && credential !== exchange.credential) return false;
    const { url, headers, body = '' } = exchange.request;
    // A target may read the body, or refuse an unknown version, before it looks for the operation.
    if (isMalformed(exchange.request)) return false;
    const [, version = earliestStable] =
      Object.entries(headers).find(([name]) => name.toLowerCase() === versionHeader) ?? [];
    if (!isKnownVersion(String(version)) || operationIn(String(version), id) === undefined) return false;
    if (`${url} ${JSON.stringify(headers)} ${body}`.includes(unknownName)) return false;
    const call = callOf(exchange);
    return invalidElements.get(id)?.some(({ isIn }) => isIn(call)) !== true;
  };
}

/**
 * The first valid request of each operation that found none; one that names only what the target file names takes its place,
 * because the run removes what else it names. Null if another one was answered.
 */
function createFirstRequests(given: ReadonlySet<string>) {
  const first = new Map<OperationId, Exchange | null>();
  const lasting = new Set<OperationId>();
  return {
    get: (id: OperationId) => first.get(id),
    answered: (id: OperationId): void => void first.set(id, null),
    note(id: OperationId, exchange: Exchange, names: readonly string[]): void {
      const isLasting = names.every((name) => given.has(name));
      if (first.get(id) === null || (first.has(id) && (!isLasting || lasting.has(id)))) return;
      first.set(id, exchange);
      if (isLasting) lasting.add(id);
    },
  };
}

/** `unknownName`: what nothing on the target is called. `now`: in milliseconds. */
export function createMissingOperations(
  target: Target,
  unknownName: string,
  now = (): number => performance.now(),
): MissingOperations {
  const isValidCall = validCalls(target, unknownName);
  /** Those that a successful response of the run is about: what a target file names may be gone. */
  const knownNames = new Set(textsIn([target.workspace, target.account]));
  const givenNames = new Set(textsIn([target.resources]));
  const exists = (name: string, id: OperationId): boolean =>
    knownNames.has(name) || (isDeclared(id) && givenNames.has(name));
  const given = knownNames.union(givenNames);
  const byRule = new Map<string, Seen>();
  const unaccepted = createUnacceptedOperations();
  const hasAgent = target.resources.agent !== undefined;
  const [first, finalAnswers] = [createFirstRequests(given), createFinalAnswers(given, hasAgent, now)];
  const isDeclared = (id: OperationId): boolean => target.operations?.includes(id) === true;
  const isUndeclared = (id: OperationId): boolean => target.operations?.includes(id) === false;

  function isValid(exchange: Exchange, own: Operation, names: readonly string[]): boolean {
    const { id, method, surface } = own;
    const createsPath = surface === 'sandbox' && method === 'PUT';
    const isNamed = exchange.response.status !== 404 || createsPath || names.every((name) => exists(name, id));
    return isNamed && isValidCall(exchange, own, names);
  }

  function see(exchange: Exchange, { id: rule }: Requirement): void {
    const seen = byRule.get(rule) ?? { missing: new Set(), isAnswered: false };
    byRule.set(rule, seen);
    const match = matchOf(exchange, target.addresses[exchange.surface]);
    if (!isMissing(exchange)) seen.isAnswered = true;
    if (match === undefined) return;
    const { value: own, params } = match;
    const names = Object.values(params).filter((name) => !/^\/*$/.test(name ?? ''));
    finalAnswers.see(exchange, own, names);
    if (isAccepted(exchange) || isValidCall(exchange, own, names)) unaccepted.note(own.id, exchange);
    const isOfRouter = exchange.response.status !== 404 || isValidCall(exchange, own, names);
    if (isMissing(exchange) && isOfRouter && finalAnswers.isFinal(exchange, own, names)) noteFinalAnswer(exchange);
    if (isAccepted(exchange)) {
      first.answered(own.id);
      learnNames(knownNames, exchange, own.method, names);
    }
    if (isAccepted(exchange) || mayBeAbsent.has(own.id) || (!own.documented && !isDeclared(own.id))) return;
    if (isMissing(exchange)) seen.missing.add(own.id);
    if (first.get(own.id) === null || isInconclusive(exchange) || !isValid(exchange, own, names)) return;
    if (isMissing(exchange)) first.note(own.id, exchange, names);
    else first.answered(own.id);
  }

  function obstacleTo(rule: Requirement, result: RuleResult, evidence: readonly Exchange[]): Obstacle | undefined {
    const id = result.verdict === 'failed' ? refuting(rule, evidence) : blocking(rule, result);
    if (id === undefined || !isEvident(target, first.get(id))) return undefined;
    if (!isUndeclared(id)) return waitingFor(first.get(id)!, operation(id));
    const isOfOther = result.verdict === 'failed' && isAbout(rule, [id]);
    return hasOwnReason(rule) && !isOfOther ? undefined : { reason: NOT_DECLARED };
  }

  /** Whether the target has one of its operations that are declared, so that the rule was tried with that. */
  const hasOwnReason = (rule: Requirement): boolean =>
    rule.operations.some((each) => isDeclared(each as OperationId) && !first.get(each as OperationId));

  /** The operation that alone refuted a rule. Undefined if the target has it, and the rule is to be tried with it. */
  function refuting(rule: Requirement, evidence: readonly Exchange[]): OperationId | undefined {
    const ids = evidence.map((each) => matchOf(each, target.addresses[each.surface])?.value.id);
    const isExcused = ids.every((id, at) => {
      const exchange = evidence[at]!;
      if (id === undefined) return false;
      // What reads the state that another operation left is evidence about that one.
      if (isUndeclared(id)) return !isAccepted(exchange) || isAbout(rule, [id]);
      return isMissing(exchange) && first.get(id);
    });
    return isExcused ? ids[0] : undefined;
  }

  /** The operation without which a rule showed nothing. */
  function blocking(rule: Requirement, { verdict, missing }: RuleResult): OperationId | undefined {
    const seen = byRule.get(rule.id);
    // A request that several rules need is sent by one of them.
    const named = verdict === 'not-tried' ? (rule.operations as readonly OperationId[]) : [];
    const concerns = (id: OperationId): boolean => isDeclared(id) || isAbout(rule, [id]);
    const found = [...(seen?.missing ?? []), ...named].filter((each) => first.get(each) && concerns(each));
    const id = found.find((each) => !isUndeclared(each)) ?? found[0];
    // What other operations respond shows nothing about a rule of which all are missing.
    const hasOwn = rule.operations.some((each) => !first.get(each as OperationId));
    if (verdict === 'passed') return seen?.isAnswered === true && hasOwn ? undefined : id;
    return verdict === 'not-tried' && missing === undefined ? id : undefined;
  }

  const isCertain = (id: OperationId): boolean =>
    !!first.get(id) && isEvident(target, first.get(id)) && finalAnswers.isCertain(id);
  const areMissing = (rule: Requirement): boolean => rule.operations.every((id) => isCertain(id as OperationId));

  return { see, areMissing, obstacleTo, explained: (rule, reason) => unaccepted.explained(rule, reason) };
}

/** Other callers than admins may get 404 in place of 403; 405 and 501 mean the same for all. */
const isEvident = (target: Target, firstRequest: Exchange | null | undefined): boolean =>
  isUnrestricted(target) ||
  (firstRequest !== undefined && firstRequest !== null && firstRequest.response.status !== 404);

/** Of an accepted request. */
function learnNames(
  known: Set<string>,
  { request, response }: Exchange,
  method: string,
  names: readonly string[],
): void {
  for (const name of names) known.add(name);
  if (method === 'DELETE') known.delete(names.at(-1) ?? '');
  if (method !== 'POST') return;
  for (const body of [response.json, jsonIn(request.body ?? '')])
    for (const name of textsIn([fieldsOf(body)?.['name'], fieldsOf(fieldsOf(body)?.['metadata'])?.['name']]))
      known.add(name);
}

/** Strings at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
