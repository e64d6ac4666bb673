/** A target that is ready to be asked: addresses filled in, credentials read; plain data, so that it can cross threads. */
import type { Surface } from '../../spec/documents.ts';
import type { Allow, CredentialName } from '../../spec/formats/target-values.ts';
import type { KnownResources } from '../../spec/formats/target-file.ts';

export interface Target {
  readonly name: string;
  readonly brand: string;
  /** Without a final slash; a surface without address is not asked. */
  readonly addresses: { readonly [S in Surface]?: string };
  /** The management address behind a proxy; absent where the addresses are the target's own. */
  readonly standsFor?: string;
  readonly workspace?: string;
  /** Absent where the file gives none and none could be read from GET /accounts. */
  readonly account?: string;
  readonly credentials: { readonly [Name in CredentialName]?: Secret } & {
    readonly scoped: Readonly<Record<string, Secret>>;
  };
  readonly client?: OAuthClient;
  readonly resources: KnownResources;
  /** Past; start inclusive, end exclusive. */
  readonly metrics: { readonly window: { readonly start: string; readonly end: string } };
  readonly allow: Allow;
  /** Requests a second; 0: no limit. */
  readonly rate: number;
}

/** A secret and the name of the variable that stands for it in everything we print. */
export interface Secret {
  readonly value: string;
  readonly name: string;
  /** Of a token that the run fetched and that ends. */
  readonly renewal?: Renewal;
}

/** A client that gets tokens for itself (RFC 6749 4.4). */
export interface TokenClient {
  readonly tokenUrl: string;
  readonly id: string;
  readonly secret: Secret;
  readonly scope?: string;
  /** Left out: not known yet. */
  readonly proof?: ClientAuthentication;
}

/** How a client proves itself: HTTP Basic, both parts form-encoded (RFC 6749 2.3.1), or members of the body. */
export type ClientAuthentication = 'basic' | 'post';

export interface Renewal {
  readonly client: TokenClient;
  /** The place of the client in the target file. */
  readonly at: string;
  /** When another token is to be fetched, in milliseconds since the epoch. */
  readonly due: number;
  /** When the token ends, in milliseconds since the epoch. */
  readonly end: number;
}

export interface OAuthClient {
  readonly id: string;
  readonly secret: Secret;
  readonly tokenUrl?: string;
  readonly authorizationUrl?: string;
  readonly redirectUri?: string;
  readonly scopes: readonly string[];
}

/** Its own management address, whether it is asked there or through a proxy: what a ledger is of. */
export const ownAddress = ({ standsFor, addresses }: Target): string => standsFor ?? addresses.management ?? '';

/** Every secret of a target, for whoever must keep them out of what is written. */
export function secretsOf(target: Target): Secret[] {
  const { scoped, ...named } = target.credentials;
  const client = target.client === undefined ? [] : [target.client.secret, basicCredential(target.client)];
  return [...Object.values(named), ...Object.values(scoped), ...client].filter((secret) => secret !== undefined);
}

/** By its form: three parts in base64url; any other token is taken for an API key. */
export const isJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);

/** As a value stands in a form: a space is +, and only letters, digits and `*-._` stand for themselves. */
export const formEncode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/** What stands behind "Basic" in a header (RFC 6749 2.3.1: both parts form-encoded first). */
export function basicCredential({ id, secret }: Pick<OAuthClient, 'id' | 'secret'>): Secret {
  return {
    value: Buffer.from([id, secret.value].map(formEncode).join(':')).toString('base64'),
    name: 'SVC_CLIENT_BASIC',
  };
}

/** The name of the variable for a credential that the file gives without one: admin → SVC_ADMIN_TOKEN. */
export function placeholderName(credential: string): string {
  if (credential === 'apiKey') return 'SVC_API_KEY';
  const words = credential.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return `SVC_${words.toUpperCase()}_TOKEN`;
}
