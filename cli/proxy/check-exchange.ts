/** Finds where an exchange violates the documents, on which side, and according to which of two validators: Ajv and Prism. */
import { DEFAULT_BRAND, headerNames } from '../../spec/brand.ts';
import { responseRequirements, requestRequirements } from '../../spec/coverage/part-requirements.ts';
import { escapeRegExp } from '../../spec/escape-regexp.ts';
import { measureJson } from '../../spec/files/parse-json.ts';
import { isLarge } from '../../spec/is-large.ts';
import type { Operation, OperationId } from '../../spec/operations.ts';
import type { PrismReader } from '../../spec/prism/reader.ts';
import type { ReaderFinding } from '../../spec/prism/reader-types.ts';
import { bodyRequirement } from '../../spec/body-requirement.ts';
import type { BodyRequirement } from '../../spec/body-requirement.ts';
import type { MustId, RequirementId } from '../../spec/requirements/index.ts';
import type { ShapeFinding } from '../../spec/shape-finding.ts';
import { isMcp, uncheckedReason } from '../../spec/unchecked-response.ts';
import { listedVersionIn } from '../../spec/operation-versions.ts';
import { earliestStable } from '../../spec/versions.ts';
import { bodyFindings, replyFindings, schemaFindings } from '../../spec/validators.ts';
import type { BodyCopy } from './body-copy.ts';
import type { ForwardedExchange, ForwardedResponse } from './forward.ts';
import { joinedHeaders } from './end-to-end.ts';
import type { MatchedOperation } from './mounts.ts';

export interface Violation {
  readonly side: 'target' | 'client';
  /** The findings of the validator with more of them, or ours if equal, because it quotes values. Never empty. */
  readonly findings: readonly ShapeFinding[];
  readonly readers: 'both' | 'ours' | 'prism';
  /** Rules of the catalogue that the violation is about. */
  readonly rules: readonly RequirementId[];
}

export interface CheckResult {
  /**
   * What happened to the response body. `undocumented`: the documents do not describe it. `not-checked`: a stream, MCP, a
   * response to HEAD, or an incomplete exchange.
   */
  readonly responseCheck: 'checked' | 'undocumented' | 'not-checked';
  readonly violations: readonly Violation[];
  /** Bodies that were not validated although the documents describe them. Without those of an incomplete exchange. */
  readonly unchecked: readonly UncheckedBody[];
}

export interface UncheckedBody {
  readonly side: 'request' | 'response';
  /** Completes "because …". */
  readonly reason: string;
}

/** An exchange of a documented operation. `adminOnly`: the caller is known not to be an account admin, as for `bodyRequirement`. */
export function checkExchange(
  { operation, path }: MatchedOperation,
  exchange: ForwardedExchange,
  reader: PrismReader,
  adminOnly?: MustId,
): CheckResult {
  const unchecked = uncheckedBodies(operation, exchange);
  if (isMcp(operation.id)) return { responseCheck: 'not-checked', violations: [], unchecked };
  const request = requestViolations(operation, path, exchange, reader);
  const body = exchange.method === 'HEAD' ? undefined : readableBody(operation, exchange.response);
  if (body === undefined || exchange.response === undefined)
    return { responseCheck: 'not-checked', violations: request, unchecked };
  const value = body.is === 'json' ? body.value : undefined;
  const documented = bodyRequirement(operation.id, { status: exchange.response.status, body: value, adminOnly });
  const version = listedVersionIn(joinedHeaders(exchange.headers), reader.brand);
  const found =
    documented && responseViolations(operation, exchange.response, body, { ...documented, version }, reader);
  if (found === undefined) return { responseCheck: 'undocumented', violations: request, unchecked };
  return { responseCheck: 'checked', violations: [...request, ...found], unchecked };
}

function uncheckedBodies({ id }: Operation, { method, headers, body, response }: ForwardedExchange): UncheckedBody[] {
  if (isMcp(id)) return [{ side: 'response', reason: 'it is a message of MCP' }];
  const sent = describeUnreadable(body, joinedHeaders(headers)['content-encoding']);
  const request: UncheckedBody[] = sent === undefined ? [] : [{ side: 'request', reason: sent }];
  if (response === undefined || method === 'HEAD') return request;
  const received = describeUnreadableResponse(id, response);
  return received === undefined ? request : [...request, { side: 'response', reason: received }];
}

