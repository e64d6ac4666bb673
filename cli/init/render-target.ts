/** Writes a target file as YAML, with a comment on every section and on what could be added. */
import { stringify } from 'yaml';
import { credentialNames } from '../../spec/formats/target-values.ts';
import type { CredentialName } from '../../spec/formats/target-values.ts';
import type { KnownResources, TargetFile } from '../../spec/formats/target-file.ts';
import { needs } from '../../spec/requirements/requirement.ts';
import { placeholderName } from '../../suites/target/target.ts';
import { DEFAULT_BRAND } from '../../spec/brand.ts';
import type { Choice } from './choose-resources.ts';
import { isRelatedAddress } from './is-related-address.ts';

export interface FoundValues {
  readonly account: string | undefined;
  /** Suggested by the deployment. Only written as a comment, because it is not certain. */
  readonly brand: string | undefined;
  /** The default of metrics.window. */
  readonly window: { readonly start: string; readonly end: string };
}

/** `file`: what the environment provides. Names and addresses must be plain (`plain-text.ts`). */
export function renderTarget(file: TargetFile, choice: Choice, { account, brand, window }: FoundValues): string {
  const sections = [
    [
      '# A target file of assay: the deployment that assay test runs against. Edit it freely.',
      ...line('name', undefined, 'for reports; default: host of the management address'),
      ...line(
        'brand',
        undefined,
        `the word in header names such as X-${DEFAULT_BRAND}-Authorization; default: ${DEFAULT_BRAND}${brand === undefined ? '' : '; response headers contain this one'}`,
        brand ?? 'WORD',
      ),
    ],
    addresses(file.addresses.management, choice.addresses),
    [
      '# The workspace that runs use, and its account.',
      ...workspaceLines(choice),
      ...line('account', account, 'default: read from GET /accounts'),
    ],
    credentials(file),
    client(file),
    resources(choice),
    [
      '# A past window that contains data, for the metrics.* rules. Default: 30 days that ended three days ago.',
      ...section('metrics', line('window', undefined, '', inline(window))),
    ],
    [
      '# What a run may do: read, write (also create and change) or destroy (also remove what it did not create).',
      'allow: read',
      '# rate: 50 # requests per second',
      '# tls: {ca: ca.pem} # the certificate of an authority that this machine does not trust',
    ],
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** A key with its value, or a comment that shows how to add it. */
function line(key: string, value: unknown, comment: string, example = 'NAME'): string[] {
  const suffix = comment === '' ? '' : ` # ${comment}`;
  return [value === undefined ? `# ${key}: ${example}${suffix}` : `${key}: ${inline(value)}${suffix}`];
}

const inline = (value: unknown): string => stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();

const indent = (lines: readonly string[]): string[] => lines.map((each) => `  ${each}`);

/** The key only if a line below it is not a comment, because an empty value is invalid. */
const section = (key: string, lines: readonly string[]): string[] => [
  lines.some((each) => !each.startsWith('#')) ? `${key}:` : `# ${key}:`,
  ...indent(lines),
];

function addresses(management: string, found: Choice['addresses']): string[] {
  const reported = (key: 'inference' | 'sandbox', what: string): string[] => {
    const address = found[key];
    if (address === undefined || isRelatedAddress(address, management)) return line(key, address, what, 'URL');
    return line(
      key,
      undefined,
      `${what}; check this address before you use it: it is on another host, which gets the credentials`,
      address,
    );
  };
  return [
    '# Where requests are sent.',
    ...section('addresses', [
      ...line('management', management, 'with its path'),
      ...reported('inference', 'calls of agents, models, functions and jobs'),
      ...reported('sandbox', 'of the sandbox below'),
    ]),
  ];
}

const orOthers = (names: readonly string[] = []): string => (names.length === 0 ? '' : `or ${names.join(', ')}`);

const workspaceLines = ({ workspace, others }: Choice): string[] =>
  line('workspace', workspace, orOthers(others.workspace));

const roles: Readonly<Record<CredentialName, string>> = {
  admin: 'an account admin',
  apiKey: 'a long-lived API key, if admin is a JWT',
  member: 'may read metrics, is not an account admin',
  workspaceAdmin: 'workspace admin, not account admin',
  unrelated: 'valid, with a scope that allows nothing here (mcphub:list)',
  expired: 'was valid once',
};

const fromEnvironment = (name: string): string => `{ env: ${name} }`;

function credentials({ credentials: { scoped, ...named } = {} }: TargetFile): string[] {
  return [
    '# Names of environment variables, never secrets. Each role lets more rules be tried.',
    ...section('credentials', [
      ...credentialNames.flatMap((name) =>
        line(name, named[name], roles[name], fromEnvironment(placeholderName(name))),
      ),
      ...line(
        'scoped',
        scoped,
        'has only this scope',
        `{ agents:update: ${fromEnvironment('SVC_AGENTS_UPDATE_TOKEN')} }`,
      ),
    ]),
  ];
}

function client({ client: found }: TargetFile): string[] {
  const example = `{ id: ${fromEnvironment('SVC_CLIENT_ID')}, secret: ${fromEnvironment('SVC_CLIENT_SECRET')} }`;
  return ['# An OAuth client, for the oauth.* rules.', ...line('client', found, '', example)];
}

const resourceKeys = [
  ['agent', needs.agent],
  ['mk3Agent', needs['mk3-agent']],
  ['model', needs.model],
  ['function', needs.function],
  ['job', needs.job],
  ['sandbox', 'a sandbox, the one of addresses.sandbox'],
  ['volume', needs.volume, '{ name: NAME, region: REGION }'],
  ['connection', needs.connection],
  ['integration', needs.integration],
  ['mailIntegration', needs['mail-integration']],
] as const satisfies readonly (readonly [keyof KnownResources, string, string?])[];

function resources({ resources: found, others }: Choice): string[] {
  return [
    '# Existing resources that runs use. Runs also call the agents, models and functions, which may cost money, and with',
    '# allow: write they execute the job and write into the sandbox: name ones that are made for tests.',
    ...section('resources', [
      ...resourceKeys.flatMap(([key, what, example]) => {
        const alternatives = orOthers(others[key]);
        return line(key, found[key], alternatives === '' ? what : `${what}; ${alternatives}`, example);
      }),
      ...line('policies', found.policies, 'policies that a run may give an agent', '[NAME]'),
      ...line(
        'previewTokens',
        undefined,
        'may be deleted, one per run with allow: destroy',
        '[{ sandbox: NAME, preview: NAME, token: NAME }]',
      ),
      ...line(
        'templateVersions',
        undefined,
        'may be deleted, one per run with allow: destroy',
        '[{ template: NAME, version: NAME }]',
      ),
    ]),
  ];
}
