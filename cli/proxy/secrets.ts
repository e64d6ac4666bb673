/** Redacts secrets in the proxy's output: known ones of the target file by their variable names, others by their position. */
import { headerNames } from '../../spec/brand.ts';
import { operations } from '../../spec/operations.ts';
import { isSecretField } from '../../spec/secret-names.ts';
import type { CredentialSource, SecretSource, TargetFile } from '../../spec/formats/target-file.ts';
import { credentialNames } from '../../spec/formats/target-values.ts';
import { curlLine, MAX_BODY_LENGTH } from '../../spec/curl.ts';
import { readVariable, type Environment } from '../../suites/target/environment.ts';
import { createRedaction, REDACTED, type Redaction } from '../../suites/target/redaction.ts';
import { basicCredential, placeholderName } from '../../suites/target/target.ts';
import { isCredential, issuedCredentials, sentCredentials } from './credentials-of.ts';
import type { RawHeaders } from './end-to-end.ts';
import { endToEnd, valuesOf } from './end-to-end.ts';
import type { ForwardedExchange } from './forward.ts';

export interface Secrets {
  /** From now on the credentials in this exchange are secrets, too. */
  readonly learn: (exchange: ForwardedExchange) => void;
  /** A text of target or client without secrets. */
  readonly clean: (text: string) => string;
  /** A curl command that repeats a request, sent to the target itself. */
  readonly curl: (origin: string, exchange: ForwardedExchange) => string;
  /** The value of a request header. */
  readonly cleanHeader: (name: string, value: string) => string;
  /** A form or JSON that was sent. `isForm`: to an operation that documents a form. */
  readonly cleanBody: (text: string, isForm: boolean) => string;
  /** With the placeholders of credentials that the target file does not have. */
  readonly redaction: Redaction;
}

/** Names a credential that the target file does not have. */
const UNKNOWN = 'SVC_TOKEN';
/** A shorter one may be part of any word: it is replaced in its header only. */
const MIN_LENGTH = 8;
/** Of a client that always sends new credentials, and of a target that always issues new ones. */
const MAX_LEARNED = 1000;

export function secretsOf(file: TargetFile, environment: Environment): Secrets {
  const redaction = createRedaction();
  for (const [name, value] of knownSecrets(file, environment)) redaction.learn(value, name);
  if (file.tls?.key !== undefined) redaction.learn(file.tls.key.trim(), 'SVC_TLS_KEY');
  const learn = (): ((tokens: readonly string[]) => void) => {
    let count = 0;
    return (tokens) => {
      // All are compared before the first is learned, because the redaction searches for all secrets at once.
      const unknown = [...new Set(tokens)]
        .filter((token) => token.length >= MIN_LENGTH)
        .slice(0, MAX_LEARNED)
        .filter((token) => redaction.known(token) === token)
        .slice(0, MAX_LEARNED - count);
      count += unknown.length;
      for (const token of unknown) redaction.learn(token, UNKNOWN);
    };
  };
  const [learnSent, learnIssued] = [learn(), learn()];
  /** `Bearer` and the placeholder of the token. */
  const returned = (value: string): string => {
    const known = redaction.known(value);
    return known === value ? value.replace(/^(\S+ +)?.*$/, (_, scheme = '') => `${scheme}$${UNKNOWN}`) : known;
  };
  const cleanHeader = (name: string, value: string): string =>
    isCredential(name) ? returned(value) : redaction.text(value);
  const cleanBody = (text: string, isForm: boolean): string =>
    isForm ? cleanForm(redaction.known(text), redaction.text) : redaction.text(text);
  const placeholders = (): Set<string> => new Set([...redaction.placeholders, `$${UNKNOWN}`]);
  return {
    cleanHeader,
    cleanBody,
    redaction: {
      ...redaction,
      get placeholders() {
        return placeholders();
      },
      get maxSpellingLength() {
        return redaction.maxSpellingLength;
      },
    },
    learn(exchange) {
      learnSent(sentCredentials(exchange));
      learnIssued(issuedCredentials(exchange));
    },
    clean: redaction.text,
    curl(origin, { method, url, headers, body }) {
      const sent = new Map<string, string[]>();
      for (const [name, value] of repeatable(headers, file.brand)) {
        sent.set(name, [...(sent.get(name) ?? []), cleanHeader(name, value)]);
      }
      const encoding = valuesOf(headers, 'content-encoding')[0];
      const text = body.text(encoding) ?? '';
      const isForm = isDocumentedForm(url, headers);
      const isPrinted = text.length <= MAX_BODY_LENGTH;
      const omittedReason =
        body.describeProblem(encoding) ?? (!isPrinted || isForm || isJsonOrEmpty(text) ? undefined : 'it is not JSON');
      const request = { method, url: redaction.text(origin + url), headers: Object.fromEntries(sent) };
      const redactedBody = isPrinted ? cleanBody(text, isForm) : text;
      const whole = text === '' || omittedReason !== undefined ? request : { ...request, body: redactedBody };
      return curlLine(whole, placeholders(), omittedReason);
    },
  };
}

