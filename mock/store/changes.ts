/** Finds what changed in a world since it was last saved. */
import type { Resource } from '../state/resources.ts';
import { saveCredential, saveMember, type SavedMember } from '../world/snapshot.ts';
import { snapshotSchema } from '../world/snapshot-schema.ts';
import type { World } from '../world/world.ts';
import { containersOf, withoutParts, type Container } from './containers.ts';
import type { Entry } from './state-file.ts';
import { trackMap } from './tracked-map.ts';

export interface Changes {
  /** Every entry of the world. Members come before their parts. */
  readonly all: readonly Entry[];
  /** Entries that changed since the last call, or since the tracking began; without a value: deleted. */
  next(): Entry[];
}

/** All others change only when a reset or a restored snapshot replaces the world. */
const changingMembers: readonly SavedMember[] = [
  'clock',
  'random',
  'tokenIssuers',
  'workspaces',
  'invitations',
  'callers',
  'clients',
  'connectionSecrets',
  'inference',
  'lifecycles',
];
const allMembers = Object.keys(snapshotSchema.shape).filter((name) => name !== 'snapshot') as SavedMember[];

export function trackChanges(world: World): Changes {
  const changedMembers = trackMembers(world);
  const tracked = trackMaps(world);
  const changedContainers = trackContainers(world);
  return {
    all: [...changedMembers(allMembers), ...tracked.all, ...changedContainers()],
    next: () => [...changedMembers(changingMembers), ...tracked.next(), ...changedContainers()],
  };
}

function trackMembers(world: World): (names: readonly SavedMember[]) => Entry[] {
  const saved = new Map<SavedMember, string>();
  return (names) =>
    names.flatMap((member) => {
      const value = JSON.stringify(withoutParts(member, saveMember(world, member)));
      if (saved.get(member) === value) return [];
      saved.set(member, value);
      return [{ member, key: '', value }];
    });
}

/** Parts of a container as they were saved, by key. */
interface SavedContainer {
  readonly path: readonly string[];
  readonly parts: Map<string, unknown>;
}

/** Compares the parts of all containers with those of the last call. */
function trackContainers(world: World): () => Entry[] {
  const saved = new Map<string, SavedContainer>();
  return () => {
    const entries: Entry[] = [];
    const missing = new Set(saved.keys());
    for (const container of containersOf(world)) {
      const { path } = container;
      const id = path.join('\0');
      const before = saved.get(id) ?? { path, parts: new Map<string, unknown>() };
      saved.set(id, before);
      missing.delete(id);
      addChangedParts(entries, container, before.parts);
    }
    for (const id of missing) {
      const { path, parts } = saved.get(id)!;
      for (const key of parts.keys()) entries.push(entryAt([...path, key], undefined));
      saved.delete(id);
    }
    return entries;
  };
}

/** Adds an entry for each part that is not as saved, and updates `saved`. */
function addChangedParts(
  entries: Entry[],
  { path, parts, save = (part: unknown) => part }: Container,
  saved: Map<string, unknown>,
): void {
  for (const [key, part] of parts) {
    if (saved.get(key) === part) continue;
    saved.set(key, part);
    entries.push(entryAt([...path, key], save(part as never, key)));
  }
  if (saved.size === parts.length) return;
  const keys = new Set(parts.map(([key]) => key));
  for (const key of saved.keys()) {
    if (keys.has(key)) continue;
    saved.delete(key);
    entries.push(entryAt([...path, key], undefined));
  }
}

/** These maps are too large to be compared. */
function trackMaps({ resources, lifetimes, credentials }: World): Changes {
  /** By entry: a deletion and a creation are both needed, because a new entry comes last. */
  const changed = new Map<string, Entry[]>();
  const note = (path: readonly string[], value: unknown): void => {
    const entry = entryAt(path, value);
    const id = `${entry.member} ${entry.key}`;
    const deletion = changed.get(id)?.filter((each) => each.value === undefined) ?? [];
    changed.set(id, entry.value === undefined ? [entry] : [...deletion, entry]);
  };
  const trackCollection = (collection: string, ofCollection: Map<string, Resource>): void => {
    trackMap(ofCollection, (name, resource) => note(['resources', collection, name], resource));
  };
  for (const [collection, ofCollection] of resources) trackCollection(collection, ofCollection);
  // The names in a collection that is deleted.
  const collections = new Map(resources);
  trackMap(resources, (collection, added) => {
    const names = (added ?? collections.get(collection))?.keys() ?? [];
    for (const name of names) note(['resources', collection, name], added?.get(name));
    if (added === undefined) collections.delete(collection);
    else {
      collections.set(collection, added);
      trackCollection(collection, added);
    }
  });
  trackMap(lifetimes, (uuid, lifetime) => note(['lifetimes', uuid], lifetime));
  trackMap(credentials, (token, credential) =>
    note(['credentials', token], credential && saveCredential([token, credential])),
  );
  const all = [
    ...[...resources].flatMap(([collection, ofCollection]) =>
      [...ofCollection].map(([name, resource]) => entryAt(['resources', collection, name], resource)),
    ),
    ...[...lifetimes].map(([uuid, lifetime]) => entryAt(['lifetimes', uuid], lifetime)),
    ...[...credentials].map((credential) => entryAt(['credentials', credential[0]], saveCredential(credential))),
  ];
  return {
    all,
    next: () => {
      const entries = [...changed.values()].flat();
      changed.clear();
      return entries;
    },
  };
}

/** An undefined value deletes the entry. */
function entryAt([member = '', ...keys]: readonly string[], value: unknown): Entry {
  return { member, key: JSON.stringify(keys), value: value === undefined ? undefined : JSON.stringify(value) };
}
