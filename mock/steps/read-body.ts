/** Settles the body: UTF-8 JSON of bounded size and depth, a form, or bytes, as the operation takes it; or a clear refusal. */
import type { Operation } from '../../spec/operations.ts';
import { readBytes } from '../read-bytes.ts';
import { settled, type Context, type Step } from '../context.ts';
import { malformedBody, quote, unsupportedEncoding, unsupportedMediaType } from '../problems.ts';

const LIMIT_DEPTH = 64;
const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;
const JSON_NAME = 'application/json';
export const FORM_NAME = 'application/x-www-form-urlencoded';
export const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const decoder = new TextDecoder('utf-8', { fatal: true });

export const readBody: Step = (ctx, next) => {
  const { operation } = settled(ctx.state.route, 'matchOperation');
  return operation.hasBody ? readThen(ctx, operation, next) : next();
};

async function readThen(ctx: Context, operation: Operation, next: () => Promise<void>): Promise<void> {
  ctx.state.body = await read(ctx, operation);
  await next();
}

/** Undefined where a body may be left out and is. Without a Content-Type the body is of the type that the documents name first. */
async function read(ctx: Context, { bodyRequired, bodyTypes }: Operation): Promise<unknown> {
  const [takesJson, takesForm] = [bodyTypes.includes(JSON_NAME), bodyTypes.includes(FORM_NAME)];
  if (!takesJson && !takesForm) return bytesOf(ctx);
  const type = ctx.headers['content-type'] || bodyTypes[0] || '';
  if (takesForm && FORM_TYPE.test(type)) return readForm(ctx);
  if (!takesJson || !JSON_TYPE.test(type)) throw unsupportedMediaType(type, bodyTypes);
  const text = decode(await bytesOf(ctx));
  return text === '' && !bodyRequired ? undefined : parse(text);
}

/** The fields of a form by name; each may be there once (RFC 6749 3.2). */
export async function readForm(ctx: Pick<Context, 'req' | 'headers'>): Promise<Record<string, string>> {
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(decode(await bytesOf(ctx)))) {
    if (form.has(name)) throw malformedBody(`its field ${quote(name)} is there more than once`);
    form.set(name, value);
  }
  return Object.fromEntries(form);
}

function bytesOf({ req, headers }: Pick<Context, 'req' | 'headers'>): Promise<Buffer> {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw unsupportedEncoding(encoding);
  return readBytes(req);
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformedBody('it is not UTF-8');
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') throw malformedBody('it is empty');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformedBody(`it is not JSON (${(error as SyntaxError).message})`);
  }
  refuseOdd(value, 0);
  return value;
}

/** Depth is bounded for whatever recurses later; a member named __proto__ is harmless here and a trap further on. */
function refuseOdd(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > LIMIT_DEPTH) throw malformedBody(`it is nested deeper than ${LIMIT_DEPTH} levels`);
  if (Object.hasOwn(value, '__proto__')) throw malformedBody('it has a member named __proto__');
  for (const member of Object.values(value)) refuseOdd(member, depth + 1);
}
