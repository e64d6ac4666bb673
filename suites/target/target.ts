/** A target ready for requests: addresses completed, credentials read. Plain data, so that it can be passed between threads. */
import type { OperationId } from '../../spec/generated/types.ts';
import type { Surface } from '../../spec/openapi-document.ts';
import type { Allow, CredentialName } from '../../spec/formats/target-values.ts';
import type { KnownResources, Samples, TlsSettings } from '../../spec/formats/target-file.ts';

export interface Target {
  readonly name: string;
  readonly brand: string;
  /** Without a trailing slash. A surface without an address gets no requests. */
  readonly addresses: { readonly [S in Surface]?: string };
  /** The management address behind a proxy. Absent if the addresses are the target's own. */
  readonly standsFor?: string;
  readonly workspace?: string;
  /** Absent if the file has none and none could be read from GET /accounts. */
  readonly account?: string;
  /** Whether GET /accounts lists the account. Absent if only the file says that it exists. */
  readonly isAccountListed?: true;
  /** Why there is no account, such as "GET /accounts returned 500". Absent if there is one, or nothing was sent. */
  readonly accountObstacle?: string;
  readonly credentials: { readonly [Name in CredentialName]?: Secret } & {
    readonly scoped: Readonly<Record<string, Secret>>;
  };
  readonly client?: OAuthClient;
  readonly resources: KnownResources;
  /** Those that it has, as its user declared. Absent: all documented ones. */
  readonly operations?: readonly OperationId[];
  /** Values that it is known to accept. Made-up ones are sent in place of absent ones. */
  readonly samples: Omit<Samples, 'connectionSecrets'> & {
    /** Parts of the secret of a connection, by integration and key. */
    readonly connectionSecrets?: Readonly<Record<string, Readonly<Record<string, Secret>>>>;
  };
  /** Past; start inclusive, end exclusive. */
  readonly metrics: { readonly window: { readonly start: string; readonly end: string } };
  readonly allow: Allow;
  /** Requests a second; 0: no limit. */
  readonly rate: number;
  /** PEM texts. */
  readonly tls?: TlsSettings;
}

/** A secret and the name of the variable that replaces it in all output. */
export interface Secret {
  readonly value: string;
  readonly name: string;
  /** Present if the value is in the target file, not in a variable. */
  readonly isLiteral?: true;
  /** Present for a token that the run fetched. */
  readonly client?: TokenClient;
  /** Present for a token that the run fetched and that expires. */
  readonly renewal?: Renewal;
}

/** How messages name a secret: by its variable, or by its place in the target file if it has none. */
export const sourceOf = ({ name, isLiteral, client }: Secret, place: string): string =>
  isLiteral === true || client !== undefined ? place : name;

/** A client for the client credentials grant (RFC 6749 section 4.4). */
export interface TokenClient {
  readonly tokenUrl: string;
  readonly id: string;
  readonly secret: Secret;
  readonly scope?: string;
  /** Of the token request, next to those of RFC 6749. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Omitted if not known yet. */
  readonly method?: ClientAuthentication;
}

/** How a client authenticates: HTTP Basic with both parts form-encoded (RFC 6749 section 2.3.1), or in the body. */
export type ClientAuthentication = 'basic' | 'post';

export interface Renewal {
  readonly client: TokenClient;
  /** The place of the client in the target file. */
  readonly at: string;
  /** When to fetch another token, in milliseconds since the epoch. */
  readonly due: number;
  /** When the token expires, in milliseconds since the epoch. */
  readonly end: number;
}

export interface OAuthClient {
  readonly id: string;
  readonly secret: Secret;
  readonly tokenUrl?: string;
  readonly authorizationUrl?: string;
  readonly redirectUri?: string;
  readonly scopes: readonly string[];
  /** Of token requests that are not for a code or a refresh token, next to those of RFC 6749. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The target's own management address, even behind a proxy. Identifies the target in a ledger. */
export const ownAddress = ({ standsFor, addresses }: Target): string => standsFor ?? addresses.management ?? '';

/** Every secret of a target, for redaction. */
export function secretsOf(target: Target): Secret[] {
  const { scoped, ...named } = target.credentials;
  const credentials = [...Object.values(named), ...Object.values(scoped)];
  const clients = credentials.flatMap(({ client: each }) =>
    each === undefined ? [] : [each.secret, basicCredential(each)],
  );
  const client = target.client === undefined ? [] : [target.client.secret, basicCredential(target.client)];
  const samples = Object.values(target.samples.connectionSecrets ?? {}).flatMap((secrets) => Object.values(secrets));
  const key = target.tls?.key === undefined ? [] : [{ value: target.tls.key.trim(), name: 'SVC_TLS_KEY' }];
  return [...credentials, ...clients, ...client, ...samples, ...key];
}

/** Recognized by its three base64url parts. Any other token is treated as an API key. */
export const isJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);

/** Form encoding: a space is +, and only letters, digits and `*-._` are literal. */
export const formEncode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/** The value after "Basic" in a header (RFC 6749 section 2.3.1: both parts are form-encoded first). */
export function basicCredential({ id, secret }: Pick<OAuthClient, 'id' | 'secret'>): Secret {
  return {
    value: Buffer.from([id, secret.value].map(formEncode).join(':')).toString('base64'),
    name: 'SVC_CLIENT_BASIC',
  };
}

/** As servers expect it that do not decode both parts. The same for an id and a secret of unreserved characters. */
export const unencodedCredential = ({ id, secret }: Pick<OAuthClient, 'id' | 'secret'>): string =>
  Buffer.from(`${id}:${secret.value}`).toString('base64');

/** The variable name of a credential that has none in the file: admin → SVC_ADMIN_TOKEN. */
export function placeholderName(credential: string): string {
  if (credential === 'apiKey') return 'SVC_API_KEY';
  const words = credential.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return `SVC_${words.toUpperCase()}_TOKEN`;
}
