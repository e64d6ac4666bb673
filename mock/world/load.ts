/** Builds a world from its file. */
import { headerNames } from '../../spec/brand.ts';
import { limitsWith } from '../../spec/formats/mock-limits.ts';
import { isLoopback } from '../../spec/network/loopback.ts';
import { identityProvider as knownIdentityProvider } from '../../fixtures/worlds/identity-provider.ts';
import { integrations as knownIntegrations } from '../../fixtures/worlds/integrations.ts';
import type { CredentialFile, ResourceFile, WorldFile } from '../../spec/formats/world-file.ts';
import { createOAuthState } from '../state/oauth.ts';
import { clientsOf } from '../domains/oauth/clients.ts';
import { createIdentityProvider } from '../domains/oauth/identity-provider.ts';
import { deriveSigningKey } from '../state/signing-key.ts';
import { Problem } from '../http/problems.ts';
import { defaultChoices, type Choices } from '../state/choices.ts';
import { checkReplies } from './check-replies.ts';
import { createInference } from '../state/inference.ts';
import { createInstances } from '../domains/inference/instances.ts';
import { createSchedule } from '../domains/inference/schedule.ts';
import { createMcpServers } from '../domains/mcp/servers.ts';
import { createSandboxes } from '../domains/sandbox/sandboxes.ts';
import type { NamedCredential, Workspace } from '../state/accounts.ts';
import { WorldFileError } from '../state/world-file-error.ts';
import type { Clock, Instant } from '../time/clock.ts';
import { fillResource } from './fill-resource.ts';
import { placeAt, placeOf, requireParents } from '../domains/resources/kinds.ts';
import type { Place } from '../domains/resources/kind.ts';
import { createLifecycles } from '../state/lifecycles.ts';
import { beginLifetime, meterFrom } from '../state/lifetimes.ts';
import { settingOf } from '../domains/resources/settings.ts';
import { createRandom, type Random } from '../time/random.ts';
import { createTimers } from '../time/timers.ts';
import { derivedSecret, type MockKeys } from '../state/mock-keys.ts';
import type { World } from './world.ts';
import type { Addresses, Mount, SandboxUrls } from '../state/addresses.ts';
import { createEvents } from '../state/events.ts';
import { grantSample } from './sample-secrets.ts';
import { subscribe } from './subscriptions.ts';
import { requireValidNumbers } from '../domains/resources/rules/limits.ts';
import { createResource } from '../domains/resources/write.ts';
import { addUsage } from './traffic.ts';

export interface WorldOptions {
  readonly seed: number;
  readonly clock: Clock;
  readonly addresses: Addresses;
  /** Default: at the root of the addresses. */
  readonly mount?: Mount;
  readonly brand: string;
  readonly onlyDocumented?: boolean;
  readonly sandboxUrls?: SandboxUrls;
  /** Default: the mock's own. */
  readonly choices?: Choices;
  /** Origins of web pages that may call `/_mock`. Default: only loopback. */
  readonly trustedOrigins?: readonly string[];
  /** Default: keys and secrets are derived from the seed. */
  readonly keys?: MockKeys;
}

export { WorldFileError } from '../state/world-file-error.ts';

const YEAR_SECONDS = 365 * 86_400;

/** Throws a WorldFileError for an unresolved name, or a resource that the API would refuse. */
export function loadWorld(file: WorldFile, options: WorldOptions): World {
  const world = newWorld(file, options);
  checkReferences(file, world);
  checkReplies(file);
  grantSample(world);
  enterKeys(world);
  addWorkspaces(file, world);
  for (const key of ['resources', 'addResources'] as const)
    for (const [index, resource] of (file[key] ?? []).entries()) addResource(world, resource, `${key}[${index}]`);
  world.schedule.wake();
  return world;
}

