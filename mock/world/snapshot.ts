/** Saves a world as JSON and restores it, without loss. A member of World without a row here does not compile. */
import { limitsWith } from '../../spec/formats/mock-limits.ts';
import { resumeRequests } from '../domains/inference/async-requests.ts';
import { createSandboxes } from '../domains/sandbox/sandboxes.ts';
import type { OAuthState } from '../state/oauth.ts';
import type { Credential } from '../state/accounts.ts';
import { createClock, timestamp } from '../time/clock.ts';
import { checkSnapshot, unknownName } from './check-snapshot.ts';
import { newWorld, type WorldOptions } from './load.ts';
import { createRandom } from '../time/random.ts';
import type { Snapshot } from './snapshot-schema.ts';
import type { World } from './world.ts';

type SavedOAuth = Snapshot['oauth'];
type SavedCredential = Snapshot['credentials'][number];

/** How a member is saved and restored; `made`: derived from the other members or from the mock's options. */
type Member<Name extends keyof World> =
  | 'made'
  | { readonly save: (world: World) => unknown; readonly restore: (saved: Snapshot, made: World) => World[Name] };

const members: { readonly [Name in keyof World]: Member<Name> } = {
  seed: { save: ({ seed }) => seed, restore: ({ seed }) => seed },
  signingKey: 'made',
  tokenIssuers: { save: ({ tokenIssuers }) => tokenIssuers, restore: ({ tokenIssuers = [] }) => [...tokenIssuers] },
  brand: 'made',
  headers: 'made',
  addresses: 'made',
  mount: 'made',
  sandboxUrls: 'made',
  onlyDocumented: 'made',
  choices: 'made',
  clock: {
    save: ({ clock }) => ({ now: timestamp(clock.now()), mode: clock.mode() }),
    restore: (_, { clock }) => clock,
  },
  random: { save: ({ random }) => random.state(), restore: ({ random }) => createRandom(random) },
  limits: { save: ({ limits }) => limits, restore: ({ limits }) => limitsWith(limits) },
  trustedOrigins: 'made',
  accounts: { save: ({ accounts }) => [...accounts.values()], restore: (saved) => byKey(saved.accounts, 'id') },
  workspaces: {
    save: ({ workspaces }) => [...workspaces.values()],
    restore: (saved) => byKey(saved.workspaces, 'name'),
  },
  invitations: { save: ({ invitations }) => [...invitations], restore: (saved) => new Map(saved.invitations) },
  callers: { save: ({ callers }) => [...callers.values()], restore: (saved) => byKey(saved.callers, 'id') },
  // After the callers, because a credential refers to one.
  credentials: {
    save: ({ credentials }) => [...credentials].map(saveCredential),
    restore: (saved, { callers }) => new Map(saved.credentials.map((each) => restoredCredential(each, callers))),
  },
  namedCredentials: { save: (world) => world.namedCredentials, restore: (saved) => saved.namedCredentials },
  integrations: {
    save: ({ integrations }) => [...integrations.values()],
    restore: (saved) => byKey(saved.integrations, 'name'),
  },
  connectionSecrets: {
    save: ({ connectionSecrets }) => [...connectionSecrets],
    restore: (saved) => new Map(saved.connectionSecrets),
  },
  verifyOnCreate: { save: (world) => world.verifyOnCreate, restore: (saved) => saved.verifyOnCreate },
  resources: {
    save: ({ resources }) => Object.fromEntries([...resources].map(([key, of]) => [key, [...of.values()]])),
    restore: (saved) => new Map(Object.entries(saved.resources).map(([key, of]) => [key, byKey(of, 'name')])),
  },
  lifetimes: { save: ({ lifetimes }) => [...lifetimes.values()], restore: (saved) => byKey(saved.lifetimes, 'uuid') },
  sandboxes: {
    save: ({ sandboxes }) => sandboxes.save(),
    restore: (saved) => createSandboxes(saved.sandboxes, limitsWith(saved.limits)),
  },
  target: { save: ({ target }) => target, restore: ({ target }) => target },
  openRegistration: 'made',
  clients: { save: ({ clients }) => [...clients.values()], restore: (saved) => byKey(saved.clients, 'id') },
  oauth: { save: ({ oauth }) => savedOAuth(oauth), restore: (saved) => restoredOAuth(saved.oauth) },
  identityProvider: {
    save: ({ identityProvider: { users, clients, state } }) => ({
      users,
      clients: [...clients.values()],
      state: savedOAuth(state),
    }),
    restore: ({ identityProvider: { users, clients, state } }) => ({
      users,
      clients: byKey(clients, 'id'),
      state: restoredOAuth(state),
    }),
  },
  replies: { save: ({ replies }) => replies, restore: ({ replies }) => replies },
  callbackOrigins: { save: (world) => world.callbackOrigins, restore: (saved) => saved.callbackOrigins },
  lifecycles: { save: ({ lifecycles }) => lifecycles, restore: ({ lifecycles }) => lifecycles },
  inference: { save: ({ inference }) => inference, restore: ({ inference }) => inference },
  mcpOrigins: { save: ({ mcpOrigins }) => mcpOrigins, restore: ({ mcpOrigins }) => mcpOrigins },
  // Services are created for the restored data.
  mcp: 'made',
  instances: 'made',
  timers: 'made',
  events: 'made',
  schedule: 'made',
};

