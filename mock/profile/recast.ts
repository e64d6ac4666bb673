/** Gives an answer another status, media type and form, and keeps of what it says whatever has room in there. */
import type { Reply } from '../http/reply.ts';
import { isObject } from '../http/json-object.ts';

/** The form of a body. `undefined` in a member's place: whatever it is. Text is no JSON; a scalar is neither a list nor an object. */
export type Form =
  | { readonly is: 'nothing' }
  | { readonly is: 'text' }
  | { readonly is: 'list'; readonly of?: Form }
  | { readonly is: 'scalar' }
  /** Members left out: any object. */
  | { readonly is: 'object'; readonly members?: Readonly<Record<string, Form | undefined>> }
  | { readonly is: 'value'; readonly type: string };

export interface Recast {
  /** Left out: as it was. */
  readonly status?: number;
  /** The media type; left out: as it was. */
  readonly type?: string;
  /** Left out: as it was. */
  readonly form?: Form;
}

export const anyObject = (names: readonly string[]): Form => ({
  is: 'object',
  members: Object.fromEntries(names.map((name) => [name, undefined])),
});

/** `body` is the reply's as data. A stream stays a stream. */
export function recast(reply: Reply, body: unknown, { status = reply.status, type, form }: Recast): Reply {
  const headers = { ...reply.headers, ...(type !== undefined && { 'content-type': type }) };
  if (form === undefined) return { status, headers, body: withCode(body, status) };
  if (form.is === 'nothing') return { status, headers: { ...headers, 'content-type': '' }, body: '' };
  if (form.is === 'text') {
    const isJson = type === undefined && (headers['content-type'] ?? JSON_TYPE).startsWith(JSON_TYPE);
    return { status, headers: { ...headers, ...(isJson && { 'content-type': TEXT }) }, body: plainTextOf(body) };
  }
  return { status, headers, body: JSON.stringify(fitted(form, body, status)) };
}

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';

/** What no reader takes for JSON. */
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
function withCode(body: unknown, status: number): unknown {
  return isObject(body) && typeof body['code'] === 'number' ? { ...body, code: status } : body;
}

/** What an answer says in one text; of a listing, the names. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (!isObject(body)) return JSON.stringify(body) ?? '';
  const { error, files } = body;
  if (isObject(error)) return textOf(error);
  if (Array.isArray(files))
    return [`${String(body['path'])}:`, ...files.map((file: { name: string }) => file.name), ''].join('\n');
  const said = ['output', 'message', 'error', 'id', 'name'].map((name) => body[name]);
  return said.find((text) => typeof text === 'string') ?? JSON.stringify(body);
}

function fitted(form: Form | undefined, body: unknown, status: number): unknown {
  switch (form?.is) {
    case 'object':
      return fittedObject(form.members, body, status);
    case 'list':
      return (Array.isArray(body) ? body : body === undefined ? [] : [body]).map((item) =>
        form.of === undefined ? item : fitted(form.of, item, status),
      );
    case 'scalar':
      return typeof body === 'object' && body !== null ? textOf(body) : (body ?? '');
    case 'value':
      return valueOf(form.type, body);
    default:
      return body ?? '';
  }
}

/** Without members it is any object. A list that stands alone moves into the first member that is to be a list, or else an object. */
function fittedObject(
  members: Readonly<Record<string, Form | undefined>> | undefined,
  body: unknown,
  status: number,
): object {
  if (members === undefined) return isObject(body) ? body : { items: body ?? [] };
  const names = Object.keys(members);
  const homeOf = (is: string) => names.find((name) => members[name]?.is === is);
  const home = homeOf('list') ?? homeOf('object');
  return Object.fromEntries(
    names.map((name) => {
      if (name === 'code' && status >= 400) return [name, status];
      const own = isObject(body) ? body[name] : name === home ? body : undefined;
      return [name, fitted(members[name], own ?? madeUp(name, body), status)];
    }),
  );
}

/** For a member that the mock's answer does not have. */
function madeUp(name: string, body: unknown): unknown {
  if (/^(count|total)$/i.test(name) && Array.isArray(body)) return body.length;
  return name === 'id' && isObject(body) ? body['name'] : undefined;
}

function valueOf(type: string, body: unknown): unknown {
  if (typeof body === type) return body;
  if (type === 'string') return textOf(body);
  return { number: 0, boolean: true }[type] ?? null;
}
