/** Gives a reply another status, media type and body shape, and keeps as much of its content as the shape has room for. */
import type { BodyShape, ObservedResponse } from '../../spec/observations/response-kinds.ts';
import type { Reply } from '../http/reply.ts';
import { isObject } from '../../spec/json-object.ts';

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';

/** `body` is the reply's, as data. */
export function changeReply(reply: Reply, body: unknown, as: Partial<ObservedResponse>): Reply {
  const { status = reply.status, mediaType, body: shape } = as;
  const headers = { ...reply.headers, ...(mediaType !== undefined && { 'content-type': mediaType ?? '' }) };
  if (shape === undefined) return { status, headers, body: withCode(body, status) };
  if (shape === 'nothing') return { status, headers: { ...headers, 'content-type': mediaType ?? '' }, body: '' };
  if (shape !== 'text') return { status, headers, body: JSON.stringify(fit(shape, body, status)) };
  const isJson = mediaType === undefined && (headers['content-type'] ?? JSON_TYPE).startsWith(JSON_TYPE);
  return { status, headers: { ...headers, ...(isJson && { 'content-type': TEXT }) }, body: plainTextOf(body) };
}

/** Text that no reader parses as JSON. */
function plainTextOf(body: unknown): string {
  const text = textOf(body);
  try {
    JSON.parse(text);
  } catch {
    return text || 'Nothing.';
  }
  return `Text: ${text}`;
}

/** A code in an error body is the status (errors.management.code-is-the-status). */
const withCode = (body: unknown, status: number): unknown =>
  isObject(body) && typeof body['code'] === 'number' ? { ...body, code: status } : body;

/** A body in one text; of a listing, the names. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (!isObject(body)) return JSON.stringify(body) ?? '';
  const { error, files } = body;
  if (isObject(error)) return textOf(error);
  if (Array.isArray(files))
    return [`${String(body['path'])}:`, ...files.map((file: { name: string }) => file.name), ''].join('\n');
  const texts = ['output', 'message', 'error', 'id', 'name'].map((name) => body[name]);
  return texts.find((text) => typeof text === 'string') ?? JSON.stringify(body);
}

function fit(shape: BodyShape, body: unknown, status: number): unknown {
  if (typeof shape !== 'string')
    return 'object' in shape
      ? fitObject(shape.object, body, status)
      : toList(body).map((item) => fit(shape.list, item, status));
  switch (shape) {
    case 'object':
      return isObject(body) ? body : { items: body ?? [] };
    case 'list':
      return toList(body);
    case 'scalar':
      return typeof body === 'object' && body !== null ? textOf(body) : (body ?? '');
    case 'any':
      return body ?? '';
    case 'string':
      return textOf(body);
    default:
      return typeof body === shape ? body : ({ number: 0, boolean: true }[shape as string] ?? null);
  }
}

const toList = (body: unknown): unknown[] => (Array.isArray(body) ? body : body === undefined ? [] : [body]);

/** A list that is the whole body moves into the first member that is a list, or else an object. */
function fitObject(members: Readonly<Record<string, BodyShape>>, body: unknown, status: number): object {
  const homeOf = (kind: 'list' | 'object') =>
    Object.keys(members).find((name) => members[name] === kind || (isObject(members[name]) && kind in members[name]));
  const home = homeOf('list') ?? homeOf('object');
  return Object.fromEntries(
    Object.entries(members).map(([name, shape]) => {
      if (name === 'code' && status >= 400) return [name, status];
      const own = isObject(body) ? body[name] : name === home ? body : undefined;
      return [name, fit(shape, own ?? substituteFor(name, body), status)];
    }),
  );
}

/** For a member that the mock's reply does not have. */
function substituteFor(name: string, body: unknown): unknown {
  if (/^(count|total)$/i.test(name) && Array.isArray(body)) return body.length;
  return name === 'id' && isObject(body) ? body['name'] : undefined;
}
