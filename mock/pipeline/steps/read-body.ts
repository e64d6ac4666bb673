/** Reads the body in the format of the operation: JSON of bounded size and depth, a form, or bytes. */
import type { Operation } from '../../../spec/operations.ts';
import { requestLimits } from '../../../spec/formats/mock-limits.ts';
import { requireAtMost } from '../../http/limits.ts';
import { requireState, type Context, type Step } from '../context.ts';
import { decodeUtf8, isJson, parseJson, requireIdentity } from '../../http/parse-json.ts';
import { malformedBody, quote, unsupportedMediaType } from '../../http/problems.ts';
import { readBytes } from '../../http/read-bytes.ts';

const JSON_NAME = 'application/json';
export const FORM_NAME = 'application/x-www-form-urlencoded';
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
  const [takesJson, takesForm] = [bodyTypes.includes(JSON_NAME), bodyTypes.includes(FORM_NAME)];
  if (!takesJson && !takesForm) return bytesOf(ctx);
  const type = ctx.headers['content-type'] || bodyTypes[0] || '';
  if (takesForm && FORM_TYPE.test(type)) return readForm(ctx);
  if (!takesJson || !isJson(type)) throw unsupportedMediaType(type, bodyTypes);
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

function countFields(form: string): number {
  let count = 1;
  for (let at = form.indexOf('&'); at >= 0; at = form.indexOf('&', at + 1)) count++;
  return count;
}

function bytesOf({ req, headers }: Pick<Context, 'req' | 'headers'>, limitBytes?: number): Promise<Buffer> {
  requireIdentity(headers);
  return readBytes(req, limitBytes);
}