function describeUnreadableResponse(
  id: OperationId,
  { status, headers: raw, body, isComplete }: ForwardedResponse,
): string | undefined {
  const headers = joinedHeaders(raw);
  const kind = uncheckedReason(id, status, headers);
  if (kind !== undefined) return `it is ${kind}`;
  return isComplete ? describeUnreadable(body, headers['content-encoding']) : 'it is incomplete';
}

function describeUnreadable(body: BodyCopy, encoding: string | undefined): string | undefined {
  const text = body.text(encoding);
  if (text === undefined) return body.describeProblem(encoding) ?? 'it cannot be read';
  return describeComplexity(withoutMark(text));
}

type Body = { is: 'empty' } | { is: 'json'; value: unknown } | { is: 'other'; text: string };

/** Of nested JSON: validators follow a schema recursively. */
const MAX_LEVELS = 500;

/** Validators take time and memory for each value, and may find an error in each. */
const MAX_VALUES = 1_000_000;

/** Why JSON is not validated. Undefined if it is, and for other texts. */
function describeComplexity(json: string): string | undefined {
  if (!/^\s*[{[]/.test(json)) return undefined;
  const { depth, values } = measureJson(json);
  if (depth > MAX_LEVELS) return `it is nested too deeply: more than ${MAX_LEVELS} levels`;
  return values > MAX_VALUES ? `it has more than ${MAX_VALUES} values` : undefined;
}

/** RFC 8259 8.1. */
const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');

/** Undefined for JSON that is too complex to be validated. */
function bodyOf(text: string): Body | undefined {
  if (text === '') return { is: 'empty' };
  const json = withoutMark(text);
  if (describeComplexity(json) !== undefined) return undefined;
  try {
    return { is: 'json', value: JSON.parse(json) as unknown };
  } catch {
    return { is: 'other', text };
  }
}

/** Undefined if it is not validated. */
function readableBody({ id }: Operation, response: ForwardedResponse | undefined): Body | undefined {
  if (response?.isComplete !== true) return undefined;
  const headers = joinedHeaders(response.headers);
  if (uncheckedReason(id, response.status, headers) !== undefined) return undefined;
  const text = response.body.text(headers['content-encoding']);
  return text === undefined ? undefined : bodyOf(text);
}

/** Undefined if every body matches the documents. */
function responseViolations(
  { id }: Operation,
  { status, headers: raw }: ForwardedResponse,
  body: Body,
  { requirement, form, version }: BodyRequirement & { readonly version: string | undefined },
  reader: PrismReader,
): Violation[] | undefined {
  const [value, headers] = [body.is === 'json' ? body.value : undefined, joinedHeaders(raw)];
  const ours =
    form === undefined ? replyFindings(id, status, value, version) : schemaFindings('management', form, value);
  const prism =
    isUnknownToPrism(version) || hasTooManyErrors(ours, value)
      ? []
      : form === undefined
        ? reader.responseFindings(id, { status, headers, body: value })
        : reader.formFindings(form, value);
  if (prism === undefined) return undefined;
  const readings = {
    ours: body.is === 'json' ? ours : notJson(ours, body),
    prism: prism.filter(({ in: where }) => where === 'body'),
  };
  return violationsIn('target', readings, (found) => [requirement, ...responseRequirements(id, status, found)]);
}

/** Prism reads the documents of the earliest version. */
const isUnknownToPrism = (version: string | undefined): boolean => version !== undefined && version !== earliestStable;

/** Prism finds every error of a body, which takes seconds and a gigabyte for a million of them. Ours finds the first one. */
const hasTooManyErrors = (ours: readonly ShapeFinding[], value: unknown): boolean => ours.length > 0 && isLarge(value);

/** If the documents specify JSON. */
const notJson = (ours: readonly ShapeFinding[], { is }: Body): ShapeFinding[] =>
  ours.length === 0 ? [] : [{ at: '', says: is === 'empty' ? 'the body is empty, not JSON' : 'the body is not JSON' }];

function requestViolations(
  operation: Operation,
  path: string,
  exchange: ForwardedExchange,
  reader: PrismReader,
): Violation[] {
  const { id, bodyTypes } = operation;
  const headers = joinedHeaders(exchange.headers);
  const text = exchange.body.text(headers['content-encoding']);
  const body = text === undefined ? undefined : bodyOf(text);
  if (text === undefined || body === undefined) return [];
  const isJson = bodyTypes.includes(JSON_TYPE) && !otherTypes(bodyTypes).includes(typeOf(headers));
  if (isJson && body.is === 'other')
    return violationsIn('client', { ours: [{ at: '', says: 'the body is not JSON' }], prism: [] }, () => []);
  const value = body.is === 'empty' ? undefined : isJson && body.is === 'json' ? body.value : text;
  const version = listedVersionIn(headers, reader.brand);
  const ours = isJson && body.is === 'json' ? bodyFindings(id, value, version) : [];
  const prism = (
    isUnknownToPrism(version) || hasTooManyErrors(ours, value)
      ? []
      : reader.requestFindings(id, { path, headers, body: value })
  )
    // Prism treats null, false and 0 as a missing body.
    .filter(({ in: where }) => where !== 'body' || body.is !== 'json' || Boolean(value))
    // The path is the operation's: a parameter that Prism misses there is empty, as the root of a filesystem is.
    .filter(({ in: where, says }) => where !== 'path' || missingPropertyIn(says) === undefined);
  const findings = prism.map((each) => parameterFinding(each, operation, reader.brand));
  return violationsIn('client', { ours, prism: findings }, (found) =>
    found.flatMap(({ at }) => requestRequirements(id, withBrand(at, reader.brand, DEFAULT_BRAND))),
  );
}

const JSON_TYPE = 'application/json';
const otherTypes = (types: readonly string[]): string[] => types.filter((type) => type !== JSON_TYPE);
const typeOf = (headers: Readonly<Record<string, string>>): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const missingPropertyIn = (says: string): string | undefined => /required property '([^']+)'/.exec(says)?.[1];

