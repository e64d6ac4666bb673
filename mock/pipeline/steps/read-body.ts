/** Reads the body in the format of the operation: JSON of bounded size and depth, or a form, perhaps with files. */
import type { Operation } from '../../../spec/operations.ts';
import { requestLimits } from '../../../spec/formats/mock-limits.ts';
import { requireAtMost } from '../../http/limits.ts';
import { requireState, type Context, type Step } from '../context.ts';
import { decodeUtf8, isJson, parseJson, requireIdentity } from '../../http/parse-json.ts';
import { malformedBody, quote, unsupportedMediaType } from '../../http/problems.ts';
import { readBytes } from '../../http/read-bytes.ts';

const JSON_NAME = 'application/json';
export const FORM_NAME = 'application/x-www-form-urlencoded';
const MULTIPART_NAME = 'multipart/form-data';
const MULTIPART_TYPE = /^multipart\/form-data\s*;/i;
export const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

export const readBody: Step = (ctx, next) => {
  const { operation } = requireState(ctx.state.route, 'matchOperation');
  return operation.hasBody ? readThen(ctx, operation, next) : next();
};

async function readThen(ctx: Context, operation: Operation, next: () => Promise<void>): Promise<void> {
  ctx.state.body = await read(ctx, operation);
  await next();
}

/** Undefined if an optional body is absent. Without a Content-Type, the first documented type applies. */
async function read(ctx: Context, { bodyRequired, bodyTypes, surface }: Operation): Promise<unknown> {
  const type = ctx.headers['content-type'] || bodyTypes[0] || '';
  if (bodyTypes.includes(FORM_NAME) && FORM_TYPE.test(type)) return readForm(ctx);
  if (bodyTypes.includes(MULTIPART_NAME) && MULTIPART_TYPE.test(type)) return readMultipart(ctx, type);
  if (!bodyTypes.includes(JSON_NAME) || !isJson(type)) throw unsupportedMediaType(type, bodyTypes);
  const bytes = await bytesOf(ctx, surface === 'management' ? requestLimits.resourceBody.max : undefined);
  return bytes.length === 0 && !bodyRequired ? undefined : parseJson(bytes);
}

/** The fields of a form by name; each may occur once (RFC 6749 3.2). */
export async function readForm(ctx: Pick<Context, 'req' | 'headers'>): Promise<Record<string, string>> {
  const form = new Map<string, string>();
  const text = decodeUtf8(await bytesOf(ctx));
  requireAtMost('formFields', countFields(text), 'the form');
  for (const [name, value] of new URLSearchParams(text)) {
    if (form.has(name)) throw malformedBody(`its field ${quote(name)} occurs more than once`);
    form.set(name, value);
  }
  return Object.fromEntries(form);
}

/** The fields of a form by name; each may occur once. A file is its bytes. */
async function readMultipart(ctx: Context, type: string): Promise<Record<string, string | Buffer>> {
  const bytes = await bytesOf(ctx, requestLimits.uploadBody.max);
  const form = new Map<string, string | Buffer>();
  for (const [name, value] of await parseMultipart(bytes, type)) {
    if (form.has(name)) throw malformedBody(`its field ${quote(name)} occurs more than once`);
    form.set(name, typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()));
  }
  return Object.fromEntries(form);
}

async function parseMultipart(bytes: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  } catch {
    throw malformedBody('it is not multipart/form-data with the boundary of its Content-Type');
  }
}

function countFields(form: string): number {
  let count = 1;
  for (let at = form.indexOf('&'); at >= 0; at = form.indexOf('&', at + 1)) count++;
  return count;
}

function bytesOf({ req, headers }: Pick<Context, 'req' | 'headers'>, limitBytes?: number): Promise<Buffer> {
  requireIdentity(headers);
  return readBytes(req, limitBytes);
}
