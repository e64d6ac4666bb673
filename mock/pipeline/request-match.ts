/** Whether a match of `/_mock` fits a request: that of a fault rule, a script, an expectation or a filter of the journal. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { jsonIncludes } from '../http/json-includes.ts';
import { parseJson } from '../http/parse-json.ts';
import { readBytes } from '../http/read-bytes.ts';
import { matchesWildcard } from '../../spec/wildcard.ts';
import type { RecordedMatch, RequestMatch } from './rule-formats.ts';
import { routeOf, type RoutedRequest } from './routes.ts';

/** A request, received or recorded, without its body. */
export interface RequestHead {
  readonly method: string;
  /** As sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly operation: string | undefined;
  /** Undefined without a response. */
  readonly status?: number | undefined;
}

/** Ignores the body, which the caller reads and compares (`jsonIncludes`) only if the head matches. */
export function matchesHead(head: RequestHead, match: RecordedMatch): boolean {
  const { operation, method, path, query = {}, headers = {}, status } = match;
  return (
    (method === undefined || head.method === method.toUpperCase()) &&
    (status === undefined || matchesStatus(head.status, String(status))) &&
    (operation === undefined || head.operation === operation) &&
    (path === undefined || matchesPath(head.path, path)) &&
    differingParameter(head.query, query) === undefined &&
    Object.entries(headers).every(([name, value]) => hasHeader(head, name, value))
  );
}

/** The name of the first expected parameter that has another value; undefined if there is none. */
export function differingParameter(
  actual: URLSearchParams,
  expected: NonNullable<RequestMatch['query']>,
): string | undefined {
  return Object.entries(expected).find(([name, value]) =>
    value === null ? actual.has(name) : !actual.getAll(name).some((sent) => matchesWildcard(sent, String(value))),
  )?.[0];
}

const matchesStatus = (actual: number | undefined, expected: string): boolean =>
  actual !== undefined && (expected.endsWith('xx') ? String(actual)[0] === expected[0] : String(actual) === expected);

const matchesPath = (path: string, pattern: string): boolean =>
  matchesWildcard(path, pattern) || (path.includes('%') && matchesWildcard(decoded(path), pattern));

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function hasHeader({ headers }: RequestHead, name: string, value: string): boolean {
  const sent = headers[name.toLowerCase()];
  return sent !== undefined && matchesWildcard(String(sent), value);
}

export interface ReceivedRequest extends RoutedRequest {
  readonly req: IncomingMessage;
  readonly querystring: string;
}

/** Reads the body of the request if `match` has one and everything else matches. */
export async function matchesRequest(ctx: ReceivedRequest, match: RequestMatch): Promise<boolean> {
  if (!matchesHead(headOf(ctx), match)) return false;
  return match.body === undefined || jsonIncludes(await bodyOf(ctx), match.body);
}

function headOf(ctx: ReceivedRequest): RequestHead {
  const { method, path, headers } = ctx;
  return {
    method,
    path,
    headers,
    get query() {
      return new URLSearchParams(ctx.querystring);
    },
    get operation() {
      return routeOf(ctx)?.operation.id;
    },
  };
}

/** Undefined if it is not JSON, or larger than the mock accepts; the operation refuses it. */
function bodyOf({ req }: ReceivedRequest): Promise<unknown> {
  const before = bodies.get(req);
  if (before !== undefined) return before;
  const body = readJson(req);
  bodies.set(req, body);
  return body;
}

/** Each rule reads the body. */
const bodies = new WeakMap<IncomingMessage, Promise<unknown>>();

async function readJson(req: IncomingMessage): Promise<unknown> {
  try {
    return parseJson(await readBytes(req));
  } catch {
    return undefined;
  }
}
