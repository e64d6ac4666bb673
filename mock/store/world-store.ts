/** Keeps the first world of a mock in a state file: what a request changed is written before its response is sent. */
import { setImmediate } from 'node:timers/promises';
import { completeWorld } from '../../fixtures/worlds/named-worlds.ts';
import type { Context } from '../pipeline/context.ts';
import type { ServedWorld } from '../pipeline/served-world.ts';
import type { ClockMode } from '../time/clock.ts';
import type { World } from '../world/world.ts';
import { trackChanges, type Changes } from './changes.ts';
import { readSavedWorld, restoreSavedWorld, type Origin, type SavedWorld } from './saved-world.ts';
import { hasState, openStateFile, type Entry, type StateFile } from './state-file.ts';
import { StateFileError } from './state-file-error.ts';

export interface WorldStore {
  /** Undefined if the file is new. */
  readonly saved?: SavedWorld;
  /** Restores the saved world, in this mode of the clock if there is one; saves the whole world, and from then on only changes. */
  begin(served: ServedWorld, clock: ClockMode | undefined): Promise<void>;
  /**
   * Resolves when everything that requests have changed so far is written; undefined if it is. Rejects if what this request
   * has changed cannot be written: the response must not say that it succeeded.
   */
  commit(request: Pick<Context, 'method' | 'path'>): Promise<void> | undefined;
  /** Writes everything that has changed, and closes the file. */
  close(): void;
}

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
    const saved = entries.length === 0 ? undefined : readSavedWorld(file, entries);
    return { ...(saved && { saved }), ...writerOf(stateFile, saved) };
  } catch (error) {
    stateFile.close();
    throw error;
  }
}

function writerOf(file: StateFile, saved: SavedWorld | undefined): Omit<WorldStore, 'saved'> {
  let served: ServedWorld | undefined;
  let tracked: { readonly world: World; readonly changes: Changes } | undefined;
  let saving: Promise<void> | undefined;

  const save = (): void => {
    if (served === undefined) return;
    const { world } = served;
    const before = tracked;
    // After a failed write, the next one writes everything.
    tracked = undefined;
    if (world === before?.world) {
      file.write(before.changes.next());
      tracked = before;
      return;
    }
    // A reset or a restored snapshot has replaced the world.
    const changes = trackChanges(world);
    file.write([...entriesOfOrigin(served), ...changes.all], true);
    tracked = { world, changes };
  };
  /** Together with the changes of all requests that arrive at the same time: one transaction costs as much as the rest of a request. */
  const saveSoon = async (): Promise<void> => {
    await setImmediate();
    saving = undefined;
    save();
  };
  return {
    begin: async (first, clock) => {
      if (saved !== undefined) await restoreSavedWorld(first, saved, clock);
      // Only now: closing the store leaves a file as it is whose world cannot be restored.
      served = first;
      save();
    },
    commit: (request) => {
      const wakesSandboxes = served?.world.lifecycles.plan.sandboxes !== undefined;
      if (wakesSandboxes || mayWrite(request)) return (saving ??= saveSoon());
      // What a response contains is saved before. If that fails, the response to the write says so, and the next write saves it.
      return saving?.catch(() => {});
    },
    close: () => {
      save();
      served = undefined;
      file.close();
    },
  };
}

/** A GET of an authorization endpoint issues a code; no other changes anything, except that it may wake up a sandbox. */
function mayWrite({ method, path }: Pick<Context, 'method' | 'path'>): boolean {
  return (method !== 'GET' && method !== 'HEAD') || path.endsWith('/authorize');
}

function entriesOfOrigin({ config }: ServedWorld): Entry[] {
  const { seed, now, clock, world: file } = config;
  const origin: Origin = { seed, now, clock, world: completeWorld(file, seed, now) };
  return [{ member: 'origin', key: '', value: JSON.stringify(origin) }];
}
