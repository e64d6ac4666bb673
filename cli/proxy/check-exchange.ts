/** What is off the documents in an exchange that has passed, on which side, and by which of two readers: our Ajv, and Prism. */
import { promisedBy } from '../../reports/oracle/promised-by.ts';
import { rows } from '../../spec/coverage/requirements-of.ts';
import type { Operation } from '../../spec/operations.ts';
import type { PrismReader, ReaderFinding } from '../../spec/prism/reader.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { bodyFindings, replyFindings } from '../../spec/validators.ts';
import type { Passed, PassedAnswer } from './forward.ts';
import { joinedHeaders } from './end-to-end.ts';
import type { Found } from './mounts.ts';

export interface Off {
  readonly side: 'target' | 'frontend';
  /** Of the reader that says most; where both do, ours, which quotes values. Never empty. */
  readonly findings: readonly OffFinding[];
  readonly readers: 'both' | 'ours' | 'prism';
  /** Rules of the catalogue that speak of it. */
  readonly rules: readonly RequirementId[];
}

export interface OffFinding {
  /** JSON Pointer into the body, or the place and name of a parameter. */
  readonly at: string;
  readonly says: string;
}

export interface Checked {
  /** Whether the readers were asked about the answer: they are not about streams, MCP, and what did not pass whole. */
  readonly answer: boolean;
  readonly off: readonly Off[];
}

/** Of an operation that the interface shows. */
export function checkExchange({ operation, path }: Found, passed: Passed, reader: PrismReader): Checked {
  if (isMcp(operation)) return { answer: false, off: [] };
  const request = requestOff(operation, path, passed, reader);
  const answer = passed.answer && passed.method !== 'HEAD' ? answerOff(operation, passed.answer, reader) : undefined;
  return { answer: answer !== undefined, off: [...request, ...(answer ?? [])] };
}

/** What its messages hold is not for the documents. */
const isMcp = ({ path }: Operation): boolean => path.endsWith('/mcp');

type Body = { is: 'empty' } | { is: 'json'; value: unknown } | { is: 'other'; text: string };

/** Deeper ones are not for readers that follow a schema by calling themselves. */
const DEEPEST = 500;

