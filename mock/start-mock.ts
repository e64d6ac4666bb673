/** Starts a mock in this process; returns its addresses and credentials. */
// Imported before everything else, for its check.
// oxlint-disable-next-line import/no-unassigned-import
import './require-node.ts';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEFAULT_BRAND } from '../spec/brand.ts';
import { checkOptions } from './check-options.ts';
import type { MockOptions } from './mock-options.ts';
import { app } from './pipeline/app.ts';
import { isLoopback } from './http/loopback.ts';
import { limitUnread } from './http/limit-unread.ts';
import { limitBodies } from './http/read-bytes.ts';
import { exposedKeys } from './state/mock-keys.ts';
import { requireTokenUnlessLoopback } from './server/control/access.ts';
import {
  createControl,
  createWorld,
  type MockControl,
  type MockWorld,
  type NewWorld,
} from './server/control/mock-control.ts';
import { addressesAt, closeWorlds, type Worlds } from './server/control/worlds.ts';
import type { App } from './pipeline/app.ts';
import { defaultChoices } from './state/choices.ts';
import type { ProfileSummary } from './state/profile-summary.ts';
import type { NotFollowed, Profile } from './profile/profile.ts';
import { refuseMalformed } from './http/refuse-malformed.ts';
import { KEEP_ALIVE_TIMEOUT_MS } from './http/keep-alive.ts';
import { withLatency } from './wrap/latency.ts';
import { describeListenError } from './http/describe-listen-error.ts';
import { createServer } from './http/required.ts';
import { serveWorld, type WorldConfig } from './pipeline/served-world.ts';
import { handleRequests } from './server/handle-requests.ts';
import type { WorldStore } from './store/world-store.ts';
import { stopServer } from './http/stop-server.ts';
import type { MockTarget } from './world/target.ts';
import { createRandom } from './time/random.ts';
import type { World } from './world/world.ts';
import type { Addresses } from './state/world-state.ts';

export type { MockOptions } from './mock-options.ts';
export {
  VerificationError,
  type MockControl,
  type MockWorld,
  type NewWorld,
  type RequestFilter,
  type ResourceFilter,
  type Wait,
} from './server/control/mock-control.ts';
export type { FaultRule, ScriptedResponse } from './pipeline/rule-formats.ts';
export type { Verification } from './server/control/post-verify.ts';
export type { TokenRequest } from './server/control/post-tokens.ts';
export type { DeploymentOutcome } from './server/control/put-deployment.ts';
export type * from './server/control/views.ts';
export type { WorldExtension, WorldFile } from '../spec/formats/world-file.ts';

const DEFAULT_SEED = 1;
const LOOPBACK = '127.0.0.1';

export interface RunningMock extends MockControl, AsyncDisposable {
  readonly addresses: Addresses;
  /** A target file that contains the values of the credentials. */
  readonly target: MockTarget;
  /** The current world: a new object after a reset. */
  readonly world: World;
  /** Absent without a profile. */
  readonly following?: ProfileSummary;
  /** Observations of the profile that the mock does not reproduce, and why. */
  readonly notFollowed: readonly NotFollowed[];
  /** Adds a world to the port, for tests that run in parallel. Rejects if an option is not valid or the id is taken. */
  newWorld(options?: NewWorld): Promise<MockWorld>;
  /** Resolves when all connections are closed, within a second. */
  close(): Promise<void>;
}

/** Rejects if an option is unknown or invalid, the port is taken, a deviation is unknown, or the profile or world file is invalid; nothing listens then. */
export async function startMock(options: MockOptions = {}): Promise<RunningMock> {
  checkOptions(options);
  const { port = 0, host = LOOPBACK, controlToken: token, controlOrigins: origins } = options;
  requireTokenUnlessLoopback(host, token);
  await checkWorld(options);
  const profile = await profileOf(options);
  const wrapped = await wrappedApp(options, profile);
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // How often the deadline of incomplete requests is checked.
    connectionsCheckingInterval: 1000,
  });
  // Requests that arrive before the world is built wait for it.
  const early: Parameters<RequestListener>[] = [];
  const keep: RequestListener = (...exchange) => void early.push(exchange);
  server.on('request', keep).on('clientError', refuseMalformed);
  limitUnread(server);
  await listen(server, port, host);
  const { mock, worlds, store } = await makeMockOrStop(server, options, profile);
  const { limits } = worlds.first.world;
  limitBodies(server, limits);
  server.requestTimeout = limits.requestSeconds * 1000;
  // Node exchanges the two if that of the headers is longer, and a body would then have the longer one.
  server.headersTimeout = server.requestTimeout;
  const handle = handleRequests(worlds, wrapped, { token, origins }, store);
  server.off('request', keep).on('request', handle);
  for (const exchange of early) handle(...exchange);
  return mock;
}

