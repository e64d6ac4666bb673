/** Keeps the first world of a mock in a state file: what a request changed is written before its response is sent. */
import type { WorldFile } from '../../spec/formats/world-file.ts';
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import type { Context } from '../pipeline/context.ts';
import { replaceWorld, type ServedWorld } from '../pipeline/served-world.ts';
import type { ClockMode, Instant } from '../time/clock.ts';
import { restoreWorld, saveCredential, saveMember, type SavedMember } from '../world/snapshot.ts';
import { snapshotSchema, type Snapshot } from '../world/snapshot-schema.ts';
import type { World } from '../world/world.ts';
import { hasState, openStateFile, type Entry, type StateFile } from './state-file.ts';
import { StateFileError } from './state-file-error.ts';
import { trackMap } from './tracked-map.ts';

/** What the file was created with, for reset. */
export interface Origin {
  readonly seed: number;
  readonly now: Instant;
  readonly world: WorldFile;
}

interface Saved {
  readonly origin: Origin;
  /** The address of the mock that wrote it, which is part of its integrations. */
  readonly host: string;
  readonly snapshot: Snapshot;
}

export interface WorldStore {
  /** Undefined if the file is new. */
  readonly saved?: Saved;
  /** Restores the saved world, in this mode of the clock if there is one; saves the whole world, and from then on only changes. */
  begin(served: ServedWorld, clock: ClockMode | undefined): Promise<void>;
  /** Writes what a request has changed. Throws if it cannot: the response must not say that it succeeded. */
  commit(request: Pick<Context, 'method' | 'path'>): void;
  /** Writes everything that has changed, and closes the file. */
  close(): void;
}

/** Members whose entries are saved one by one; all others are one entry each. */
const byEntry = ['resources', 'lifetimes', 'credentials'] as const;
/** Members that any write may change. */
const small: readonly SavedMember[] = ['callers', 'workspaces', 'invitations', 'connectionSecrets'];
/** Members that change only by calls of workloads, executions, OAuth, files and control calls. */
const large: readonly SavedMember[] = [
  'clock',
  'random',
  'sandboxes',
  'oauth',
  'identityProvider',
  'inference',
  'lifecycles',
];

/** Throws a StateFileError if the file has a state, and one of these options is set: the file has its own. */
export function requireNew(file: string, options: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(options).filter((name) => options[name] !== undefined);
  if (given.length > 0 && hasState(file))
    throw new StateFileError(
      file,
      `exists and has its own world; omit ${given.map((name) => `--${name}`).join(' and ')}.`,
    );
}

/** Throws a StateFileError if the file cannot be used; it is not changed then. */
export function openWorldStore(file: string): WorldStore {
  const stateFile = openStateFile(file);
  try {
    const entries = stateFile.entries();
    const saved = entries.length === 0 ? undefined : readSaved(file, entries);
    return { ...(saved && { saved }), ...writerOf(stateFile, saved) };
  } catch (error) {
    stateFile.close();
    throw error;
  }
}

function writerOf(file: StateFile, saved: Saved | undefined): Omit<WorldStore, 'saved'> {
  let served: ServedWorld | undefined;
  /** The world whose changes are tracked. */
  let tracked: World | undefined;
  const changed = new Map<string, Entry>();
  /** The last written value of members that are one entry. */
  const written = new Map<string, string>();

  const note: Note = (member, key, value) => {
    changed.set(`${member} ${key}`, { member, key, value: value === undefined ? undefined : JSON.stringify(value) });
  };
  const noteMember = (world: World, member: SavedMember): void => {
    const value = JSON.stringify(saveMember(world, member));
    if (written.get(member) === value) return;
    written.set(member, value);
    changed.set(member, { member, key: '', value });
  };
  const saveAll = ({ world, config }: ServedWorld): void => {
    changed.clear();
    written.clear();
    for (const member of savedMembers) if (!isByEntry(member)) noteMember(world, member);
    const { seed, now, world: initial = defaultWorld(seed, now) } = config;
    const origin: Origin = { seed, now, world: initial };
    const rows = [row('origin', '', origin), row('host', '', world.addresses.host), ...changed.values()];
    file.write([...rows, ...allEntries(world)], true);
    changed.clear();
    track(world, note);
    tracked = world;
  };
  const save = (members: readonly SavedMember[]): void => {
    if (served === undefined) return;
    // A reset or a restored snapshot replaces the world.
    if (served.world !== tracked) return saveAll(served);
    for (const member of members) noteMember(served.world, member);
    if (changed.size === 0) return;
    for (const member of ['clock', 'random'] as const) noteMember(served.world, member);
    file.write(changed.values());
    changed.clear();
  };
  return {
    begin: async (first, clock) => {
      served = first;
      if (saved !== undefined) await restore(first, saved, clock);
      saveAll(first);
    },
    commit: ({ method, path }) => {
      const { deploy, sandboxes } = served?.world.lifecycles.plan ?? {};
      // A GET may wake up a sandbox.
      if (sandboxes === undefined && !mayWrite(method, path)) return;
      const isSmall = deploy === undefined && path.startsWith('/v0/') && !path.endsWith('/executions');
      save(isSmall ? small : [...small, ...large]);
    },
    close: () => {
      save([...small, ...large]);
      served = undefined;
      file.close();
    },
  };
}