/** A world with the accounts and callers of the file, but without its resources. */
export function newWorld(file: WorldFile, options: WorldOptions): World {
  const {
    seed,
    clock,
    addresses,
    mount = { port: Number(new URL(addresses.host).port), path: '', isPublic: false },
    brand,
    onlyDocumented = false,
    sandboxUrls = 'host',
    choices = defaultChoices,
    trustedOrigins = [],
    keys,
  } = options;
  const random = createRandom(seed);
  const limits = limitsWith(file.limits);
  const world: World = {
    seed,
    clock,
    random,
    addresses,
    mount,
    sandboxUrls,
    onlyDocumented,
    choices,
    brand,
    headers: headerNames(brand),
    signingKey: deriveSigningKey(seed, keys?.secret),
    limits,
    trustedOrigins,
    accounts: byKey(file.accounts, ({ id }) => id, 'accounts'),
    workspaces: byKey(
      file.workspaces.map(({ createdAt, ...workspace }) => workspace),
      ({ name }) => name,
      'workspaces',
    ),
    invitations: new Map(),
    // Workspaces that a caller creates are added to it.
    callers: byKey(
      file.callers.map((caller) => ({ ...caller, workspaces: [...caller.workspaces] })),
      ({ id }) => id,
      'callers',
    ),
    credentials: new Map(),
    tokenIssuers: [],
    clients: clientsOf(file.clients ?? [], 'clients', ['admin'], secretsOf(keys)),
    openRegistration: keys === undefined && isLoopback(new URL(addresses.host).hostname),
    oauth: createOAuthState(),
    identityProvider: createIdentityProvider(file.identityProvider ?? knownIdentityProvider),
    integrations: byKey(file.integrations ?? knownIntegrations, ({ name }) => name, 'integrations'),
    connectionSecrets: new Map(),
    verifyOnCreate: file.verifyOnCreate ?? false,
    resources: new Map(),
    sandboxes: createSandboxes({}, limits),
    lifetimes: new Map(),
    namedCredentials: file.credentials.map((credential) => namedCredential(credential, file, random, keys)),
    target: file.target,
    replies: file.replies ?? [],
    callbackOrigins: file.callbackOrigins ?? [],
    inference: createInference(clock.now()),
    lifecycles: createLifecycles(file),
    mcpOrigins: file.mcpOrigins ?? [],
    mcp: createMcpServers(),
    instances: createInstances(),
    timers: createTimers(clock),
    events: createEvents(),
    schedule: createSchedule(() => world),
  };
  subscribe(world);
  return world;
}

function byKey<Item>(items: readonly Item[], keyOf: (item: Item) => string, where: string): Map<string, Item> {
  const map = new Map<string, Item>();
  for (const item of items) {
    if (map.has(keyOf(item))) throw new WorldFileError(`${where} names "${keyOf(item)}" twice; allowed: once.`);
    map.set(keyOf(item), item);
  }
  return map;
}

function namedCredential(
  credential: CredentialFile,
  { callers }: WorldFile,
  random: Random,
  keys: MockKeys | undefined,
): NamedCredential {
  const { name, kind, caller, scopes, lifetimeSeconds = YEAR_SECONDS } = credential;
  const home = callers.find(({ id }) => id === caller)?.workspaces[0]?.name;
  const workspace = credential.workspace ?? home;
  if (workspace === undefined) {
    throw new WorldFileError(
      `credentials: "${name}" has no workspace, and its caller "${caller}" has none either; name one.`,
    );
  }
  const { value } = credential;
  if (value !== undefined && kind !== 'api-key')
    throw new WorldFileError(`credentials: "${name}" has a value; allowed: only in credentials of the kind api-key.`);
  const token = value ?? keys?.values[name] ?? (kind === 'api-key' ? newKey(name, random, keys) : undefined);
  // A token that was given is opaque, whatever the kind of the credential.
  const own = {
    name,
    kind: token === undefined ? kind : 'api-key',
    caller,
    scopes,
    workspace,
    lifetimeSeconds,
  } as const;
  return token === undefined ? own : { ...own, token };
}

/** Draws from `random` in any case, so that the rest of the world does not depend on the keys. */
function newKey(name: string, random: Random, keys: MockKeys | undefined): string {
  const digits = random.hex(32);
  return `svc-key-${keys === undefined ? digits : derivedSecret(keys.secret, `key ${name}`)}`;
}

/** Replaces the secrets of clients, which are public in the default world; undefined if they stay. */
function secretsOf(keys: MockKeys | undefined): ((client: string) => string) | undefined {
  return keys?.replacesClientSecrets === true ? (client) => derivedSecret(keys.secret, `client ${client}`) : undefined;
}

function checkReferences(file: WorldFile, { accounts, workspaces, callers, clients }: World): void {
  for (const { name, account } of file.workspaces) checkKnown(`workspaces "${name}": account`, account, accounts);
  for (const { id, account, workspaces: own } of file.callers) {
    checkKnown(`callers "${id}": account`, account, accounts);
    for (const { name } of own) checkKnown(`callers "${id}": workspace`, name, workspaces);
  }
  for (const { name, caller, workspace } of file.credentials) {
    checkKnown(`credentials "${name}": caller`, caller, callers);
    checkKnown(`credentials "${name}": workspace`, workspace, workspaces);
  }
  for (const { name, workspace, createdBy } of file.resources) {
    checkKnown(`resources "${name}": workspace`, workspace, workspaces);
    checkKnown(`resources "${name}": createdBy`, createdBy, callers);
  }
  for (const { id, caller, workspace } of clients.values()) {
    checkKnown(`clients "${id}": caller`, caller, callers);
    checkKnown(`clients "${id}": workspace`, workspace, workspaces);
  }
  checkKnown('target.client', file.target.client, clients);
  checkKnown('target.account', file.target.account, accounts);
  checkKnown('target.workspace', file.target.workspace, workspaces);
}

