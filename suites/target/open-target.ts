/**
 * Prepares a target file for requests: reads secrets, completes addresses, looks up the account and checks that the
 * target responds.
 */
import type { CredentialName } from '../../spec/formats/target-values.ts';
import type {
  ClientCredentials,
  CredentialSource,
  OAuthClientFile,
  SecretSource,
  TargetFile,
} from '../../spec/formats/target-file.ts';
import { credentialNames } from '../../spec/formats/target-values.ts';
import { DEFAULT_BRAND } from '../../spec/brand.ts';
import { readAccount, type AccessWarning } from './account.ts';
import { readVariable, type Environment } from './environment.ts';
import { declaredOperations } from '../../spec/operation-names.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { clientCredential, headerCredential, describeVariable } from '../../spec/formats/secrets.ts';
import type { SecretForm } from '../../spec/formats/secrets.ts';
import { findRefusedCredentials, requireAcceptedCredential } from './refused-credentials.ts';
import { MIN_SECRET_LENGTH, redactionOf } from './redaction.ts';
import { placeholderName, secretsOf } from './target.ts';
import type { OAuthClient, Secret, Target, TokenClient } from './target.ts';
import { secureContextOf } from './tls-settings.ts';
import { fetchToken } from './token.ts';
import type { Token } from './token.ts';
import { createTransport, HarnessError, INTERRUPTED } from './transport.ts';
import { requireCorrectAddress } from './wrong-address.ts';

/** Longer than a conforming target takes (30 s), and shorter than other responses may take, because nothing else has begun. */
const PROBE_DEADLINE_SECONDS = 40;

export interface OpenOptions {
  /** Called with a sentence for each suspicious response. */
  warn?: (sentence: string) => void;
  /**
   * Whether `warn` is called for each wrong credential, not only for the strongest one, with one request each; and if the
   * list of accounts shows none.
   */
  checksCredentials?: boolean;
  /** Whether InvalidInput is thrown if nothing of the API responds at the management address: a few requests if it may be. */
  checksAddress?: boolean;
  /** Ends the requests: then HarnessError is thrown. */
  interrupted?: AbortSignal;
}

/**
 * Throws InvalidInput if a variable of the file is not set, the address is wrong or every credential is refused, HarnessError if
 * the target does not respond or a token cannot be fetched.
 */
export async function openTarget(
  file: TargetFile,
  environment: Environment,
  { warn, interrupted, checksCredentials = false, checksAddress = false }: OpenOptions = {},
): Promise<Target> {
  const transport = createTransport({
    rate: file.rate ?? 0,
    deadlineSeconds: PROBE_DEADLINE_SECONDS,
    secureContext: secureContextOf(file.tls),
  });
  interrupted?.addEventListener('abort', transport.stop);
  if (interrupted?.aborted === true) transport.stop();
  try {
    const target = await readTarget(file, environment, (client, at) => fetchToken(client, at, transport));
    for (const { value, name } of secretsOf(target))
      if (value.length < MIN_SECRET_LENGTH)
        warn?.(`${name} has fewer than ${MIN_SECRET_LENGTH} characters, so it is not hidden in what the run writes.`);
    const ofAccount: AccessWarning[] = [];
    // Also shows whether anything listens.
    const found = await readAccount(target, transport, (warning) => ofAccount.push(warning)).catch((error: unknown) =>
      throwRedacted(error, target),
    );
    if (interrupted?.aborted === true) throw new HarnessError(INTERRUPTED);
    const complete = { ...target, ...found };
    if (checksAddress) await requireCorrectAddress(target, ofAccount, transport);
    const warnings = checksCredentials ? await findRefusedCredentials(complete, ofAccount, transport) : ofAccount;
    if (checksCredentials) await requireAcceptedCredential(complete, warnings, transport);
    for (const { sentence, hasNone } of warnings) if (checksCredentials || hasNone !== true) warn?.(sentence);
    return complete;
  } finally {
    interrupted?.removeEventListener('abort', transport.stop);
    await transport.close();
  }
}

/** The message names a path, which may contain what the target sent. */
function throwRedacted(error: unknown, target: Target): never {
  if (!(error instanceof HarnessError)) throw error;
  throw new HarnessError(redactionOf(target).text(error.message), { cause: error.cause, proxy: error.proxy });
}

/** Has three parts like a JWT. */
const PENDING_TOKEN = 'a.b.c';

/** The target as far as it is known without sending requests: tokens and the account may be missing. */
export const describeTarget = (file: TargetFile, environment: Environment): Promise<Target> =>
  readTarget(file, environment, async () => ({ value: PENDING_TOKEN }));

/** Returns a token for the client at a place of the file. */
type TokenSource = (client: TokenClient, at: string) => Promise<Token>;

