/** The world in a state file: read from its entries and put in place of a new one. */
import type { WorldFile } from '../../spec/formats/world-file.ts';
import type { JsonObject } from '../http/json-object.ts';
import { replaceWorld, type ServedWorld } from '../pipeline/served-world.ts';
import type { ClockMode, Instant } from '../time/clock.ts';
import { restoreWorld } from '../world/snapshot.ts';
import { snapshotSchema, type Snapshot } from '../world/snapshot-schema.ts';
import type { Entry } from './state-file.ts';
import { StateFileError } from './state-file-error.ts';

/** What the file was created with, for reset. */
export interface Origin {
  readonly seed: number;
  readonly now: Instant;
  readonly clock: ClockMode;
  readonly world: WorldFile;
}

export interface SavedWorld {
  readonly origin: Origin;
  readonly snapshot: Snapshot;
}

/** Throws a StateFileError if the entries are not those of a world. */
export function readSavedWorld(file: string, entries: readonly Entry[]): SavedWorld {
  const members: JsonObject = {};
  for (const { member, key, value = '' } of entries) {
    const [content, path] = parseEntry(file, value, key);
    if (path.length === 0) members[member] = content;
    else addPart((members[member] ??= {}) as JsonObject, path, content);
  }
  const { origin, ...rest } = members;
  const snapshot = { snapshot: 1, ...rest };
  const problem = snapshotSchema.safeParse(snapshot).error?.issues[0]?.path.join('.');
  if (problem !== undefined) throw new StateFileError(file, `was written by another version of assay (${problem}).`);
  return { origin: origin as Origin, snapshot: snapshot as unknown as Snapshot };
}

function parseEntry(file: string, value: string, key: string): [content: unknown, path: string[]] {
  try {
    return [JSON.parse(value), key === '' ? [] : (JSON.parse(key) as string[])];
  } catch {
    throw new StateFileError(file, 'is damaged: an entry is not JSON.');
  }
}

/** Puts a saved world in place of the served one, in this mode of the clock if there is one. */
export async function restoreSavedWorld(
  served: ServedWorld,
  { snapshot }: SavedWorld,
  clock: ClockMode | undefined,
): Promise<void> {
  await replaceWorld(served, restoreWorld(snapshot, served.config));
  if (clock === 'frozen') served.world.clock.freeze();
  else if (clock === 'running') served.world.clock.run();
}

/** A missing container is an array: collections of resources, and usage by uuid. */
function addPart(parent: JsonObject, [key = '', ...rest]: readonly string[], content: unknown): void {
  if (rest.length > 0) addPart((parent[key] ??= []) as JsonObject, rest, content);
  else if (Array.isArray(parent)) parent.push(content);
  else parent[key] = content;
}
