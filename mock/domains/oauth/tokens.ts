/** Mints and verifies the JWT access tokens of a world (RFC 9068 in form). */
import { createHmac, sign } from 'node:crypto';
import type { Scope } from '../../../spec/operations.ts';
import { badCredential } from '../../http/problems.ts';
import type { TokenChoices } from '../../state/choices.ts';
import type { Credential } from '../../state/accounts.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { SigningKey } from '../../state/signing-key.ts';

/** What a token says. */
export interface TokenContent {
  readonly caller: string;
  readonly scopes: readonly Scope[];
  readonly workspace: string;
  readonly lifetimeSeconds: number;
  /** The OAuth client it is issued to; absent: the caller itself. */
  readonly client?: string;
  /** Id of the grant it comes from; absent where it comes from none. */
  readonly grant?: string;
}

/** RFC 9068 2.2, and what the service knows a caller by. Times are seconds since 1970. */
interface Claims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly client_id: string;
  readonly scope: string;
  readonly workspace: string;
  readonly account?: string;
  readonly grant?: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
}

/** Expired tokens are dropped from the credentials each time that so many have come. */
const SWEEP_EVERY = 1000;

/** Enters the token into the world's credentials. */
export function mintToken(world: WorldState, content: TokenContent): string {
  const claims = claimsFor(world, content);
  const token = signed(world, claims);
  enter(world, token, claims);
  return token;
}

/** The token enters the credentials when it is first verified. */
export function signToken(world: WorldState, content: TokenContent): string {
  const { alg, claims } = world.choices.tokens;
  // Other claims do not say enough to be verified by, nor is there a public key for another algorithm.
  if (alg !== 'EdDSA' || claims !== undefined) return mintToken(world, content);
  return signed(world, claimsFor(world, content));
}

function claimsFor(world: WorldState, content: TokenContent): Claims {
  const { caller, scopes, workspace, lifetimeSeconds, client = caller, grant } = content;
  const issuedAt = Math.floor(world.clock.now() / 1000);
  const account = world.callers.get(caller)?.account;
  return {
    iss: world.addresses.host,
    aud: world.addresses.management,
    sub: caller,
    client_id: client,
    scope: scopes.join(' '),
    workspace,
    ...(account !== undefined && { account }),
    ...(grant !== undefined && { grant }),
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    jti: world.random.uuid(),
  };
}

/** RFC 7515 7.1, compact. By hand: every start of a mock mints some, and loading jose for that takes 20 ms. */
function signed(world: WorldState, claims: Claims): string {
  const { signingKey, choices } = world;
  const { alg } = choices.tokens;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  // Where the claims leave it out: two tokens must never be one.
  const id = choices.tokens.claims?.includes('jti') === false ? { jti: claims.jti } : {};
  // A secret is in no key set that could be asked for it.
  const key = alg === 'EdDSA' ? { kid: signingKey.id } : {};
  const signedPart = `${part({ alg, typ: 'at+jwt', ...key, ...id })}.${part(selectClaims(claims, choices.tokens.claims))}`;
  return `${signedPart}.${signature(signingKey, alg, signedPart).toString('base64url')}`;
}

/** RFC 8037 for Ed25519, RFC 7518 3.2 for the others. */
function signature({ privateKey }: SigningKey, alg: TokenChoices['alg'], text: string): Buffer {
  if (alg === 'EdDSA') return sign(null, Buffer.from(text), privateKey);
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' });
  return createHmac(`sha${alg.slice('HS'.length)}`, secret)
    .update(text)
    .digest();
}

/** Those of the names that are ours hold what they hold; what others hold is not known. */
function selectClaims(claims: Claims, names: TokenChoices['claims']): object {
  if (names === undefined) return claims;
  const ours = claims as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name, ours[name] ?? '']));
}

/** Throws the problem badCredential for whatever is no live token of this world. */
export async function verifyToken(world: WorldState, token: string): Promise<Credential> {
  const claims = await readToken(world, token);
  if (claims === undefined) throw badCredential('it is neither a known API key nor a live token of this service');
  return enter(world, token, claims);
}

/** Undefined for whatever is no live token of this world. */
export async function readToken(world: WorldState, token: string): Promise<Claims | undefined> {
  const { jwtVerify, errors } = await import('jose'); // Only here: starting a mock does not wait for it.
  try {
    const { payload } = await jwtVerify<Claims>(token, world.signingKey.publicKey, {
      algorithms: ['EdDSA'],
      issuer: world.addresses.host,
      audience: world.addresses.management,
      requiredClaims: ['sub', 'scope', 'workspace', 'exp', 'jti'],
      currentDate: new Date(world.clock.now()),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** After it, tokens with that id, or of the grant with that id, are verified anew. */
export function forgetRevoked({ credentials }: WorldState, id: string): void {
  for (const [token, { revocableAs }] of credentials) if (revocableAs?.includes(id)) credentials.delete(token);
}

function enter(world: WorldState, token: string, { sub, scope, workspace, exp, jti, grant }: Claims): Credential {
  const caller = world.callers.get(sub);
  if (caller === undefined) throw badCredential('its subject is unknown');
  const revocableAs = grant === undefined ? [jti] : [jti, grant];
  if (revocableAs.some((id) => world.oauth.revoked.has(id))) throw badCredential('it is revoked');
  const scopes = scope.split(' ').filter((each) => each !== '') as Scope[];
  const credential: Credential = { kind: 'jwt', caller, scopes, workspace, expiresAt: exp * 1000, revocableAs };
  if (world.credentials.size % SWEEP_EVERY === SWEEP_EVERY - 1) sweep(world);
  world.credentials.set(token, credential);
  return credential;
}

function sweep({ credentials, clock }: WorldState): void {
  const now = clock.now();
  for (const [token, { expiresAt }] of credentials)
    if (expiresAt !== undefined && expiresAt <= now) credentials.delete(token);
}
