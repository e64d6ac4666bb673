/**
 * Tokens that the target never issued, made from one that it issued and from the keys that it publishes. Each differs
 * from the issued token in one respect that verifiers have overlooked (RFC 8725 sections 2 and 3).
 */
import { createHmac, createPublicKey } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { encoded } from './tampered-jwt.ts';
import type { Jwt } from './tampered-jwt.ts';
import { ownKeyFor } from './own-key.ts';

/** As in a key set (RFC 7517 section 4). */
export type PublishedKey = JsonWebKey & { readonly kid?: unknown; readonly x5c?: unknown };

export interface Material {
  readonly jwt: Jwt;
  /** The keys with which the target's tokens can be verified. Empty if it publishes none. */
  readonly keys: readonly PublishedKey[];
}

/** Undefined if it cannot be made from this material. */
type Forge = (material: Material) => string | undefined;

const withHeader =
  (over: object, signature?: string): Forge =>
  ({ jwt: { header, parts } }) =>
    [encoded({ ...header, ...over }), parts[1], signature ?? parts[2]].join('.');

const withClaims =
  (over: object): Forge =>
  ({ jwt: { payload, parts } }) =>
    [parts[0], encoded({ ...payload, ...over }), parts[2]].join('.');

/** The issued header and claims, with another signature. */
const withSignature =
  (change: (signature: Buffer) => Buffer): Forge =>
  ({ jwt: { parts } }) =>
    [parts[0], parts[1], change(Buffer.from(parts[2], 'base64url')).toString('base64url')].join('.');

/** Signed with a key of ours, with the algorithm of the issued token. */
const ownSigned =
  (over: (key: ReturnType<typeof ownKeyFor>) => object, claims: object = {}): Forge =>
  ({ jwt: { header, payload, parts } }) => {
    const key = ownKeyFor(header['alg']);
    const body = Object.keys(claims).length === 0 ? parts[1] : encoded({ ...payload, ...claims });
    const signed = `${encoded({ ...header, alg: key.alg, ...over(key) })}.${body}`;
    return `${signed}.${key.sign(signed)}`;
  };

/** Signed with HS256 and a secret that everyone knows. */
const hmacSigned =
  (secret: string | Buffer, over: object = {}): Forge =>
  ({ jwt: { header, parts } }) => {
    const signed = `${encoded({ ...header, alg: 'HS256', ...over })}.${parts[1]}`;
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  };

/** The published key that verifies the token: of its kid, or the only one. */
function verifyingKey({ jwt: { header }, keys }: Material): PublishedKey | undefined {
  return (
    keys.find(({ kid }) => kid !== undefined && kid === header['kid']) ?? (keys.length === 1 ? keys[0] : undefined)
  );
}

/** The secret is made from the key that verifies the token. If that has no such form, from another one, with its kid. */
const fromPublic =
  (secretOf: (key: PublishedKey) => string | Buffer | undefined): Forge =>
  (material) => {
    const own = verifyingKey(material);
    for (const key of own ? [own, ...material.keys] : material.keys) {
      const secret = undefinedIfUnsupported(() => secretOf(key));
      if (secret !== undefined) return hmacSigned(secret, key === own ? {} : { kid: key.kid })(material);
    }
    return undefined;
  };

/** A key can be of a type that this Node does not support. */
function undefinedIfUnsupported<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const publicKeyOf = (key: PublishedKey) => createPublicKey({ key, format: 'jwk' });
const pemOf = (key: PublishedKey): string => publicKeyOf(key).export({ type: 'spki', format: 'pem' }).toString();

/** RSA: the modulus; other types: the point. Undefined for a secret. */
function rawBytesOf({ n, x, y }: PublishedKey): Buffer | undefined {
  const bytes = (part: string) => Buffer.from(part, 'base64url');
  if (n !== undefined) return bytes(n);
  if (x === undefined) return undefined;
  return y === undefined ? bytes(x) : Buffer.concat([Buffer.from([4]), bytes(x), bytes(y)]);
}

