/** The insides of every sandbox of a world, made when first reached. */
import { createFilesystem, type Filesystem } from './filesystem.ts';
import type { Uploads } from './uploads.ts';
import { createWatchers, type Watchers } from './watchers.ts';

/** Plain data. */
interface Inside {
  /** The uuid of the sandbox it belongs to: one created again under the same name starts empty. */
  readonly uuid: string;
  readonly filesystem: Filesystem;
  readonly uploads: Uploads;
}

/** By workspace and name, as a snapshot holds them. */
export type SavedSandboxes = Readonly<Record<string, Inside>>;

export interface Sandbox extends Inside {
  readonly watchers: Watchers;
}

export interface Sandboxes {
  open(workspace: string, name: string, uuid: string): Sandbox;
  /** Ends every watch of a sandbox, and forgets its files and uploads. */
  drop(workspace: string, name: string): void;
  save(): SavedSandboxes;
  /** Ends every watch, as a world does that is reset or goes. */
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
    close: () => {
      for (const { watchers } of sandboxes.values()) watchers.closeAll();
    },
  };
}

function insideOf({ uuid, filesystem, uploads }: Sandbox): Inside {
  return structuredClone({ uuid, filesystem, uploads });
}
