/** Conditions on JWTs that the mock did not issue, as verifiers that can be deceived would evaluate them. */
import { createHmac, createPublicKey, verify, X509Certificate } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import type { Context } from '../../pipeline/context.ts';
import { all, when, type Condition } from '../conditions.ts';
import { tokenOf, unknownToken } from './conditions.ts';

type Members = Readonly<Record<string, unknown>>;

export interface SentJwt {
  readonly header: Members;
  readonly claims: Members;
  readonly parts: readonly string[];
}

function jwtOf(ctx: Context): SentJwt | undefined {
  const parts = tokenOf(ctx)?.split('.') ?? [];
  const [header, claims] = [membersIn(parts[0]), membersIn(parts[1])];
  return header && claims && { header, claims, parts };
}

function membersIn(part = ''): Members | undefined {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Members;
  } catch {
    return undefined;
  }
}

/** A JWT that was not issued. */
export const forged = (name: string, holds: (jwt: SentJwt, ctx: Context) => boolean): Condition =>
  all(
    unknownToken,
    when(name, (ctx) => {
      const jwt = jwtOf(ctx);
      return jwt !== undefined && holds(jwt, ctx);
    }),
  );

export const issued = (ctx: Context): string[] => [...ctx.state.world.credentials.keys()];

export function isSignedWithSecret({ parts: [header, payload, signature] }: SentJwt, secret: string | Buffer): boolean {
  return createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url') === signature;
}

const publicKeyOf = (ctx: Context): KeyObject =>
  createPublicKey({ key: ctx.state.world.signingKey.publicJwk, format: 'jwk' });

export const pemOf = (ctx: Context): string => publicKeyOf(ctx).export({ type: 'spki', format: 'pem' }).toString();

export const derOf = (ctx: Context): Buffer => publicKeyOf(ctx).export({ type: 'spki', format: 'der' });

/** `keyIn` may throw or return undefined if there is no key. */
function isSignedBy(
  { parts: [header, payload, signature = ''] }: SentJwt,
  keyIn: () => KeyObject | undefined,
): boolean {
  try {
    const key = keyIn();
    const text = Buffer.from(`${header}.${payload}`);
    return key !== undefined && verify(null, text, key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

const keyFrom = (jwk: unknown): KeyObject => createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });

/** As a verifier that trusts the key in the token. */
export const isSignedByEmbeddedKey = (jwt: SentJwt): boolean =>
  isSignedBy(jwt, () => (jwt.header['jwk'] === undefined ? undefined : keyFrom(jwt.header['jwk'])));

/** As a verifier that trusts the certificate in the token. */
export const isSignedByEmbeddedCertificate = (jwt: SentJwt): boolean =>
  isSignedBy(jwt, () => {
    const [first] = (jwt.header['x5c'] ?? []) as string[];
    return first === undefined ? undefined : new X509Certificate(Buffer.from(first, 'base64')).publicKey;
  });

/** As a verifier that reads the key set to which the token points. */
export const isSignedByLinkedKey = (jwt: SentJwt): boolean =>
  isSignedBy(jwt, () => {
    const text = dataAt(jwt.header['jku']);
    const { keys = [] } = (text === undefined ? {} : JSON.parse(text)) as { keys?: readonly Members[] };
    const found = keys.find(({ kid }) => kid === jwt.header['kid']);
    return found && keyFrom(found);
  });

/** As a verifier that reads the certificate to which the token points. */
export const isSignedByLinkedCertificate = (jwt: SentJwt): boolean =>
  isSignedBy(jwt, () => {
    const text = dataAt(jwt.header['x5u']);
    return text === undefined ? undefined : new X509Certificate(text).publicKey;
  });

/** Undefined unless it is a data URL (RFC 2397): nothing is fetched. */
function dataAt(url: unknown): string | undefined {
  const [, data] = /^data:[^,]*;base64,(.*)$/.exec(typeof url === 'string' ? url : '') ?? [];
  return data === undefined ? undefined : Buffer.from(data, 'base64').toString();
}