const FORM = 'application/x-www-form-urlencoded';
const formPaths = operations.filter(({ bodyTypes }) => bodyTypes.includes(FORM)).map(({ path }) => path);

/** In other formats secrets could not be recognized. */
export function isDocumentedForm(url: string, headers: RawHeaders): boolean {
  const [path = ''] = url.split('?', 1);
  const [type = ''] = valuesOf(headers, 'content-type')[0]?.split(';', 1) ?? [];
  return type.trim().toLowerCase() === FORM && formPaths.some((each) => path.endsWith(each));
}

function isJsonOrEmpty(text: string): boolean {
  if (text === '') return true;
  try {
    JSON.parse(text.replace(/^\ufeff/, '')); // RFC 8259 8.1
    return true;
  } catch {
    return false;
  }
}

/** A secret value extends to the next &. */
const cleanForm = (form: string, clean: (text: string) => string): string =>
  form
    .split('&')
    .map((field) => {
      const [name = ''] = field.split('=', 1);
      return [...new URLSearchParams(name).keys()].some((each) => isSecretField(each.trim()))
        ? `${name}=${REDACTED}`
        : clean(field);
    })
    .join('&');

/** Documented headers only: others, which a browser adds, are unnecessary and may be secret. In lower case. */
export const repeatableNames = (brand?: string): ReadonlySet<string> =>
  new Set(
    ['accept', 'content-type', 'authorization', ...Object.values(headerNames(brand))].map((name) => name.toLowerCase()),
  );

function repeatable(headers: ForwardedExchange['headers'], brand?: string): [string, string][] {
  const wanted = repeatableNames(brand);
  const raw = endToEnd(headers);
  return raw.flatMap((name, index): [string, string][] =>
    index % 2 === 0 && wanted.has(name.toLowerCase()) ? [[name, raw[index + 1] ?? '']] : [],
  );
}

/** Secrets by variable name. A variable that is not set has no value to redact. */
function knownSecrets({ credentials, client, samples }: TargetFile, environment: Environment): [string, string][] {
  const { scoped = {}, ...named } = credentials ?? {};
  const own = credentialNames.map((name): [string, CredentialSource | undefined] => [name, named[name]]);
  const found = [...own, ...Object.entries(scoped)].flatMap(([name, source]) =>
    source === undefined ? [] : read(secretOf(source), placeholderName(name), environment),
  );
  for (const secrets of Object.values(samples?.connectionSecrets ?? {}))
    for (const [name, source] of Object.entries(secrets))
      found.push(...read(source, placeholderName(name), environment));
  if (client === undefined) return found;
  const secrets = read(client.secret, 'SVC_CLIENT_SECRET', environment);
  const ids = read(client.id, 'SVC_CLIENT_ID', environment);
  const basics = secrets.flatMap(([name, value]) =>
    ids.map(([, id]) => basicCredential({ id, secret: { name, value } })),
  );
  return [...found, ...secrets, ...basics.map(({ name, value }): [string, string] => [name, value])];
}

const secretOf = (source: CredentialSource): SecretSource =>
  'clientCredentials' in source ? source.clientCredentials.secret : source;

function read(source: SecretSource, name: string, environment: Environment): [string, string][] {
  const value = valueOf(source, environment);
  return value === undefined ? [] : [['value' in source ? name : source.env, value]];
}

/** Undefined if the variable is not set, and for a fetched token. */
export function valueOf(source: CredentialSource | undefined, environment: Environment): string | undefined {
  if (source === undefined || 'clientCredentials' in source) return undefined;
  return 'value' in source ? source.value : readVariable(environment, source.env);
}