/** Reports a parameter with its location and spelling, because Prism lower-cases all names. */
function parameterFinding({ in: where, at, says }: ReaderFinding, operation: Operation, brand: string): ShapeFinding {
  if (where === 'body') return { at, says };
  const missing = missingPropertyIn(says);
  const name = missing ?? at.slice(1);
  const spelling = namesIn(operation, where)
    .map((each) => withBrand(each, DEFAULT_BRAND, brand))
    .find((each) => each.toLowerCase() === name.toLowerCase());
  const words = says.replace(new RegExp(`^Request ${where}( parameter)? (${escapeRegExp(name)} )?`), '');
  const place = `${where} ${spelling ?? name}`.trimEnd();
  return { at: place, says: missing === undefined ? words : 'is required and missing' };
}

function namesIn(operation: Operation, where: 'header' | 'query' | 'path'): readonly string[] {
  if (where === 'path') return operation.pathParameters.map(({ name }) => name);
  return where === 'query' ? operation.queryParameters : operation.headerParameters;
}

/** A text with the header names of one brand in it, with those of another. */
function withBrand(text: string, from: string, to: string): string {
  const [old, wanted] = [headerNames(from), headerNames(to)];
  const names = Object.keys(old) as (keyof typeof old)[];
  return names.reduce((changed, name) => changed.replace(old[name], wanted[name]), text);
}

interface Readings {
  readonly ours: readonly ShapeFinding[];
  readonly prism: readonly ShapeFinding[];
}

function violationsIn(
  side: Violation['side'],
  { ours, prism }: Readings,
  rulesOf: (found: readonly ShapeFinding[]) => readonly RequirementId[],
): Violation[] {
  if (ours.length === 0 && prism.length === 0) return [];
  // Adds Prism's findings in parameters and headers, which our validator does not check.
  const beside = ours.length === 0 ? prism : prism.filter(({ at }) => at !== '' && !at.startsWith('/'));
  const findings = [...ours, ...beside].map(({ at, says }) => ({ at, says }));
  const readers = ours.length === 0 ? 'prism' : prism.length === 0 ? 'ours' : 'both';
  return [{ side, findings, readers, rules: [...new Set(rulesOf(findings))] }];
}
