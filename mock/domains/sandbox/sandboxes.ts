/** Filesystem, uploads and watchers of each sandbox of a world, created on first use. */
import { createFilesystem, type Filesystem } from './filesystem.ts';
import type { Uploads } from './uploads.ts';
import { createWatchers, type Watchers } from './watchers.ts';

/** Plain data. */
interface Inside {
  /** The uuid of its sandbox: a sandbox that was created again starts empty. */
  readonly uuid: string;
  readonly filesystem: Filesystem;
  readonly uploads: Uploads;
}

/** By workspace and name, as in a snapshot. */
export type SavedSandboxes = Readonly<Record<string, Inside>>;

export interface Sandbox extends Inside {
  readonly watchers: Watchers;
}

export interface Sandboxes {
  open(workspace: string, name: string, uuid: string): Sandbox;
  /** Closes the watch streams of a sandbox, and drops its files and uploads. */
  drop(workspace: string, name: string): void;
  save(): SavedSandboxes;
  /** By workspace and name. Shares objects with the sandboxes. */
  all(): (readonly [key: string, Inside])[];
  /** Closes all watch streams when the world is reset or closed. */
  close(): void;
}

const FIRST_DIRECTORIES = ['/app', '/tmp'];

export function createSandboxes(saved: SavedSandboxes = {}): Sandboxes {
  const sandboxes = new Map<string, Sandbox>();
  for (const [key, inside] of Object.entries(saved)) {
    sandboxes.set(key, { ...structuredClone(inside), watchers: createWatchers() });
  }
  return {
    open: (workspace, name, uuid) => {
      const key = `${workspace}/${name}`;
      const found = sandboxes.get(key);
      if (found?.uuid === uuid) return found;
      found?.watchers.closeAll();
      const fresh = { uuid, filesystem: createFilesystem(FIRST_DIRECTORIES), uploads: {}, watchers: createWatchers() };
      sandboxes.set(key, fresh);
      return fresh;
    },
    drop: (workspace, name) => {
      const key = `${workspace}/${name}`;
      sandboxes.get(key)?.watchers.closeAll();
      sandboxes.delete(key);
    },
    save: () => Object.fromEntries([...sandboxes].map(([key, sandbox]) => [key, insideOf(sandbox)])),
    all: () => [...sandboxes],
    close: () => {
      for (const { watchers } of sandboxes.values()) watchers.closeAll();
    },
  };
}

function insideOf({ uuid, filesystem, uploads }: Sandbox): Inside {
  return structuredClone({ uuid, filesystem, uploads });
}
