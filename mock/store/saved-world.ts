/** The world in a state file: read from its entries and put in place of a new one. */
import { z } from 'zod';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { readFormat } from '../../spec/formats/read-format.ts';
import type { WorldFile } from '../../spec/formats/world-file.ts';
import type { JsonObject } from '../../spec/json-object.ts';
import { replaceWorld, type ServedWorld } from '../pipeline/served-world.ts';
import type { ClockMode, Instant } from '../time/clock.ts';
import { WorldFileError } from '../state/world-file-error.ts';
import { worldFile } from '../world/check-world-file.ts';
import { restoreWorld } from '../world/snapshot.ts';
import { instant, mayHoldToken, snapshotSchema, type Snapshot } from '../world/snapshot-schema.ts';
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

const originSchema = z.strictObject({
  seed: z.int(),
  now: instant,
  clock: z.enum(['running', 'frozen']),
  world: z.unknown(),
});

/** Throws a StateFileError if the entries are not those of a world. restoreSavedWorld finds what else is wrong with the world. */
export function readSavedWorld(file: string, entries: readonly Entry[]): SavedWorld {
  const members: JsonObject = {};
  for (const { member, key, value = '' } of entries) {
    const [content, path] = parseEntry(file, value, key);
    if (!addEntry(members, [member, ...path], content))
      throw new StateFileError(file, `is damaged: the entry ${member} ${key} is part of none.`);
  }
  const { origin, ...rest } = members;
  const snapshot = { snapshot: 1, ...rest };
  try {
    readFormat(originSchema, origin);
    worldFile((origin as Origin).world, 'its first world');
    readFormat(snapshotSchema, snapshot, mayHoldToken);
  } catch (error) {
    if (!(error instanceof InvalidInput || error instanceof WorldFileError)) throw error;
    throw new StateFileError(file, `is damaged, or was written by another version of assay: ${error.message}`);
  }
  return { origin: origin as Origin, snapshot: snapshot as unknown as Snapshot };
}

const keyPath = z.array(z.string());

function parseEntry(file: string, value: string, key: string): [content: unknown, path: string[]] {
  try {
    return [JSON.parse(value), key === '' ? [] : keyPath.parse(JSON.parse(key))];
  } catch {
    throw new StateFileError(file, 'is damaged: an entry is not JSON.');
  }
}

/** Puts a saved world in place of the served one, in this mode of the clock if there is one. Throws as restoreWorld does. */
export async function restoreSavedWorld(
  served: ServedWorld,
  { snapshot }: SavedWorld,
  clock: ClockMode | undefined,
): Promise<void> {
  await replaceWorld(served, restoreWorld(snapshot, served.config));
  if (clock === 'frozen') served.world.clock.freeze();
  else if (clock === 'running') served.world.clock.run();
}

/** A missing container is an array: collections of resources, and usage by uuid. False if a part of the path is not a container. */
function addEntry(parent: unknown, [key = '', ...rest]: readonly string[], content: unknown): boolean {
  if (typeof parent !== 'object' || parent === null || key === '__proto__') return false;
  const container = parent as JsonObject;
  if (rest.length > 0) return addEntry((container[key] ??= []), rest, content);
  if (Array.isArray(parent)) parent.push(content);
  else container[key] = content;
  return true;
}
