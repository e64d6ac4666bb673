/** Reads a target file, YAML or JSON; every unknown key and bad value is refused with a sentence that quotes it, unless it may be a secret. */
import { BRAND_FORM } from '../../spec/brand.ts';
import { readFile } from 'node:fs/promises';
import { text as streamText } from 'node:stream/consumers';
import { parse } from 'yaml';
import { allowLevels } from '../../spec/target-file.ts';
import { scopes } from '../../spec/values.ts';
import { isFields } from '../expect/fields.ts';
import type {
  ClientCredentials,
  CredentialSource,
  KnownResources,
  OAuthClientFile,
  SecretSource,
  TargetFile,
} from '../../spec/target-file.ts';
import {
  address,
  atLeast,
  BadInput,
  instant,
  kindOf,
  listOf,
  mapOf,
  oneOf,
  quoted,
  record,
  redirectAddress,
  text,
  textLike,
  toldKey,
} from './form.ts';
import type { Reader } from './form.ts';
import { clientText, headerText } from './secret-form.ts';
import type { SecretForm } from './secret-form.ts';

const environmentName = textLike(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable');

function onlyKey(value: unknown, at: string, allowed: readonly string[]): string {
  const keys = isFields(value) ? Object.keys(value) : [];
  const key = keys[0];
  if (key !== undefined && keys.length === 1 && allowed.includes(key)) return key;
  const shown = Object.entries(isFields(value) ? value : {}).map(([each, its]) => toldKey(at, each, its));
  const found = keys.length === 0 ? kindOf(value) : `the ${shown.length === 1 ? 'key' : 'keys'} ${shown.join(', ')}`;
  throw new BadInput(`${at}: found ${found}. Wanted: a map with exactly one of ${allowed.join(', ')}.`);
}

/** The value is never quoted when refused, since it is a secret. */
const secretValue =
  ({ pattern, wanted }: SecretForm): Reader<string> =>
  (value, at) => {
    if (typeof value === 'string' && pattern.test(value)) return value;
    throw new BadInput(`${at}: this value is not allowed here. Wanted: ${wanted}, as a text.`);
  };

const secretOf =
  (form: SecretForm): Reader<SecretSource> =>
  (value, at) =>
    onlyKey(value, at, ['env', 'value']) === 'env'
      ? record<{ env: string }>({ env: environmentName }, ['env'])(value, at)
      : record<{ value: string }>({ value: secretValue(form) }, ['value'])(value, at);

const ofClient = { id: secretOf(clientText), secret: secretOf(clientText) };

const clientCredentials = record<ClientCredentials>({ tokenUrl: address, ...ofClient, scope: text }, [
  'tokenUrl',
  'id',
  'secret',
]);

const credential: Reader<CredentialSource> = (value, at) =>
  onlyKey(value, at, ['env', 'value', 'clientCredentials']) === 'clientCredentials'
    ? record<{ clientCredentials: ClientCredentials }>({ clientCredentials }, ['clientCredentials'])(value, at)
    : secretOf(headerText)(value, at);

const scoped = mapOf(scopes, 'a scope of the interface, such as agents:update', credential);

const client = record<OAuthClientFile>(
  { ...ofClient, tokenUrl: address, authorizationUrl: address, redirectUri: redirectAddress, scopes: listOf(text) },
  ['id', 'secret'],
);

const resources = record<KnownResources>(
  {
    agent: text,
    mk3Agent: text,
    model: text,
    function: text,
    job: text,
    sandbox: text,
    volume: record<{ name: string; region: string }>({ name: text, region: text }, ['name', 'region']),
    connection: text,
    integration: text,
    mailIntegration: text,
    previewTokens: listOf(
      record<{ sandbox: string; preview: string; token: string }>({ sandbox: text, preview: text, token: text }, [
        'sandbox',
        'preview',
        'token',
      ]),
    ),
    templateVersions: listOf(
      record<{ template: string; version: string }>({ template: text, version: text }, ['template', 'version']),
    ),
  },
  [],
);

const window: Reader<{ start: string; end: string }> = (value, at) => {
  const found = record<{ start: string; end: string }>({ start: instant, end: instant }, ['start', 'end'])(value, at);
  if (Date.parse(found.end) > Date.parse(found.start)) return found;
  throw new BadInput(`${at}: end ${quoted(found.end)} is not after start ${quoted(found.start)}.`);
};

const targetFile = record<TargetFile>(
  {
    name: text,
    brand: textLike(BRAND_FORM, 'one word of letters and digits'),
    addresses: record<TargetFile['addresses']>(
      { management: address, host: address, inference: address, sandbox: address },
      ['management'],
    ),
    standsFor: address,
    workspace: text,
    account: text,
    credentials: record<NonNullable<TargetFile['credentials']>>(
      {
        admin: credential,
        apiKey: credential,
        member: credential,
        workspaceAdmin: credential,
        unrelated: credential,
        scoped,
      },
      [],
    ),
    client,
    resources,
    metrics: record<NonNullable<TargetFile['metrics']>>({ window }, ['window']),
    allow: oneOf(allowLevels),
    rate: atLeast(0, false),
  },
  ['addresses'],
);

/** Throws BadInput with a sentence that begins with the name of the source. */
export function parseTargetFile(source: string, name: string): TargetFile {
  try {
    return targetFile(parseYaml(source), '');
  } catch (error) {
    if (error instanceof BadInput) throw new BadInput(`${name}: ${error.message}`);
    throw error;
  }
}

/** YAML is a superset of JSON. Its own messages quote the lines, which may hold a secret: only kind and place are told. */
function parseYaml(source: string): unknown {
  try {
    return parse(source, { prettyErrors: true, logLevel: 'error' }) as unknown;
  } catch (error) {
    if (error instanceof ReferenceError) throw new BadInput(BAD_ALIAS);
    const { code, linePos } = error as { code?: string; linePos?: [{ line: number; col: number }] };
    const place = linePos === undefined ? '' : ` at line ${linePos[0].line}, column ${linePos[0].col}`;
    throw new BadInput(`This is neither YAML nor JSON (${code ?? 'not readable'}${place}).`);
  }
}

const BAD_ALIAS =
  'an alias (*name) has no anchor (&name) before it, or there are too many. A text that begins with * stands in quotes.';

/** `-` is standard input. */
export async function readTargetFile(path: string, stdin: NodeJS.ReadableStream = process.stdin): Promise<TargetFile> {
  if (path === '-') return parseTargetFile(await streamText(stdin), 'standard input');
  let source: string;
  try {
    source = await readFile(path, 'utf8');
  } catch (error) {
    throw new BadInput(
      `The target file ${quoted(path)} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'no reason given'}).`,
    );
  }
  return parseTargetFile(source, path);
}
