/** Mints and verifies the JWT access tokens of a world (format: RFC 9068). */
import { createHmac, createPublicKey, sign } from 'node:crypto';
import type { Scope } from '../../../spec/operations.ts';
import { requireWithin } from '../../http/limits.ts';
import { badCredential } from '../../http/problems.ts';
import type { TokenChoices } from '../../state/choices.ts';
import type { Credential } from '../../state/accounts.ts';
import { MAX_TOKEN_ISSUERS, type TokenIssuer } from '../../state/oauth.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { SigningKey } from '../../state/signing-key.ts';

/** The content of a token. */
export interface TokenContent {
  readonly caller: string;
  readonly scopes: readonly Scope[];
  readonly workspace: string;
  readonly lifetimeSeconds: number;
  /** The OAuth client it is issued to. Default: the caller. */
  readonly client?: string;
  /** Id of its grant, if any. */
  readonly grant?: string;
  /** Default: the address of the world. */
  readonly issuer?: string;
}

/** RFC 9068 2.2, plus workspace and account. Times are seconds since 1970. */
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

/** Expired tokens are removed from the credentials each time this many were added. */
const SWEEP_EVERY = 1000;

/** Adds the token to the world's credentials. */
export function mintToken(world: WorldState, content: TokenContent): string {
  const claims = claimsFor(world, content);
  const token = signed(world, claims);
  requireRoomForToken(world);
  enter(world, token, claims);
  return token;
}

/** The token is added to the credentials when it is first verified. */
export function signToken(world: WorldState, content: TokenContent): string {
  const { alg, claims } = world.choices.tokens;
  // Other claims are not enough to verify a token, and other algorithms have no public key.
  if (alg !== 'EdDSA' || claims !== undefined) return mintToken(world, content);
  return signed(world, claimsFor(world, content));
}

function claimsFor(world: WorldState, content: TokenContent): Claims {
  const { caller, scopes, workspace, lifetimeSeconds, client = caller, grant, issuer = world.addresses.host } = content;
  const issuedAt = Math.floor(world.clock.now() / 1000);
  const account = world.callers.get(caller)?.account;
  return {
    iss: issuer,
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

/** RFC 7515 7.1, compact. Without jose: every mock mints tokens when it starts, and loading jose takes 20 ms. */
function signed(world: WorldState, claims: Claims): string {
  const { signingKey, choices } = world;
  noteIssuer(world);
  const { alg } = choices.tokens;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  // If the claims lack the jti, it goes into the header, so that no two tokens are equal.
  const id = choices.tokens.claims?.includes('jti') === false ? { jti: claims.jti } : {};
  // A secret is not in the key set, so it has no key id.
  const key = alg === 'EdDSA' ? { kid: signingKey.id } : {};
  const signedPart = `${part({ alg, typ: 'at+jwt', ...key, ...id })}.${part(selectClaims(claims, choices.tokens.claims))}`;
  return `${signedPart}.${signature(signingKey, alg, signedPart).toString('base64url')}`;
}

function ownIssuer({ addresses, signingKey }: WorldState): TokenIssuer {
  return { audience: addresses.management, publicKey: signingKey.publicJwk.x ?? '' };
}

/** Only when a token is signed, so that restoring a snapshot changes nothing in it. */
function noteIssuer(world: WorldState): void {
  const { tokenIssuers } = world;
  const own = ownIssuer(world);
  if (tokenIssuers.some((each) => isSameIssuer(each, own))) return;
  tokenIssuers.push(own);
  if (tokenIssuers.length > MAX_TOKEN_ISSUERS) tokenIssuers.shift();
}

function isSameIssuer(one: TokenIssuer, other: TokenIssuer): boolean {
  return one.audience === other.audience && one.publicKey === other.publicKey;
}

/** RFC 8037 for Ed25519, RFC 7518 3.2 for the others. */
function signature({ privateKey }: SigningKey, alg: TokenChoices['alg'], text: string): Buffer {
  if (alg === 'EdDSA') return sign(null, Buffer.from(text), privateKey);
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' });
  return createHmac(`sha${alg.slice('HS'.length)}`, secret)
    .update(text)
    .digest();
}

/** The claims of these names; unknown ones are empty. */
function selectClaims(claims: Claims, names: TokenChoices['claims']): object {
  if (names === undefined) return claims;
  const ours = claims as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name, ours[name] ?? '']));
}

/** Throws badCredential unless it is a valid token of this world. */
export async function verifyToken(world: WorldState, token: string): Promise<Credential> {
  const claims = await readToken(world, token);
  if (claims === undefined) throw badCredential('it is neither a known API key nor a valid token of this service');
  return enter(world, token, claims);
}

/** Undefined unless it is a valid token of this world, or of one whose snapshot was restored in it. */
export async function readToken(world: WorldState, token: string): Promise<Claims | undefined> {
  if (!isCanonical(token)) return undefined;
  const own = ownIssuer(world);
  for (const issuer of [own, ...world.tokenIssuers.filter((each) => !isSameIssuer(each, own))]) {
    const claims = await readTokenOf(issuer, world, token);
    if (claims !== undefined) return claims;
  }
  return undefined;
}

/** RFC 7515 section 2: without padding and whitespace. jose also accepts both, and other unused bits, in a signature. */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

async function readTokenOf(
  { audience, publicKey }: TokenIssuer,
  world: WorldState,
  token: string,
): Promise<Claims | undefined> {
  const { jwtVerify, errors } = await import('jose'); // Only here: starting a mock does not wait for it.
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey };
  try {
    const { payload } = await jwtVerify<Claims>(token, createPublicKey({ key: jwk, format: 'jwk' }), {
      algorithms: ['EdDSA'],
      audience,
      requiredClaims: ['iss', 'sub', 'scope', 'workspace', 'exp', 'jti'],
      currentDate: new Date(world.clock.now()),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** Removes the tokens with that id or of that grant, so that they are verified again. */
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
  const { credentials, limits } = world;
  if (credentials.size % SWEEP_EVERY === SWEEP_EVERY - 1) sweep(world);
  // One that does not fit is verified again for each request.
  if (credentials.size < limits.tokens) credentials.set(token, credential);
  return credential;
}

/** Throws a problem if there are too many live tokens and keys. */
export function requireRoomForToken(world: WorldState): void {
  const { credentials, limits } = world;
  if (credentials.size >= limits.tokens) sweep(world);
  requireWithin(limits, 'tokens', credentials.size + 1);
}

function sweep({ credentials, clock }: WorldState): void {
  const now = clock.now();
  for (const [token, { expiresAt }] of credentials)
    if (expiresAt !== undefined && expiresAt <= now) credentials.delete(token);
}
