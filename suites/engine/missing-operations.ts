/** Finds documented operations that answer every valid request with 404, 405 or 501: the target does not have them. */
import { operationIn } from '../../spec/operation-versions.ts';
import { headerNames } from '../../spec/brand.ts';
import { elements } from '../../spec/elements/elements.ts';
import type { Operation, OperationId } from '../../spec/operations.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import { fieldsOf } from '../json/fields.ts';
import { jsonIn } from '../json/json-in.ts';
import { earliestStable, isKnownVersion } from '../../spec/versions.ts';
import type { Exchange } from '../target/exchange.ts';
import type { RawRequest } from '../target/request-types.ts';
import { noteFinalAnswer } from '../target/eventually.ts';
import type { Target } from '../target/target.ts';
import { strongestCaller } from './callers.ts';
import { createObstacles, isAccepted, isEvident, isInconclusive, isMissing } from './obstacles.ts';
import type { MissingAt, Obstacle, Seen, UndeclaredResponse } from './obstacles.ts';
import { createFinalAnswers } from './final-answers.ts';
import { createDoubtfulOperations } from './doubtful-operations.ts';
import { callOf, matchOf } from './exercised-elements.ts';
import { createUnacceptedOperations } from './unaccepted-operations.ts';

export interface MissingOperations {
  see(exchange: Exchange, rule: Requirement): void;
  /**
   * A request to an unknown path, if its response tells whether a 404 is about the operation or about a name of the target file,
   * which may be gone. Undefined if it tells nothing new.
   */
  unknownPathLike(exchange: Exchange): RawRequest | undefined;
  /** The response to such a request. */
  seeUnknownPath(exchange: Exchange): void;
  /** Whether the target certainly has no operation that the rule is about, so that its case need send nothing more. */
  areMissing(rule: Requirement): boolean;
  /**
   * Why a rule could not be judged, because an operation is missing, or only ones break it that are not declared. `evidence`: the
   * exchanges that break the rule, if it failed. `undeclared`: what would break it, but is of operations that are not declared.
   * Undefined if anything else was decisive.
   */
  obstacleTo(
    rule: Requirement,
    result: RuleResult,
    evidence: readonly Exchange[],
    undeclared?: readonly UndeclaredResponse[],
  ): Obstacle | undefined;
  /** The reason why a rule was not tried, with the refusals of its operations (see UnacceptedOperations). */
  explained(rule: Requirement, reason: string): string;
}

/** MCP lets a server refuse them with 405: Streamable HTTP has no stream without a request, and no end of a session. */
const mayBeAbsent: ReadonlySet<OperationId> = new Set<OperationId>([
  'getFunctionMcp',
  'deleteFunctionMcp',
  'getSandboxMcp',
  'deleteSandboxMcp',
]);

/** Whether a request makes what its path names. */
const createsPath = ({ surface, method }: Operation): boolean => surface === 'sandbox' && method === 'PUT';

const invalidElements = Map.groupBy(
  elements.filter(({ kind }) => kind === 'invalid'),
  (each) => each.operation,
);

