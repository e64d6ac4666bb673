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
import { isLoopback } from '../spec/network/loopback.ts';
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
import { createReplay } from './pipeline/replay.ts';
import { defaultChoices } from './state/choices.ts';
import type { ProfileSummary } from './state/profile-summary.ts';
import type { NotFollowed, Profile } from './profile/profile.ts';
import { withLatency } from './wrap/latency.ts';
import { openServer } from './http/open-server.ts';
import { Problem } from './http/problems.ts';
import { tlsProblem } from './http/tls.ts';
import { reloadWorld, serveWorld, type ServedWorld, type WorldConfig } from './pipeline/served-world.ts';
import { handleRequests } from './server/handle-requests.ts';
import { StateFileError } from './store/state-file-error.ts';
import type { WorldStore } from './store/world-store.ts';
import { stopServer } from './http/stop-server.ts';
import { resolveWorld } from './world/resolve-world.ts';
import type { MockTarget } from './world/target.ts';
import { WorldFileError } from './state/world-file-error.ts';
import { instantOf } from './time/instant.ts';
import { createRandom } from './time/random.ts';
import type { World } from './world/world.ts';
import type { Addresses, SandboxUrls } from './state/addresses.ts';

export type * from './exported-types.ts';
export { VerificationError } from './server/control/mock-control.ts';

const DEFAULT_SEED = 1;
const LOOPBACK = '127.0.0.1';

export interface RunningMock extends MockControl, AsyncDisposable {
  readonly addresses: Addresses;
  /** A target file that contains the values of the credentials. */
  readonly target: MockTarget;
  /**
   * The current world: a new object after a reset.
   * @internal
   */
  readonly world: World;
  /** Absent without a profile. */
  readonly following?: ProfileSummary;
  /** Observations of the profile that the mock does not reproduce, and why. */
  readonly notFollowed: readonly NotFollowed[];
  /** Adds a world to the port, for tests that run in parallel. Rejects if an option is not valid or the id is taken. */
  newWorld(options?: NewWorld): Promise<MockWorld>;
  /**
   * Resets to another initial world: the content of a world file, or the name of a world. Rejects if it is invalid; nothing
   * changes then.
   */
  loadWorld(world: NonNullable<MockOptions['world']>): Promise<void>;
  /** Resolves when all connections are closed, within a second. */
  close(): Promise<void>;
}

/** Rejects if an option is unknown or invalid, the port is taken, a deviation is unknown, or the profile, the certificate or the world file is invalid; nothing listens then. */
export async function startMock(options: MockOptions = {}): Promise<RunningMock> {
  checkOptions(options);
  const { port = 0, host = LOOPBACK, tls, controlToken: token, controlOrigins: origins } = options;
  requireTokenUnlessLoopback(host, token);
  requireTls(tls);
  const world = options.world === undefined ? undefined : await resolveWorld(options.world);
  const profile = await profileOf(options);
  const wrapped = await wrappedApp(options, profile);
  // Requests that arrive before the world is built wait for it.
  const early: Parameters<RequestListener>[] = [];
  let handle: RequestListener = (...exchange) => void early.push(exchange);
  const server = await openServer({ port, host, tls }, (...exchange) => handle(...exchange));
  const { mock, worlds, store } = await makeMockOrStop(server, { ...options, world }, profile);
  handle = handleRequests(worlds, wrapped, { token, origins }, store, options.onRequest);
  for (const exchange of early) handle(...exchange);
  return mock;
}

/** With the world itself instead of its name. */
interface Settings extends Omit<MockOptions, 'world'> {
  readonly world: WorldConfig['world'];
}

async function makeMockOrStop(server: Server, options: Settings, profile: Profile | undefined): Promise<StartedMock> {
  let store: WorldStore | undefined;
  try {
    store = await storeOf(options);
    return await makeMock(server, options, profile, store);
  } catch (error) {
    store?.close();
    await stopServer(server);
    const isInvalid = error instanceof WorldFileError || error instanceof Problem;
    throw store?.saved !== undefined && isInvalid
      ? new StateFileError(String(options.state), `has an invalid world: ${error.message}`)
      : error;
  }
}

/** Loaded on demand: node:sqlite is needed only with a state file. Throws a StateFileError. */
async function storeOf({ state, seed, now, world }: Settings): Promise<WorldStore | undefined> {
  if (state === undefined) return undefined;
  const { openWorldStore, requireNew } = await import('./store/world-store.ts');
  requireNew(state, { seed, now, world });
  return openWorldStore(state);
}

