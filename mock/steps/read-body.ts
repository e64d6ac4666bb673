/** Settles the body: UTF-8 JSON of bounded size and depth, or a clear refusal. */
import readRaw from 'raw-body';
import type { Operation } from '../../spec/operations.ts';
import { settled, type Context, type Step } from '../context.ts';
import { bodyTooLarge, malformedBody, unsupportedEncoding, unsupportedMediaType } from '../problems.ts';

const LIMIT_BYTES = 5 * 1024 * 1024;
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
async function read(ctx: Context, { bodyRequired, bodyType }: Operation): Promise<unknown> {
  if (bodyType !== 'application/json') return readBytes(ctx);
  const type = ctx.headers['content-type'] ?? '';
  if (type !== '' && !JSON_TYPE.test(type)) throw unsupportedMediaType(type);
  const text = decode(await readBytes(ctx));
  return text === '' && !bodyRequired ? undefined : parse(text);
}

function readBytes(ctx: Context): Promise<Buffer> {
  const encoding = ctx.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw unsupportedEncoding(encoding);
  return readRaw(ctx.req, { length: ctx.headers['content-length'] ?? null, limit: LIMIT_BYTES }).catch(refused);
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformedBody('it is not UTF-8');
  }
}

function refused(error: Error & { type?: string }): never {
  throw error.type === 'entity.too.large' ? bodyTooLarge(LIMIT_BYTES) : malformedBody(error.message);
}

function parse(text: string): unknown {
  if (text.trim() === '') throw malformedBody('it is empty');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformedBody(`it is not JSON (${(error as SyntaxError).message})`);
  }
  refuseOdd(value);
  return value;
}

/** Depth is bounded for whatever recurses later; a member named __proto__ is harmless here and a trap further on. */
function refuseOdd(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > LIMIT_DEPTH) throw malformedBody(`it is nested deeper than ${LIMIT_DEPTH} levels`);
    level = level.flatMap(membersOf);
  }
}

function membersOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Object.hasOwn(value, '__proto__')) throw malformedBody('it has a member named __proto__');
  return Object.values(value).filter((member) => typeof member === 'object');
}
