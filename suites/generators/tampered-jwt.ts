/**
 * JWTs that were changed after they were issued. Every verifier must reject them (RFC 7515 section 5.2, RFC 8725
 * sections 3.1 and 3.3).
 */
import { fieldsOf } from '../json/fields.ts';
import * as fc from 'fast-check';

/** A token that can be read: three parts, of which the first two are JSON objects. */
export interface Jwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The encoded parts of the token. */
  readonly parts: readonly [header: string, payload: string, signature: string];
}

/** Undefined for anything but a JWT in compact form, such as an API key. */
export function readJwt(token: string): Jwt | undefined {
  const [, header = '', payload = '', signature = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/.exec(token) ?? [];
  const [head, claims] = [objectIn(header), objectIn(payload)];
  if (head === undefined || claims === undefined) return undefined;
  return { header: head, payload: claims, parts: [header, payload, signature] };
}

/** Undefined if the part of a token is no JSON object. */
export function objectIn(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return fieldsOf(value);
  } catch {
    return undefined;
  }
}

/** A part of a token. */
export const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Changes the decoded bytes, because the last character of a part may have unused bits. */
function flipByte(part: string, at: number): string {
  const bytes = Buffer.from(part, 'base64url');
  const index = Math.min(bytes.length - 1, Math.floor(at * bytes.length));
  if (index >= 0) bytes[index] = (bytes[index] ?? 0) ^ 0x55;
  return bytes.toString('base64url');
}

type Tamper = (jwt: Jwt) => string;

const withHeader =
  (over: object, signature?: string): Tamper =>
  ({ header, parts: [, payload, own] }) =>
    `${encoded({ ...header, ...over })}.${payload}.${signature ?? own}`;

const withPayload =
  (over: (payload: Jwt['payload']) => object): Tamper =>
  ({ payload, parts: [header, , signature] }) =>
    `${header}.${encoded({ ...payload, ...over(payload) })}.${signature}`;

const withSignature =
  (change: (signature: string) => string): Tamper =>
  ({ parts: [header, payload, signature] }) =>
    `${header}.${payload}.${change(signature)}`;

const seconds = ({ exp }: Jwt['payload'], later: number): number => (typeof exp === 'number' ? exp : 0) + later;

/** By description. */
export const tamperings: Readonly<Record<string, Tamper>> = {
  'the first byte of the signature changed': withSignature((signature) => flipByte(signature, 0)),
  'a byte in the middle of the signature changed': withSignature((signature) => flipByte(signature, 0.5)),
  'the last byte of the signature changed': withSignature((signature) => flipByte(signature, 1)),
  'half of the signature cut off': withSignature((signature) =>
    signature.slice(0, Math.floor(signature.length / 8) * 4),
  ),
  'four characters added to the signature': withSignature((signature) => `${signature}AAAA`),
  'a fourth part added': withSignature((signature) => `${signature}.AAAA`),
  'a signature of zeros': withSignature((signature) =>
    Buffer.alloc(Buffer.from(signature, 'base64url').length).toString('base64url'),
  ),
  'the signature omitted': withSignature(() => ''),
  'the signature and its dot omitted': ({ parts: [header, payload] }) => `${header}.${payload}`,
  'one more member in the header': withHeader({ assay: true }),
  'an expiry that is an hour later': withPayload((payload) => ({ exp: seconds(payload, 3600) })),
  'an expiry long past': withPayload(() => ({ exp: 1_000_000_000 })),
  'more scopes': withPayload(() => ({ scope: 'admin agents:update', assay: true })),
  'one more member in the payload': withPayload(() => ({ assay: true })),
};

/** The position of the changed byte. */
export interface BytePosition {
  readonly part: 0 | 1 | 2;
  /** From 0, the first byte of the part, to 1, the last. */
  readonly at: number;
}

export const bytePlace: fc.Arbitrary<BytePosition> = fc.record({
  part: fc.constantFrom(0 as const, 1 as const, 2 as const),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** Never the token itself, unless the part is empty. */
export function withByteChanged({ parts }: Jwt, { part, at }: BytePosition): string {
  return parts.map((each, index) => (index === part ? flipByte(each, at) : each)).join('.');
}