interface StartedMock {
  readonly mock: RunningMock;
  readonly worlds: Worlds;
  readonly store: WorldStore | undefined;
}

async function makeMock(
  server: Server,
  options: Settings,
  profile: Profile | undefined,
  store: WorldStore | undefined,
): Promise<StartedMock> {
  const { host = LOOPBACK, tls } = options;
  const { port } = server.address() as AddressInfo;
  const root = options.publicUrl?.replace(/\/+$/, '') ?? rootOf(tls === undefined ? 'http' : 'https', host, port);
  const addresses = addressesAt(root);
  const mount = { port, path: '', isPublic: options.publicUrl !== undefined };
  const { clock = store?.saved?.origin.clock } = options;
  const given = { ...options, ...store?.saved?.origin, ...(clock && { clock }) };
  const keys = isLoopback(host) ? undefined : exposedKeys(process.env);
  // Once for all worlds and resets.
  const replay = options.replay && createReplay(options.replay);
  const configFor = (world = given.world) => {
    // The world of a state file names all clients, also those of the default world.
    const replacesClientSecrets = !hasOwnClients(world === given.world ? options.world : world);
    const config = { ...worldConfig({ ...given, world }, addresses, profile), mount, ...(replay && { replay }) };
    return { ...config, ...(keys && { keys: { ...keys, replacesClientSecrets } }) };
  };
  const worlds: Worlds = { first: serveWorld(configFor()), others: new Map(), root, configFor };
  await store?.begin(worlds.first, options.clock);
  limitRequests(server, worlds.first);
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
    loadWorld: async (next) => {
      checkOptions({ world: next });
      const world = await resolveWorld(next);
      await reloadWorld(worlds.first, configFor(world));
      limitRequests(server, worlds.first);
      await store?.commit({ method: 'PUT', path: '/' });
    },
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

/** Whether a world file defines the clients; those of the worlds that come with assay are public. */
function hasOwnClients(world: WorldConfig['world']): boolean {
  return typeof world === 'object' && world.clients !== undefined;
}

/** Throws a TypeError if the certificate cannot be served with the key. */
function requireTls(tls: MockOptions['tls']): void {
  const problem = tls && tlsProblem(tls);
  if (problem !== undefined) throw new TypeError(`startMock: tls.${problem.option} ${problem.reason}.`);
}

/** As the limits of the world say. */
function limitRequests(server: Server, { world: { limits } }: ServedWorld): void {
  limitBodies(server, limits);
  server.requestTimeout = limits.requestSeconds * 1000;
  // Node exchanges the two if that of the headers is longer, and a body would then have the longer one.
  server.headersTimeout = server.requestTimeout;
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
  const faulty = deviate.length === 0 ? following : await withDeviations(following, [deviate].flat());
  return latency === undefined ? faulty : withLatency(faulty, latency, createRandom(seed));
}

async function withDeviations(inner: App, ids: readonly string[]): Promise<App> {
  const { deviation } = await import('./deviations/index.ts');
  return ids.reduce((wrapped, id) => deviation(id).wrap(wrapped), inner);
}

function rootOf(protocol: 'http' | 'https', host: string, port: number): string {
  return `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Names of sandboxes are below localhost, so a proxy elsewhere gets no requests to them. */
function sandboxUrlsAt(publicUrl: string | undefined): SandboxUrls {
  if (publicUrl === undefined) return 'host';
  const { hostname, pathname } = new URL(publicUrl);
  return isLoopback(hostname) && pathname === '/' ? 'host' : 'path';
}

function worldConfig(
  options: Settings,
  addresses: Addresses,
  profile: Profile | undefined,
): Omit<WorldConfig, 'mount'> {
  const { seed = DEFAULT_SEED, clock = 'running', brand = DEFAULT_BRAND, world } = options;
  const { onlyDocumented = false, sandboxUrls = sandboxUrlsAt(options.publicUrl), upstream } = options;
  return {
    seed,
    now: instantOf(options.now) ?? Date.now(),
    clock,
    brand,
    onlyDocumented,
    sandboxUrls,
    addresses,
    choices: profile?.choices ?? defaultChoices,
    trustedOrigins: options.controlOrigins ?? [],
    ...(options.tls && { certificate: Buffer.from(options.tls.cert).toString() }),
    ...(world && { world }),
    ...(upstream !== undefined && { upstream, prefersUpstream: options.prefer === 'upstream' }),
    ...(profile && { following: profile.following }),
  };
}
