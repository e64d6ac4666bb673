/** Settles the body: UTF-8 JSON of bounded size and depth, or a clear refusal. */
import type { Operation } from '../../spec/operations.ts';
import { readBytes } from '../read-bytes.ts';
import { settled, type Context, type Step } from '../context.ts';
import { malformedBody, unsupportedEncoding, unsupportedMediaType } from '../problems.ts';

const LIMIT_DEPTH = 64;
const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;
const decoder = new TextDecoder('utf-8', { fatal: true });

export const readBody: Step = (ctx, next) => {
  const { operation } = settled(ctx.state.route, 'matchOperation');
  return operation.hasBody ? readThen(ctx, operation, next) : next();
};

async function readThen(ctx: Context, operation: Operation, next: () => Promise<void>): Promise<void> {
  ctx.state.body = await read(ctx, operation);
  await next();
}

/** Undefined where a body may be left out and is. */
async function read({ req, headers }: Context, { bodyRequired, bodyType }: Operation): Promise<unknown> {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw unsupportedEncoding(encoding);
  if (bodyType !== 'application/json') return readBytes(req);
  const type = headers['content-type'] ?? '';
  if (type !== '' && !JSON_TYPE.test(type)) throw unsupportedMediaType(type);
  const text = decode(await readBytes(req));
  return text === '' && !bodyRequired ? undefined : parse(text);
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