async function makeMockOrStop(server: Server, options: MockOptions, profile: Profile | undefined): Promise<Made> {
  let store: WorldStore | undefined;
  try {
    store = await storeOf(options);
    return await makeMock(server, options, profile, store);
  } catch (error) {
    store?.close();
    await stopServer(server);
    throw error;
  }
}

/** Loaded on demand: node:sqlite is needed only with a state file. Throws a StateFileError. */
async function storeOf({ state, seed, now, world }: MockOptions): Promise<WorldStore | undefined> {
  if (state === undefined) return undefined;
  const { openWorldStore, requireNew } = await import('./store/world-store.ts');
  requireNew(state, { seed, now, world });
  return openWorldStore(state);
}

interface Made {
  readonly mock: RunningMock;
  readonly worlds: Worlds;
  readonly store: WorldStore | undefined;
}

async function makeMock(
  server: Server,
  options: MockOptions,
  profile: Profile | undefined,
  store: WorldStore | undefined,
): Promise<Made> {
  const root = rootOf(options.host ?? LOOPBACK, (server.address() as AddressInfo).port);
  const addresses = addressesAt(root);
  const { clock = store?.saved?.origin.clock } = options;
  const given = { ...options, ...store?.saved?.origin, ...(clock && { clock }) };
  const keys = isLoopback(options.host ?? LOOPBACK)
    ? undefined
    : exposedKeys(process.env, options.world?.clients !== undefined);
  const recipe = () => ({ ...worldConfig(given, addresses, profile), ...(keys && { keys }) });
  const worlds: Worlds = { first: serveWorld(recipe()), others: new Map(), root, recipe };
  await store?.begin(worlds.first, options.clock);
  const close = async () => {
    try {
      store?.close();
    } finally {
      await closeWorlds(worlds);
      await stopServer(server);
    }
  };
  const mock: RunningMock = {
    ...createControl(worlds, worlds.first, (call) => store?.commit(call)),
    newWorld: (settings = {}) => createWorld(worlds, settings),
    addresses,
    get world() {
      return worlds.first.world;
    },
    get target() {
      return worlds.first.target;
    },
    ...(profile && { following: profile.following }),
    notFollowed: profile?.notFollowed ?? [],
    close,
    [Symbol.asyncDispose]: close,
  };
  return { mock, worlds, store };
}

/** Throws a WorldFileError. Loaded on demand: validation takes longer than the start of a mock without a world file. */
async function checkWorld({ world }: MockOptions): Promise<void> {
  if (world === undefined) return;
  const { worldFile } = await import('./world/read-world-file.ts');
  worldFile(world, 'world');
}

/** Loaded on demand: a mock without a profile starts faster. */
async function profileOf({ profile }: MockOptions): Promise<Profile | undefined> {
  if (profile === undefined) return undefined;
  const { profileFrom, readProfile } = await import('./profile/read-profile.ts');
  return typeof profile === 'string' ? readProfile(profile) : profileFrom(profile);
}

async function wrappedApp(
  { deviate = [], latency, seed = DEFAULT_SEED }: MockOptions,
  profile: Profile | undefined,
): Promise<App> {
  const following = profile === undefined ? app : profile.layer(app);
  const faulty = deviate.length === 0 ? following : await withDeviations(following, deviate);
  return latency === undefined ? faulty : withLatency(faulty, latency, createRandom(seed));
}

async function withDeviations(inner: App, ids: readonly string[]): Promise<App> {
  const { deviation } = await import('./deviations/index.ts');
  return ids.reduce((wrapped, id) => deviation(id).wrap(wrapped), inner);
}

/**
 * Connections that wait to be accepted. With the default of 511, a burst fills the queue while a slice of work is done, and
 * the kernel then delays other clients by seconds. The system may have a lower limit.
 */
const BACKLOG = 4096;

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server
      .once('error', (error) => reject(describeListenError(error, port)))
      .listen({ port, host, backlog: BACKLOG }, () => resolve(undefined));
  });
}

function rootOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function worldConfig(options: MockOptions, addresses: Addresses, profile: Profile | undefined): WorldConfig {
  const { seed = DEFAULT_SEED, now = Date.now(), clock = 'running', brand = DEFAULT_BRAND, world } = options;
  const { onlyDocumented = false, sandboxUrls = 'host', upstream } = options;
  return {
    seed,
    now,
    clock,
    brand,
    onlyDocumented,
    sandboxUrls,
    addresses,
    choices: profile?.choices ?? defaultChoices,
    trustedOrigins: options.controlOrigins ?? [],
    ...(world && { world }),
    ...(upstream !== undefined && { upstream }),
    ...(profile && { following: profile.following }),
  };
}