/** A body that claims to be JSON, and is no JSON object. */
function isMalformed({ headers, body = '' }: Exchange['request']): boolean {
  const [, type = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return String(type).includes('json') && body !== '' && fieldsOf(jsonIn(body)) === undefined;
}

/** Whether a request is valid, whatever its path names. `isGiven`: whether the target, or its file, has the name. */
function validCalls(target: Target, unknownName: string, isGiven: (name: string) => boolean) {
  const credential = strongestCaller(target).credential?.name;
  const versionHeader = headerNames(target.brand).version.toLowerCase();
  return (exchange: Exchange, { id, security, surface }: Operation, names: readonly string[]): boolean => {
    // A path that no resource has may be refused before routing.
    if (surface === 'management' && !names.every((name) => isGiven(name) || /^[\w-]+$/.test(name))) return false;
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

/** They may succeed for any account. */
const staticLists: ReadonlySet<OperationId> = new Set<OperationId>(['listMetricsGroupBy', 'listMetricsResourceTypes']);

/** Names that a successful response of the run is about, and those of the target file, which may be gone. */
function createKnownNames({ workspace, account, isAccountListed, resources }: Target) {
  const known = new Set(textsIn([workspace, account]));
  /** Of these, only the target file says so far that they exist. */
  const unconfirmed = new Set(textsIn([workspace, isAccountListed === true ? undefined : account]));
  const given = known.union(new Set(textsIn([resources])));
  return {
    given,
    /** What the body of a request names. */
    givenIn: ({ request: { body = '' } }: Exchange): string[] =>
      textsIn([jsonIn(body)]).filter((text) => given.has(text)),
    /** Of a path that got 404: its workspace or account, if only the target file says that it exists. */
    doubtfulIn: ({ response: { status } }: Exchange, names: readonly string[]): string | undefined =>
      status === 404 ? names.find((name) => unconfirmed.has(name)) : undefined,
    stateOf(names: readonly string[]): 'known' | 'given' | 'unknown' {
      if (names.every((name) => known.has(name))) return 'known';
      return names.every((name) => known.has(name) || given.has(name)) ? 'given' : 'unknown';
    },
    /** Of an accepted request. */
    learn({ request, response }: Exchange, { id, method }: Operation, names: readonly string[]): void {
      for (const name of names) known.add(name);
      for (const name of staticLists.has(id) ? [] : names) unconfirmed.delete(name);
      if (method === 'DELETE') known.delete(names.at(-1) ?? '');
      if (method !== 'POST') return;
      for (const body of [response.json, jsonIn(request.body ?? '')])
        for (const name of textsIn([fieldsOf(body)?.['name'], fieldsOf(fieldsOf(body)?.['metadata'])?.['name']]))
          known.add(name);
    },
  };
}

/** `unknownName`: what nothing on the target is called. `now`: in milliseconds. */
export function createMissingOperations(
  target: Target,
  unknownName: string,
  now = (): number => performance.now(),
): MissingOperations {
  const known = createKnownNames(target);
  const isDeclared = (id: OperationId): boolean => target.operations?.includes(id) === true;
  const isValidCall = validCalls(target, unknownName, (name) => known.stateOf([name]) !== 'unknown');
  const byRule = new Map<string, Seen>();
  const hasAgent = target.resources.agent !== undefined;
  const unaccepted = createUnacceptedOperations(hasAgent, target.operations);
  const [first, finalAnswers] = [createFirstRequests(known.given), createFinalAnswers(known.given, hasAgent, now)];
  const doubtful = createDoubtfulOperations(target.addresses, unknownName);

  function missingAt(id: OperationId): MissingAt | undefined {
    const found = first.get(id);
    const exchange = found === undefined ? doubtful.missing(id) : found;
    if (exchange === undefined || exchange === null) return undefined;
    const names = namesIn(matchOf(exchange, target.addresses[exchange.surface])?.params ?? {});
    if (found === undefined) {
      const doubtfulName = [...names, ...known.givenIn(exchange)].at(-1) ?? '';
      return { exchange, doubtfulName, isLikeUnknownPath: true };
    }
    const doubtfulName = known.doubtfulIn(exchange, names);
    return { exchange, ...(doubtfulName !== undefined && { doubtfulName }) };
  }
  const isPresent = (id: OperationId): boolean => first.get(id) === null;
  const obstacleTo = createObstacles(target, { missingAt, isPresent, seenBy: byRule });

  function unknownPathLike(exchange: Exchange): RawRequest | undefined {
    if (exchange.response.status !== 404) return undefined;
    const own = matchOf(exchange, target.addresses[exchange.surface])?.value;
    return own !== undefined && first.get(own.id) === undefined ? doubtful.requestAfter(own) : undefined;
  }

  function see(exchange: Exchange, { id: rule }: Requirement): void {
    const seen = byRule.get(rule) ?? { missing: new Set(), isAnswered: false };
    byRule.set(rule, seen);
    const match = matchOf(exchange, target.addresses[exchange.surface]);
    if (!isMissing(exchange)) seen.isAnswered = true;
    if (match === undefined) return;
    const { value: own, params } = match;
    const names = namesIn(params);
    const named = [...names, ...known.givenIn(exchange)];
    finalAnswers.see(exchange, own, names);
    const isOfUnknownName = exchange.response.status === 404 && known.stateOf(names) === 'unknown';
    const isValid = !isAccepted(exchange) && isValidCall(exchange, own, names);
    if (isAccepted(exchange) || (isValid && !isOfUnknownName)) unaccepted.note(own.id, exchange);
    const isOfRouter = exchange.response.status !== 404 || isValid;
    if (isMissing(exchange) && isOfRouter && finalAnswers.isFinal(exchange, own, names)) noteFinalAnswer(exchange);
    if (isAccepted(exchange)) {
      first.answered(own.id);
      known.learn(exchange, own, names);
    }
    if (isAccepted(exchange) || mayBeAbsent.has(own.id) || (!own.documented && !isDeclared(own.id))) return;
    if (isMissing(exchange)) seen.missing.add(own.id);
    if (first.get(own.id) === null || isInconclusive(exchange) || !isValid) return;
    const state = exchange.response.status === 404 && !createsPath(own) ? known.stateOf(named) : 'known';
    if (state === 'given' && !isDeclared(own.id)) doubtful.note(own.id, exchange);
    else if (state !== 'unknown' && isMissing(exchange)) first.note(own.id, exchange, names);
    else if (state !== 'unknown') first.answered(own.id);
  }

  const isCertain = (id: OperationId): boolean =>
    missingAt(id) !== undefined && isEvident(target, missingAt(id)) && finalAnswers.isCertain(id);
  const areMissing = (rule: Requirement): boolean => rule.operations.every((id) => isCertain(id as OperationId));

  return {
    see,
    unknownPathLike,
    seeUnknownPath: (exchange) => doubtful.seeUnknownPath(exchange),
    areMissing,
    obstacleTo,
    explained: (rule, reason) => unaccepted.explained(rule, reason),
  };
}

/** The values of path parameters, without empty ones. */
const namesIn = (params: object): string[] => textsIn(params).filter((name) => !/^\/*$/.test(name));

/** Strings at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
