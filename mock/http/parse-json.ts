/** Parses the bytes of a body: UTF-8 JSON of bounded depth, or a problem that says what is wrong. */
import type { IncomingHttpHeaders } from 'node:http';
import { malformedBody, unsupportedEncoding, unsupportedMediaType } from './problems.ts';

const LIMIT_DEPTH = 64;
const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Throws unsupportedEncoding if the body is compressed. */
export function requireIdentity({ 'content-encoding': encoding }: IncomingHttpHeaders): void {
  if (encoding !== undefined && encoding !== 'identity') throw unsupportedEncoding(encoding);
}

/** Throws unsupportedMediaType for another content type; a missing one counts as JSON. */
export function requireJson({ 'content-type': type = '' }: IncomingHttpHeaders): void {
  if (type !== '' && !isJson(type)) throw unsupportedMediaType(type, ['application/json']);
}

export function isJson(type: string): boolean {
  return JSON_TYPE.test(type);
}

export function parseJson(bytes: Buffer, limitDepth = LIMIT_DEPTH): unknown {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') throw malformedBody('it is empty');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformedBody(`it is not JSON (${(error as SyntaxError).message})`);
  }
  requireSafe(value, limitDepth);
  return value;
}

export function decodeUtf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformedBody('it is not UTF-8');
  }
}

/** Bounds the depth for code that recurses later. A member named __proto__ is harmless here but not where objects are merged. */
function requireSafe(value: unknown, limitDepth: number, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > limitDepth) throw malformedBody(`it is nested deeper than ${limitDepth} levels`);
  if (Object.hasOwn(value, '__proto__')) throw malformedBody('it has a member named __proto__');
  for (const member of Object.values(value)) requireSafe(member, limitDepth, depth + 1);
}