/** A member of a snapshot, except its version. */
export type SavedMember = Exclude<keyof Snapshot, 'snapshot'>;

/** One member of a snapshot. Shares objects with the world. */
export function saveMember(world: World, name: SavedMember): unknown {
  const member = members[name];
  return member === 'made' ? undefined : member.save(world);
}

/** Shares objects with the world, so it must be serialized immediately. */
export function saveWorld(world: World): Snapshot {
  const saved = Object.entries(members).flatMap(([name, member]) =>
    member === 'made' ? [] : [[name, member.save(world)] as const],
  );
  return { snapshot: 1, ...Object.fromEntries(saved) } as Snapshot;
}

/**
 * Restores the world of a snapshot, which then continues from the time of the snapshot. Reuses the objects of the
 * snapshot, which must match its schema. Throws a problem or a WorldFileError for anything else that is not valid.
 */
export function restoreWorld(saved: Snapshot, options: Omit<WorldOptions, 'seed' | 'clock'>): World {
  checkSnapshot(saved);
  const clock = createClock(Date.parse(saved.clock.now), saved.clock.mode);
  const empty = { accounts: [], workspaces: [], callers: [], credentials: [], resources: [], target: saved.target };
  // Restored in place, because the services refer to this object.
  const world = newWorld(empty, { ...options, seed: saved.seed, clock });
  for (const [name, member] of Object.entries(members)) {
    if (member !== 'made') Object.assign(world, { [name]: member.restore(saved, world) });
  }
  resumeRequests(world);
  world.schedule.wake();
  return world;
}

function byKey<Item, Key extends keyof Item>(items: readonly Item[], key: Key): Map<Item[Key], Item> {
  return new Map(items.map((item) => [item[key], item]));
}

function savedOAuth(state: OAuthState): SavedOAuth {
  return { codes: [...state.codes], refreshTokens: [...state.refreshTokens], revoked: [...state.revoked] };
}

function restoredOAuth({ codes, refreshTokens, revoked }: SavedOAuth): OAuthState {
  return { codes: new Map(codes), refreshTokens: new Map(refreshTokens), revoked: new Map(revoked) };
}

export function saveCredential([token, { caller, ...rest }]: [string, Credential]): SavedCredential {
  return { token, ...rest, caller: caller.id };
}

function restoredCredential(
  { token, caller: id, ...rest }: SavedCredential,
  callers: World['callers'],
): [string, Credential] {
  const caller = callers.get(id);
  if (caller === undefined) throw unknownName('credentials', 'caller', id, callers.keys());
  return [token, { ...rest, caller }];
}
