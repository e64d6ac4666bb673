/** Mints and verifies the JWT access tokens of a world (RFC 9068 in form); both enter them into its credentials. */
import { sign } from 'node:crypto';
import type { Scope } from '../../spec/operations.ts';
import { badCredential } from '../problems.ts';
import type { Credential } from '../world/accounts.ts';
import type { World } from '../world/world.ts';

export interface Grant {
  readonly caller: string;
  readonly scopes: readonly Scope[];
  readonly workspace: string;
  readonly lifetimeSeconds: number;
}

interface Claims {
  readonly sub: string;
  readonly scope: string;
  readonly workspace: string;
  readonly exp: number;
}

/** By hand: every start of a mock mints some, and loading jose and Web Crypto for that takes 20 ms. */
export function mintToken(world: World, { caller, scopes, workspace, lifetimeSeconds }: Grant): string {
  const issuedAt = Math.floor(world.clock.now() / 1000);
  const claims = { sub: caller, scope: scopes.join(' '), workspace, exp: issuedAt + lifetimeSeconds };
  const token = signed(world, {
    ...claims,
    account: world.callers.get(caller)?.account,
    client_id: caller,
    iss: world.addresses.host,
    aud: world.addresses.management,
    iat: issuedAt,
    jti: world.random.uuid(),
  });
  enter(world, token, claims);
  return token;
}

/** RFC 7515 7.1, compact; RFC 8037 for Ed25519. */
function signed({ signingKey: { id, privateKey } }: World, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signedPart = `${part({ alg: 'EdDSA', typ: 'at+jwt', kid: id })}.${part(claims)}`;
  return `${signedPart}.${sign(null, Buffer.from(signedPart), privateKey).toString('base64url')}`;
}

/** Throws the problem badCredential for whatever is no live token of this world. */
export async function verifyToken(world: World, token: string): Promise<Credential> {
  const { jwtVerify, errors } = await import('jose'); // Only here: starting a mock does not wait for it.
  try {
    const { payload } = await jwtVerify<Claims>(token, world.signingKey.publicKey, {
      algorithms: ['EdDSA'],
      issuer: world.addresses.host,
      audience: world.addresses.management,
      requiredClaims: ['sub', 'scope', 'workspace', 'exp'],
      currentDate: new Date(world.clock.now()),
    });
    return enter(world, token, payload);
  } catch (error) {
    if (error instanceof errors.JOSEError)
      throw badCredential('it is neither a known API key nor a live token of this service');
    throw error;
  }
}

function enter(world: World, token: string, { sub, scope, workspace, exp }: Claims): Credential {
  const caller = world.callers.get(sub);
  if (caller === undefined) throw badCredential('its subject is unknown');
  const scopes = scope.split(' ') as Scope[];
  const credential: Credential = { kind: 'jwt', caller, scopes, workspace, expiresAt: exp * 1000 };
  world.credentials.set(token, credential);
  return credential;
}
