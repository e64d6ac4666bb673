/** Mints and verifies the JWT access tokens of a world (RFC 9068 in form); both enter them into its credentials. */
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

/** Loaded on first use: starting a mock does not wait for it. */
const loadJose = () => import('jose');

export async function mintToken(world: World, { caller, scopes, workspace, lifetimeSeconds }: Grant): Promise<string> {
  const { SignJWT } = await loadJose();
  const issuedAt = Math.floor(world.clock.now() / 1000);
  const account = world.callers.get(caller)?.account;
  const token = await new SignJWT({ scope: scopes.join(' '), workspace, account, client_id: caller })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: world.signingKey.id })
    .setIssuer(world.addresses.host)
    .setAudience(world.addresses.management)
    .setSubject(caller)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .setJti(world.random.uuid())
    .sign(world.signingKey.privateKey);
  enter(world, token, { sub: caller, scope: scopes.join(' '), workspace, exp: issuedAt + lifetimeSeconds });
  return token;
}

/** Throws the problem badCredential for whatever is no live token of this world. */
export async function verifyToken(world: World, token: string): Promise<Credential> {
  const { jwtVerify, errors } = await loadJose();
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
