/** Parses the bytes of a body: UTF-8 JSON of bounded depth, or a problem that says what is wrong. */
import type { IncomingHttpHeaders } from 'node:http';
import { requestLimits } from '../../spec/formats/mock-limits.ts';
import { requireAtMost } from './limits.ts';
import { malformedBody, unsupportedEncoding, unsupportedMediaType } from './problems.ts';

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

/** `hasLimitedValues`: false for the bodies of `/_mock` that contain a whole world. */
export function parseJson(
  bytes: Buffer,
  limitDepth: number = requestLimits.jsonDepth.max,
  hasLimitedValues = true,
): unknown {
  if (hasLimitedValues) requireFewValues(bytes, limitDepth);
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

/** Refuses a long body with too many values, or nested too deeply, without parsing it. */
function requireFewValues(bytes: Buffer, limitDepth: number): void {
  const { max } = requestLimits.jsonValues;
  if (bytes.length <= max) return;
  let [values, depth] = [1, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values++;
    else if (byte === BRACKET || byte === BRACE) {
      values++;
      if (++depth > limitDepth + 1) throw depthError(limitDepth);
    } else if (byte === END_BRACKET || byte === END_BRACE) depth--;
    if (values > max) requireAtMost('jsonValues', values, 'the body');
  }
}

function depthError(limitDepth: number): Error {
  return malformedBody(`it is nested deeper than ${limitDepth} levels`);
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE, END_BRACKET, END_BRACE] = Buffer.from('"\\,[{]}');

/** `start`: of its opening quote. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
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
  if (depth > limitDepth) throw depthError(limitDepth);
  if (Array.isArray(value)) for (const item of value) requireSafe(item, limitDepth, depth + 1);
  else if (Object.hasOwn(value, '__proto__')) throw malformedBody('it has a member named __proto__');
  // Parsed JSON has no inherited members. Object.values would create an array for each object.
  else for (const name in value) requireSafe(value[name as keyof typeof value], limitDepth, depth + 1);
}