/** A GET of an authorization endpoint issues a code; no other changes anything that is saved. */
function mayWrite(method: string, path: string): boolean {
  return method !== 'GET' && method !== 'HEAD' ? true : path.endsWith('/authorize');
}

async function restore(served: ServedWorld, { snapshot, host }: Saved, clock: ClockMode | undefined): Promise<void> {
  const { addresses } = served.config;
  const integrations = JSON.stringify(snapshot.integrations).replaceAll(`${host}/`, `${addresses.host}/`);
  const moved = { ...snapshot, integrations: JSON.parse(integrations) as Snapshot['integrations'] };
  await replaceWorld(served, restoreWorld(moved, served.config));
  if (clock === 'frozen') served.world.clock.freeze();
  else if (clock === 'running') served.world.clock.run();
}

const savedMembers = Object.keys(snapshotSchema.shape).filter((name) => name !== 'snapshot') as SavedMember[];

function isByEntry(member: string): boolean {
  return (byEntry as readonly string[]).includes(member);
}

type Note = (member: (typeof byEntry)[number], key: string, value: unknown) => void;

function* allEntries({ resources, lifetimes, credentials }: World): Generator<Entry> {
  for (const [collection, ofCollection] of resources)
    for (const [name, resource] of ofCollection) yield row('resources', resourceKey(collection, name), resource);
  for (const [uuid, lifetime] of lifetimes) yield row('lifetimes', uuid, lifetime);
  for (const [token, credential] of credentials) yield row('credentials', token, saveCredential([token, credential]));
}

function row(member: string, key: string, value: unknown): Entry {
  return { member, key, value: JSON.stringify(value) };
}

function track({ resources, lifetimes, credentials }: World, note: Note): void {
  const trackCollection = (
    collection: string,
    ofCollection: World['resources'] extends Map<string, infer Of> ? Of : never,
  ) => trackMap(ofCollection, (name, resource) => note('resources', resourceKey(collection, name), resource));
  for (const [collection, ofCollection] of resources) trackCollection(collection, ofCollection);
  const names = new Map([...resources].map(([collection, ofCollection]) => [collection, ofCollection]));
  trackMap(resources, (collection, ofCollection) => {
    if (ofCollection === undefined) {
      for (const name of names.get(collection)?.keys() ?? [])
        note('resources', resourceKey(collection, name), undefined);
      names.delete(collection);
      return;
    }
    names.set(collection, ofCollection);
    for (const [name, resource] of ofCollection) note('resources', resourceKey(collection, name), resource);
    trackCollection(collection, ofCollection);
  });
  trackMap(lifetimes, (uuid, lifetime) => note('lifetimes', uuid, lifetime));
  trackMap(credentials, (token, credential) =>
    note('credentials', token, credential && saveCredential([token, credential])),
  );
}

/** No collection and no name contains a space. */
function resourceKey(collection: string, name: string): string {
  return `${collection} ${name}`;
}

function readSaved(file: string, entries: readonly Entry[]): Saved {
  const lists = { lifetimes: [] as unknown[], credentials: [] as unknown[] };
  const resources: Record<string, unknown[]> = {};
  const members: Record<string, unknown> = {};
  for (const { member, key, value = '' } of entries) {
    const content: unknown = JSON.parse(value);
    if (member === 'resources') (resources[key.split(' ')[0] ?? ''] ??= []).push(content);
    else if (member === 'lifetimes' || member === 'credentials') lists[member].push(content);
    else members[member] = content;
  }
  const { origin, host, ...rest } = members;
  const snapshot = { snapshot: 1, ...rest, ...lists, resources };
  const problem = snapshotSchema.safeParse(snapshot).error?.issues[0]?.path.join('.');
  if (problem !== undefined) throw new StateFileError(file, `was written by another version of assay (${problem}).`);
  return { origin: origin as Origin, host: String(host), snapshot: snapshot as unknown as Snapshot };
}