/** Prepares what is known without sending requests. Throws InvalidInput if a variable of the file is not set. */
export async function readTarget(file: TargetFile, environment: Environment, tokenOf: TokenSource): Promise<Target> {
  const credentials = await readCredentials(file, environment, tokenOf);
  const addresses = { host: withoutLastSegment(file.addresses.management), ...file.addresses };
  return {
    name: file.name ?? new URL(file.addresses.management).host,
    brand: file.brand ?? DEFAULT_BRAND,
    addresses,
    ...(file.standsFor === undefined ? {} : { standsFor: file.standsFor }),
    ...(file.workspace === undefined ? {} : { workspace: file.workspace }),
    ...(file.account === undefined ? {} : { account: file.account }),
    credentials,
    ...(file.client === undefined ? {} : { client: oauthClient(file.client, addresses.host, environment) }),
    resources: file.resources ?? {},
    ...(file.operations === undefined ? {} : { operations: declaredOperations(file.operations) }),
    samples: samplesOf(file, environment),
    metrics: file.metrics ?? { window: lastWholeDays(30, Date.now()) },
    allow: file.allow ?? 'read',
    rate: file.rate ?? 0,
    ...(file.tls === undefined ? {} : { tls: file.tls }),
  };
}

/** The default address of the host surface. */
export function withoutLastSegment(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.slice(0, Math.max(0, pathname.lastIndexOf('/')));
}

/** Ends three days ago at midnight (UTC): records that reach the billing late would change younger days. */
function lastWholeDays(days: number, now: number): { start: string; end: string } {
  const dayMs = 86_400_000;
  const end = (Math.floor(now / dayMs) - 3) * dayMs;
  return { start: formatted(end - days * dayMs), end: formatted(end) };
}

const formatted = (instant: number): string => new Date(instant).toISOString().replace('.000Z', 'Z');

async function readCredentials(
  file: TargetFile,
  environment: Environment,
  tokenOf: TokenSource,
): Promise<Target['credentials']> {
  const { scoped = {}, ...named } = file.credentials ?? {};
  const read = (source: CredentialSource, name: string, at: string) =>
    readCredential(source, placeholderName(name), at, environment, tokenOf);
  const own: Partial<Record<CredentialName, Secret>> = {};
  for (const name of credentialNames) {
    const source = named[name];
    if (source !== undefined) own[name] = await read(source, name, `credentials.${name}`);
  }
  const byScope: Record<string, Secret> = {};
  for (const [scope, source] of Object.entries(scoped))
    byScope[scope] = await read(source, scope, `credentials.scoped.${scope}`);
  return { ...own, scoped: byScope };
}

async function readCredential(
  source: CredentialSource,
  name: string,
  at: string,
  environment: Environment,
  tokenOf: TokenSource,
): Promise<Secret> {
  if (!('clientCredentials' in source)) return readSecret(source, headerCredential, { name, at }, environment);
  return { ...(await tokenOf(clientOf(source.clientCredentials, at, environment), at)), name };
}

/** A secret from a variable keeps that variable's name, so that printed curl commands work unchanged. */
function readSecret(
  source: SecretSource,
  form: SecretForm,
  { name, at }: { name: string; at: string },
  environment: Environment,
): Secret {
  if ('value' in source) return { value: source.value, name, isLiteral: true };
  const value = readVariable(environment, source.env);
  if (value === undefined)
    throw new InvalidInput(
      `${at}: ${describeVariable(source.env)} is not set. Set it, give a value: {value: "…"}, or remove ${at}.`,
    );
  if (!form.pattern.test(value))
    throw new InvalidInput(`${at}: ${describeVariable(source.env)} has an invalid value: expected ${form.expected}.`);
  return { value, name: source.env };
}

function oauthClient(file: OAuthClientFile, host: string, environment: Environment): OAuthClient {
  return {
    id: readSecret(file.id, clientCredential, { name: 'SVC_CLIENT_ID', at: 'client.id' }, environment).value,
    secret: readSecret(file.secret, clientCredential, { name: 'SVC_CLIENT_SECRET', at: 'client.secret' }, environment),
    tokenUrl: file.tokenUrl ?? `${host}/oauth/token`,
    authorizationUrl: file.authorizationUrl ?? `${host}/oauth/authorize`,
    ...(file.redirectUri === undefined ? {} : { redirectUri: file.redirectUri }),
    scopes: file.scopes ?? [],
    ...(file.parameters === undefined ? {} : { parameters: file.parameters }),
  };
}

function samplesOf({ samples = {} }: TargetFile, environment: Environment): Target['samples'] {
  const { connectionSecrets, ...plain } = samples;
  if (connectionSecrets === undefined) return plain;
  const read = (integration: string, key: string, source: SecretSource): Secret => {
    const place = { name: `SVC_CONNECTION_${key}`, at: `samples.connectionSecrets.${integration}.${key}` };
    return readSecret(source, clientCredential, place, environment);
  };
  return {
    ...plain,
    connectionSecrets: mapValues(connectionSecrets, (secrets, integration) =>
      mapValues(secrets, (source, key) => read(integration, key, source)),
    ),
  };
}

const mapValues = <From, To>(object: Readonly<Record<string, From>>, map: (value: From, key: string) => To) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));

function clientOf(source: ClientCredentials, at: string, environment: Environment): TokenClient {
  const read = (part: 'id' | 'secret', name: string): Secret =>
    readSecret(source[part], clientCredential, { name, at: `${at}.clientCredentials.${part}` }, environment);
  return { ...source, id: read('id', 'SVC_CLIENT_ID').value, secret: read('secret', 'SVC_CLIENT_SECRET') };
}
