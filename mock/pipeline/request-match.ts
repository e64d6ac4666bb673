/** Whether a rule of `/_mock/faults` or `/_mock/responses` matches a request. */
import type { IncomingMessage } from 'node:http';
import { jsonIncludes } from '../http/json-includes.ts';
import { parseJson } from '../http/parse-json.ts';
import { readBytes } from '../http/read-bytes.ts';
import { matchesWildcard } from '../http/wildcard.ts';
import type { RequestMatch } from './rule-formats.ts';
import { routeOf, type RoutedRequest } from './routes.ts';

export interface MatchableRequest extends RoutedRequest {
  readonly req: IncomingMessage;
}

/** Reads the body of the request if `match` has one. */
export async function matchesRequest(ctx: MatchableRequest, match: RequestMatch): Promise<boolean> {
  const { operation: id, method, path, headers = {}, body } = match;
  return (
    (id === undefined || routeOf(ctx)?.operation.id === id) &&
    (method === undefined || ctx.method === method) &&
    (path === undefined || matchesWildcard(ctx.path, path)) &&
    Object.entries(headers).every(([name, value]) => hasHeader(ctx, name, value)) &&
    (body === undefined || jsonIncludes(await bodyOf(ctx), body))
  );
}

function hasHeader({ headers }: MatchableRequest, name: string, value: string): boolean {
  const sent = headers[name.toLowerCase()];
  return sent !== undefined && matchesWildcard(String(sent), value);
}

/** Undefined if it is not JSON, or larger than the mock accepts; the operation refuses it. */
function bodyOf({ req }: MatchableRequest): Promise<unknown> {
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