/** Undefined for one that is nested too deeply to be read. */
function bodyOf(text: string): Body | undefined {
  if (text === '') return { is: 'empty' };
  try {
    const value = JSON.parse(text.replace(/^\ufeff/, '')) as unknown; // RFC 8259 8.1
    return isDeeper(value, DEEPEST) ? undefined : { is: 'json', value };
  } catch {
    return { is: 'other', text };
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= levels; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** Undefined where nobody was asked. */
function answerOff({ id }: Operation, answer: PassedAnswer, reader: PrismReader): Off[] | undefined {
  const { status } = answer;
  const headers = joinedHeaders(answer.headers);
  const isStream = id === 'watchDirectory' && status >= 200 && status <= 299;
  if (!answer.whole || isStream || headers['content-type']?.startsWith('text/event-stream') === true) return undefined;
  const text = answer.body.text(headers['content-encoding']);
  const body = text === undefined ? undefined : bodyOf(text);
  if (body === undefined) return undefined;
  const promised = promisedBy(id, status);
  if (promised === undefined) return [];
  const value = body.is === 'json' ? body.value : undefined;
  const ours = replyFindings(id, status, value);
  const prism = reader
    .answerFindings(id, { status, headers, body: value })
    ?.filter(({ in: where }) => where === 'body');
  const isSuccess = status >= 200 && status <= 299;
  return off('target', { ours: body.is === 'json' ? ours : noJson(ours, body), prism: prism ?? [] }, (at) => [
    ruleOf(status, value) ?? promised,
    ...(isSuccess ? rulesOf(id, `answer 200 ${fieldOf(at)}`) : []),
  ]);
}

/** Where the documents show JSON. */
const noJson = (ours: readonly OffFinding[], { is }: Body): OffFinding[] =>
  ours.length === 0 ? [] : [{ at: '', says: is === 'empty' ? 'the body is empty, not JSON' : 'the body is no JSON' }];

/** The version's error has a rule of its own. */
function ruleOf(status: number, value: unknown): RequirementId | undefined {
  const { error } = (value ?? {}) as { error?: unknown };
  return status === 400 && error === 'invalid_api_version' ? 'errors.version.body-shape' : undefined;
}

function requestOff(operation: Operation, path: string, passed: Passed, reader: PrismReader): Off[] {
  const { id, bodyTypes } = operation;
  const headers = joinedHeaders(passed.headers);
  const text = passed.body.text(headers['content-encoding']);
  const body = text === undefined ? undefined : bodyOf(text);
  if (text === undefined || body === undefined) return [];
  const isJson = bodyTypes.includes(JSON_TYPE) && !otherTypes(bodyTypes).includes(typeOf(headers));
  if (isJson && body.is === 'other')
    return off('frontend', { ours: [{ at: '', says: 'the body is no JSON' }], prism: [] }, () => []);
  const value = body.is === 'empty' ? undefined : isJson && body.is === 'json' ? body.value : text;
  const ours = isJson && body.is === 'json' ? bodyFindings(id, value) : [];
  const prism = reader
    .requestFindings(id, { path, headers, body: value })
    // Prism takes null, false and 0 for no body.
    .filter(({ in: where }) => where !== 'body' || body.is !== 'json' || Boolean(value));
  return off('frontend', { ours, prism: prism.map((each) => inWords(each, operation)) }, (at) =>
    rulesOf(id, partOf(at)),
  );
}

const JSON_TYPE = 'application/json';
const otherTypes = (types: readonly string[]): string[] => types.filter((type) => type !== JSON_TYPE);
const typeOf = (headers: Readonly<Record<string, string>>): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** A parameter is told with its place and as it is spelt: Prism knows the names of a query in lower case. */
function inWords({ in: where, at, says }: ReaderFinding, { queryParameters }: Operation): OffFinding {
  if (where === 'body') return { at, says };
  const missing = /required property '([^']+)'/.exec(says)?.[1];
  const name = missing ?? at.slice(1);
  const spelt = queryParameters.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name;
  const words = says.replace(new RegExp(`^Request ${where}( parameter)? (${RegExp.escape(name)} )?`), '');
  return { at: `${where} ${spelt}`.trimEnd(), says: missing === undefined ? words : 'is required and missing' };
}

const partOf = (at: string): string => (at === '' || at.startsWith('/') ? `request ${fieldOf(at)}` : at);

interface Readings {
  readonly ours: readonly OffFinding[];
  readonly prism: readonly OffFinding[];
}

function off(side: Off['side'], { ours, prism }: Readings, rulesAt: (at: string) => readonly RequirementId[]): Off[] {
  if (ours.length === 0 && prism.length === 0) return [];
  // What only Prism looks at, parameters and headers, stands beside what our reader says of the body.
  const beside = ours.length === 0 ? prism : prism.filter(({ at }) => at !== '' && !at.startsWith('/'));
  const findings = [...ours, ...beside].map(({ at, says }) => ({ at, says }));
  const readers = ours.length === 0 ? 'prism' : prism.length === 0 ? 'ours' : 'both';
  return [{ side, findings, readers, rules: [...new Set(findings.flatMap(({ at }) => rulesAt(at)))] }];
}

/** A JSON Pointer as the catalogue's rows write a field: /spec/triggers/0/id is spec.triggers[].id. */
function fieldOf(pointer: string): string {
  return pointer
    .slice(1)
    .replaceAll('/', '.')
    .replaceAll(/\.\d+(?=\.|$)/g, '[]');
}

/** The rules that speak of a part of an operation; none where no row does. */
function rulesOf(id: string, part: string): readonly RequirementId[] {
  return rows.find(([form]) => form.test(`${id} ${part}`.trimEnd()))?.[1] ?? [];
}
