/** Filesystem, uploads and watchers of each sandbox of a world, created on first use. */
import { createFilesystem, type Filesystem } from './filesystem.ts';
import { limitsWith, type WorldLimits } from '../../../spec/formats/mock-limits.ts';
import { roomOf, type Room } from './room.ts';
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
  /** Throws a problem if something does not fit into the sandbox. */
  readonly room: Room;
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

export function createSandboxes(saved: SavedSandboxes = {}, limits: WorldLimits = limitsWith()): Sandboxes {
  const sandboxes = new Map<string, Sandbox>();
  const opened = (inside: Inside): Sandbox => ({
    ...inside,
    watchers: createWatchers(),
    room: roomOf(limits, inside, () => sandboxes.values()),
  });
  for (const [key, inside] of Object.entries(saved)) {
    sandboxes.set(key, opened(insideOf(inside)));
  }
  return {
    open: (workspace, name, uuid) => {
      const key = `${workspace}/${name}`;
      const found = sandboxes.get(key);
      if (found?.uuid === uuid) return found;
      found?.watchers.closeAll();
      const fresh = opened({ uuid, filesystem: createFilesystem(FIRST_DIRECTORIES), uploads: {} });
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

/** A copy of everything that changes: entries and parts are replaced as a whole. */
function insideOf({ uuid, filesystem, uploads }: Inside): Inside {
  const copies = Object.entries(uploads).map(
    ([id, upload]) => [id, { ...upload, parts: { ...upload.parts } }] as const,
  );
  return { uuid, filesystem: { entries: { ...filesystem.entries } }, uploads: Object.fromEntries(copies) };
}