function certificateIn({ x5c }: PublishedKey): string | undefined {
  const [first]: unknown[] = Array.isArray(x5c) ? x5c : [];
  if (typeof first !== 'string') return undefined;
  return `-----BEGIN CERTIFICATE-----\n${first.replaceAll(/(.{64})(?!$)/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
}

const jsonUrl = (value: object): string =>
  `data:application/json;base64,${Buffer.from(JSON.stringify(value)).toString('base64')}`;

/** Nobody can have this host (RFC 2606 section 2). */
const RESERVED = 'https://keys.example.invalid';

/** 2100-01-01. */
const FAR_FUTURE_SECONDS = 4_102_444_800;

const publicKeyForgeries: Readonly<Record<string, Forge>> = {
  'signed with HS256 and the public key as PEM': fromPublic(pemOf),
  'signed with HS256 and the public key as PEM without its last line feed': fromPublic((key) => pemOf(key).trim()),
  'signed with HS256 and the public key as PKCS #1 PEM': fromPublic((key) =>
    key.kty === 'RSA' ? publicKeyOf(key).export({ type: 'pkcs1', format: 'pem' }) : undefined,
  ),
  'signed with HS256 and the public key as DER': fromPublic((key) =>
    publicKeyOf(key).export({ type: 'spki', format: 'der' }),
  ),
  'signed with HS256 and the public key as JWK': fromPublic((key) => JSON.stringify(key)),
  'signed with HS256 and the bytes of the public key': fromPublic(rawBytesOf),
  'signed with HS256 and the published certificate as PEM': fromPublic(certificateIn),
};

const OTHER_KID = 'the kid of another key';

/** By description. */
export const forgeries: Readonly<Record<string, Forge>> = {
  'alg none, without a signature': withHeader({ alg: 'none' }, ''),
  'alg None, without a signature': withHeader({ alg: 'None' }, ''),
  'alg NONE, without a signature': withHeader({ alg: 'NONE' }, ''),
  'alg nOnE, without a signature': withHeader({ alg: 'nOnE' }, ''),
  'alg none, the signature kept': withHeader({ alg: 'none' }),
  'alg none, the signature and its dot omitted': (material) => withHeader({ alg: 'none' }, '')(material)?.slice(0, -1),
  'no alg, without a signature': withHeader({ alg: undefined }, ''),
  'without a signature': withSignature(() => Buffer.alloc(0)),
  'with half of its signature': withSignature((signature) => signature.subarray(0, signature.length / 2)),
  'with a signature of zeros': withSignature((signature) => Buffer.alloc(signature.length)),
  'signed with HS256 and an empty secret': hmacSigned(''),
  'signed with HS256 and an empty secret, with an unknown kid': hmacSigned('', { kid: 'assay' }),
  ...publicKeyForgeries,
  'signed with another key': ownSigned(() => ({})),
  'signed with another key, without a kid': (material) =>
    material.jwt.header['kid'] === undefined ? undefined : ownSigned(() => ({ kid: undefined }))(material),
  'signed with another key, with an unknown kid': ownSigned(() => ({ kid: 'assay' })),
  'signed with another key, in jwk': ownSigned(({ jwk }) => ({ jwk })),
  'signed with another key, in x5c': ownSigned(({ certificate }) => ({ x5c: [certificate] })),
  'signed with another key, behind jku': ownSigned(({ jwk, alg }) => ({
    kid: 'assay',
    jku: jsonUrl({ keys: [{ ...jwk, kid: 'assay', use: 'sig', alg }] }),
  })),
  'signed with another key, behind x5u': ownSigned(({ certificate }) => ({
    x5u: `data:application/pem-certificate-chain;base64,${Buffer.from(
      `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
    ).toString('base64')}`,
  })),
  'signed with another key, behind a jku that does not exist': ownSigned(() => ({ jku: `${RESERVED}/jwks.json` })),
  'signed with another key, behind an x5u that does not exist': ownSigned(() => ({ x5u: `${RESERVED}/chain.pem` })),
  'signed with another key, of another issuer': ownSigned(() => ({}), { iss: RESERVED }),
  'an unknown kid': withHeader({ kid: 'assay' }),
  [OTHER_KID]: (material) => {
    const { kid: own } = material.jwt.header;
    const other = material.keys.find(({ kid }) => typeof kid === 'string' && kid !== own);
    return other && withHeader({ kid: other.kid })(material);
  },
  'another issuer': withClaims({ iss: RESERVED }),
  'another audience': withClaims({ aud: RESERVED }),
  'another token type': withHeader({ typ: 'assay+jwt' }),
  'a critical header parameter that nobody knows': withHeader({ crit: ['assay'], assay: true }),
  'valid in the future only': withClaims({ nbf: FAR_FUTURE_SECONDS }),
  'another subject': withClaims({ sub: 'assay' }),
};

/** Whether it is made from the keys that the target publishes. */
export const needsPublishedKeys = (name: string): boolean =>
  name === OTHER_KID || Object.hasOwn(publicKeyForgeries, name);

/** A proxy may refuse longer headers for their length, unless the issued token is as long. */
const MAX_LENGTH = 6000;

/** Undefined if it cannot be made, or if it might be refused for its length. */
export function forgedToken(name: string, material: Material): string | undefined {
  const token = forgeries[name]?.(material);
  const issuedLength = material.jwt.parts.join('.').length;
  return token !== undefined && token.length <= Math.max(MAX_LENGTH, issuedLength) ? token : undefined;
}