function checkKnown(where: string, value: string | undefined, known: ReadonlyMap<string, unknown>): void {
  if (value === undefined || known.has(value)) return;
  throw new WorldFileError(`${where} is "${value}"; allowed: ${[...known.keys()].join(', ')}.`);
}

function enterKeys({ callers, credentials, namedCredentials }: World): void {
  for (const { kind, caller: id, scopes, workspace, token } of namedCredentials) {
    const caller = callers.get(id);
    if (token !== undefined && caller !== undefined) credentials.set(token, { kind, caller, scopes, workspace });
  }
}

/** Also for resources that are added one by one. */
export function addWorkspaces({ workspaces }: WorldFile, world: World): void {
  for (const { createdAt, ...workspace } of workspaces) {
    const by = {
      caller: creatorIn(world, workspace),
      at: instant(`workspaces "${workspace.name}"`, createdAt, world.clock.now()),
    };
    const { name, region } = workspace;
    createResource(world, placeOf('workspaces', workspace), { metadata: { name }, spec: { region } }, by);
  }
}

function creatorIn({ callers }: World, { account }: Workspace): string {
  return callers.values().find((caller) => caller.account === account)?.id ?? account;
}

/** `at`: for messages. Throws a WorldFileError if the API would refuse the resource. */
export function addResource(world: World, resource: ResourceFile, at: string): void {
  const { workspace, collection, name, displayName, labels, spec = {}, createdBy } = resource;
  const where = `${at}, ${collection} "${name}" of ${workspace},`;
  const place = placeAt(workspaceNamed(world, workspace), collection);
  if (place === undefined) throw new WorldFileError(`${where} is of no known collection.`);
  const createdAt = instant(where, resource.createdAt, world.clock.now());
  const metadata = { name, ...(displayName !== undefined && { displayName }), ...(labels && { labels }) };
  try {
    if (resource.deletedAt !== undefined) {
      const end = instant(where, resource.deletedAt, 0);
      return addPast(world, place, resource, createdAt, end);
    }
    requireParents(world, place);
    const by = {
      caller: createdBy ?? creatorIn(world, place.workspace),
      at: createdAt,
      isDeployed: createdAt < world.clock.now(),
    };
    const created = createResource(world, place, { metadata, spec }, by);
    fillResource(world, place, created, resource, createdAt);
    if (resource.isUsageComplete === true && created.uuid !== undefined)
      meterFrom(world, created.uuid, world.clock.now());
    addUsage(world, place, created.uuid, resource, { start: createdAt, end: world.clock.now() });
  } catch (error) {
    throw error instanceof Problem ? new WorldFileError(`${where} breaks a rule: ${error.message}`) : error;
  }
}

/** A deleted resource only has meters. */
function addPast(world: World, place: Place, resource: ResourceFile, start: Instant, end: Instant): void {
  const { name, spec = {} } = resource;
  if (end <= start || end > world.clock.now()) {
    throw new WorldFileError(`"${name}" has a deletedAt that is not between its createdAt and the world's start.`);
  }
  const { meteredAs } = place.kind;
  requireValidNumbers(place.collection, spec);
  if (meteredAs === undefined) return;
  const uuid = world.random.uuid();
  const setting = { ...settingOf(spec, uuid), from: start, serves: spec['enabled'] !== false };
  const settings = resource.isUsageComplete === true ? [] : [setting];
  beginLifetime(world, place.workspace, { type: meteredAs, name, uuid, start, end, settings });
  addUsage(world, place, uuid, resource, { start, end });
}

function workspaceNamed({ workspaces }: World, name: string): Workspace {
  const workspace = workspaces.get(name);
  if (workspace === undefined) throw new WorldFileError(`Workspace "${name}" is unknown.`);
  return workspace;
}

function instant(where: string, text: string | undefined, absent: Instant): Instant {
  if (text === undefined) return absent;
  const parsed = Date.parse(text);
  if (Number.isNaN(parsed))
    throw new WorldFileError(`${where} has the time "${text}"; allowed: RFC 3339, such as 2026-10-01T00:00:00Z.`);
  return parsed;
}
