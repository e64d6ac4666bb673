/** Describes a running world as a target file that contains the values of the credentials. */
import { DEFAULT_BRAND } from '../../spec/brand.ts';
import { credentialNames, type CredentialName } from '../../spec/formats/target-values.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { scopes as allScopes } from '../../spec/values.ts';
import { mintToken } from '../domains/oauth/tokens.ts';
import { WorldFileError } from './load.ts';
import { sampleSecrets } from './sample-secrets.ts';
import { timestamp, type Instant } from '../time/clock.ts';
import { findResource } from '../state/resources.ts';
import { sandboxUrl } from '../state/urls.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;

type Value = { value: string };

/** Always has the credentials `admin` and `apiKey`. */
export interface MockTarget extends TargetFile {
  credentials: { [Name in CredentialName]?: Value } & { admin: Value; apiKey: Value; scoped?: Record<string, Value> };
}

/**
 * `certificate`: what the mock serves HTTPS with (PEM), so that clients of the target trust it. Throws a WorldFileError if
 * the credentials `admin` and `apiKey` are missing.
 * @internal
 */
export function targetOf(world: World, brand: string = DEFAULT_BRAND, certificate?: string): MockTarget {
  const { account, workspace, resources } = world.target;
  const { mailIntegration } = resources;
  const sandbox = sandboxAddress(world);
  return {
    name: 'mock',
    brand,
    addresses: { ...world.addresses, ...(sandbox === undefined ? {} : { sandbox }) },
    workspace,
    account,
    credentials: credentialsOf(world),
    ...clientOf(world),
    resources,
    // The mock needs nothing else in these specs.
    samples: {
      vpcSpec: {},
      functionSpec: {},
      ...(mailIntegration !== undefined && { connectionSecrets: { [mailIntegration]: mailSecretOf(world) } }),
    },
    metrics: { window: lastMonth(world.clock.now()) },
    ...(certificate !== undefined && { tls: { ca: certificate } }),
    allow: 'write',
    rate: 0,
  };
}

function mailSecretOf(world: World): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(sampleSecrets(world)).map(([key, value]) => [key, { value: String(value) }]),
  );
}

function clientOf({ target, clients, addresses }: World): Pick<MockTarget, 'client'> {
  const client = clients.get(target.client ?? '');
  if (client === undefined) return {};
  const { id, secret, redirectUris, scopes } = client;
  if (secret === undefined)
    throw new WorldFileError(`target.client is "${id}", which has no secret; expected a client with a secret.`);
  const [redirectUri] = redirectUris;
  return {
    client: {
      id: { value: id },
      secret: { value: secret },
      tokenUrl: `${addresses.host}/oauth/token`,
      authorizationUrl: `${addresses.host}/oauth/authorize`,
      ...(redirectUri !== undefined && { redirectUri }),
      scopes: [...scopes],
    },
  };
}

/** The last thirty whole days in UTC. */
function lastMonth(now: Instant): { start: string; end: string } {
  const today = now - (now % DAY_MS);
  return { start: timestamp(today - 30 * DAY_MS), end: timestamp(today) };
}

function sandboxAddress(world: World): string | undefined {
  const { workspace: name, resources } = world.target;
  const workspace = world.workspaces.get(name);
  const sandbox =
    resources.sandbox === undefined ? undefined : findResource(world, `${name}/sandboxes`, resources.sandbox);
  return workspace === undefined || sandbox === undefined ? undefined : sandboxUrl(world, workspace, sandbox);
}

function credentialsOf(world: World): MockTarget['credentials'] {
  const values = new Map<string, Value>();
  for (const named of world.namedCredentials) {
    // Stored in the world, so that a restored snapshot has the same tokens.
    named.token ??= mintToken(world, named);
    values.set(named.name, { value: named.token });
  }
  const [admin, apiKey] = [values.get('admin'), values.get('apiKey')];
  if (admin === undefined || apiKey === undefined)
    throw new WorldFileError('credentials has no "admin" or no "apiKey"; a mock needs both.');
  const ofRoles = Object.fromEntries([...values].filter(([name]) => isCredentialName(name)));
  const scoped = Object.fromEntries([...values].filter(([name]) => isScope(name) && !isCredentialName(name)));
  return { ...ofRoles, admin, apiKey, scoped };
}

const isScope = (name: string): boolean => (allScopes as readonly string[]).includes(name);

function isCredentialName(name: string): name is CredentialName {
  return (credentialNames as readonly string[]).includes(name);
}
