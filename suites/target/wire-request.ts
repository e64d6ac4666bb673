/** The request of a call as it is sent (path, query, headers and body), and its redacted form. */
import { headerNames } from '../../spec/brand.ts';
import type { Surface } from '../../spec/openapi-document.ts';
import type { OperationId } from '../../spec/generated/types.ts';
import { operation } from '../../spec/operations.ts';
import { basePathOf } from '../../spec/network/base-path.ts';
import { NotTried } from './violation.ts';
import type { CallInput, Caller, CallerCredential, HeaderInput, RawRequest } from './request-types.ts';
import type { SentRequest } from './exchange.ts';
import type { Redaction } from './redaction.ts';
import { neededAccount } from './needed-account.ts';
import type { Target } from './target.ts';
import type { WireRequest } from './request-types.ts';

export function callHeaders(
  target: Target,
  caller: Caller,
  surface: Surface,
  method: string,
  hasBody: boolean,
): HeaderInput {
  const names = headerNames(target.brand);
  // The document requires it of API keys, and does not say that other credentials may omit it.
  const creates = caller.bearer !== undefined && surface === 'management' && method === 'POST';
  return {
    Accept: 'application/json',
    ...(caller.bearer === undefined ? {} : { Authorization: `Bearer ${caller.bearer}` }),
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
    ...(creates && target.workspace !== undefined ? { [names.workspace]: target.workspace } : {}),
  };
}

/** Header names are case-insensitive. The spelling of the later one is sent. */
export function mergeHeaders(base: HeaderInput, over: HeaderInput = {}): Record<string, string | string[]> {
  const overridden = new Set(Object.keys(over).map((name) => name.toLowerCase()));
  const unchanged = Object.entries(base).filter(([name]) => !overridden.has(name.toLowerCase()));
  const all = [...unchanged, ...Object.entries(over)].filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined,
  );
  return Object.fromEntries(all);
}

const segment = (value: string): string => encodeURIComponent(value.toWellFormed());

/** Of path parameters. */
const defaults: Readonly<Record<string, (target: Target) => string>> = {
  accountId: neededAccount,
  workspace({ workspace }) {
    if (workspace === undefined) throw new NotTried('the workspace of the target');
    return workspace;
  },
};

/** The parameter `path` of the sandbox's file tree keeps its slashes, unless they are to be encoded. */
export function fillPath(
  template: string,
  target: Target,
  given: Record<string, string> = {},
  encodesSlashes = false,
): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name] ?? defaults[name]?.(target);
    if (value !== undefined)
      return name === 'path' && !encodesSlashes ? value.split('/').map(segment).join('/') : segment(value);
    throw new Error(`${template}: no value for {${name}}`);
  });
}

export function queryString(query: CallInput['query']): string {
  if (query === undefined) return '';
  const pairs = Array.isArray(query)
    ? (query as readonly (readonly [string, string])[])
    : Object.entries(query as object);
  const words = pairs
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${segment(name)}=${segment(String(value))}`);
  return words.length === 0 ? '' : `?${words.join('&')}`;
}

/**
 * The request of a call. An operation that the earliest version does not have is sent with the first version that has it, unless
 * `input` names one. Throws NotTried if the target lacks a path value.
 */
export function requestOf(target: Target, caller: Caller, id: OperationId, input: CallInput): ResolvedRequest {
  const { surface, method, path, since } = operation(id);
  const headers = {
    ...callHeaders(target, caller, surface, method, input.body !== undefined),
    ...(since === undefined ? {} : { [headerNames(target.brand).version]: since }),
  };
  const body = input.body === undefined ? {} : { body: JSON.stringify(input.body) };
  const filled = fillPath(path, target, input.path, input.encodesSlashes) + queryString(input.query);
  return { surface, method, path: filled, ...body, headers: mergeHeaders(headers, input.headers) };
}

export type ResolvedRequest = RawRequest & { headers: Record<string, string | string[]> };
/** With the credential that the request carries unchanged. */
export type AuthenticatedRequest = ResolvedRequest & { credential?: CallerCredential };

/** Messages to an MCP server do not count as writes: each case decides whether tools may be called. */
const concernsState = ({ surface, path }: RawRequest): boolean =>
  (surface === 'management' || surface === 'sandbox') && !/^\/mcp(\?|$)/.test(path);

/** Starting a job execution counts as a write. */
const concernsJobs = ({ surface, path }: RawRequest): boolean => surface === 'host' && /^\/[^/]+\/jobs\//.test(path);

export const couldWrite = (request: RawRequest): boolean =>
  /^(POST|PUT|PATCH|DELETE)$/i.test(request.method) && (concernsState(request) || concernsJobs(request));

/** Only counts one unmodified credential header. Other refusals prove nothing about the credential. */
export function carriesOnlyBearer(headers: ResolvedRequest['headers'], bearer: string | undefined): boolean {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    /authorization$/i.test(name) ? [value].flat() : [],
  );
  return bearer !== undefined && values.length === 1 && values[0] === `Bearer ${bearer}`;
}

export function wireRequest(target: Target, raw: AuthenticatedRequest): WireRequest {
  const address = target.addresses[raw.surface];
  if (address === undefined) throw new NotTried(`the address of the ${raw.surface} surface`);
  const { method, headers, body } = raw;
  const { origin } = new URL(address);
  const path = basePathOf(address) + raw.path;
  const isOfWorkload = raw.surface === 'inference' || raw.surface === 'sandbox' || concernsJobs(raw);
  return { method, origin, path, headers, isOfWorkload, ...(body !== undefined && { body }) };
}

export function sentRequest({ method, origin, path, headers, body }: WireRequest, redaction: Redaction): SentRequest {
  const clean = Object.entries(headers).map(([name, value]): [string, string | string[]] => [
    name,
    Array.isArray(value) ? value.map(redaction.known) : redaction.known(value),
  ]);
  const sent = { method, url: redaction.known(origin + path), headers: Object.fromEntries(clean) };
  if (body === undefined) return sent;
  if (typeof body === 'string') return { ...sent, body: redaction.known(body) };
  const text = Buffer.from(body).toString('utf8');
  if (Buffer.from(text).equals(body)) return { ...sent, body: redaction.known(text) };
  return { ...sent, body: redaction.known(Buffer.from(body).toString('latin1')), bytes: true };
}
