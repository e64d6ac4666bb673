/** Access to the files of the sandbox of a request. */
import { isFor, repliesWith, type App, type Fault } from '../deviation.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { listDirectory } from '../../domains/sandbox/filesystem.ts';
import type { DirectoryEntry, FileEntry } from '../../domains/sandbox/filesystem.ts';
import { absolutePath } from '../../domains/sandbox/path.ts';
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import type { Sandbox } from '../../domains/sandbox/sandboxes.ts';

export type Entries = Record<string, FileEntry | DirectoryEntry>;

export function isFile(entry: Entries[string] | undefined): entry is FileEntry {
  return entry?.kind === 'file';
}

/** The sandbox and the absolute path of a request. Undefined for another operation. */
export function directoryOf(ctx: Context, id: OperationId): { sandbox: Sandbox; directory: string } | undefined {
  const route = routeOf(ctx);
  if (route?.operation.id !== id) return undefined;
  const { world } = ctx.state;
  const workspace = world.workspaces.get(route.params['workspace'] ?? '');
  if (workspace === undefined) return undefined;
  const sandbox = sandboxOf({ world, workspace, path: route.params });
  return { sandbox, directory: absolutePath(route.params['path'] ?? '') };
}

/** What a tree write did. */
export interface TreeWrite {
  /** As they are after it; to be changed. */
  readonly entries: Entries;
  readonly before: Readonly<Entries>;
  /** Absolute, as all paths here. */
  readonly directory: string;
  readonly written: readonly string[];
}

/** Called before each write. Returns a function that is called if the write succeeds. */
export function aroundWrite(begin: (sandbox: Sandbox, ctx: Context) => Promise<AfterWrite> | AfterWrite): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const place = directoryOf(ctx, 'writeTree');
      if (place === undefined) return app(ctx);
      const { entries } = place.sandbox.filesystem;
      const before = { ...entries };
      const then = await begin(place.sandbox, ctx);
      await app(ctx);
      if (ctx.state.reply?.status !== 200) return;
      then({ entries, before, directory: place.directory, written: writtenBy(ctx, place.directory) });
    };
  return { kind: 'change files', condition: 'writeTree', wrap };
}

type AfterWrite = (write: TreeWrite) => void;

/** Modifies the files after each successful write. The response lists the modified files. */
export function afterWrite(edit: AfterWrite): Fault {
  return aroundWrite(({ filesystem }, ctx) => (write) => {
    edit(write);
    ctx.state.reply = { status: 200, body: listDirectory(filesystem, write.directory) };
  });
}

/** Absolute paths of the files that a write names. */
export function writtenBy(ctx: Context, directory: string): string[] {
  const { files = {} } = (ctx.state.body ?? {}) as { files?: object };
  return Object.keys(files).map((path) => absolutePath(path, directory));
}

/** Replaces the response if `edit` returns one. */
export function respondsTo(
  id: OperationId,
  edit: (ctx: Context, status: number) => { status: number; body: unknown } | undefined,
): Fault {
  const deviation = repliesWith(({ status }, ctx) => (isFor(ctx, [id]) ? edit(ctx, status) : undefined));
  return { ...deviation, condition: id };
}

export const failure = (status: number, error: string) => ({ status, body: { error } });
