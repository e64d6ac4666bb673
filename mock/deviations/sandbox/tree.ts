/** Deviations of the files and directories that a tree write stores. */
import { bodyOf, isFor, stateful, type App, type Fault } from '../deviation.ts';
import { merged, type Table } from '../table.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { isBelow, nameOf, parentPath } from '../../domains/sandbox/path.ts';
import type { Context } from '../../pipeline/context.ts';
import { byApiKey, inHeader } from '../auth/conditions.ts';
import { lists, measures, type ListedFile } from './listing.ts';
import {
  afterWrite,
  directoryOf,
  failure,
  respondsTo,
  aroundWrite,
  isFile,
  writtenBy,
  type Entries,
} from './tree-access.ts';

/** As it was before the write, or not there. */
function putBack(entries: Entries, before: Readonly<Entries>, path: string): void {
  const was = before[path];
  if (was === undefined) delete entries[path];
  else entries[path] = was;
}

/** Leaves files as they were before. */
function loses(concerns: (path: string) => boolean): Fault {
  return afterWrite(({ entries, before, written }) => {
    for (const path of written.filter(concerns)) putBack(entries, before, path);
  });
}

/** Stores files with another path. */
const renamed =
  (rename: (path: string) => string) =>
  ({ entries, written }: { readonly entries: Entries; readonly written: readonly string[] }): void => {
    for (const path of written.filter((each) => rename(each) !== each)) {
      entries[rename(path)] = entries[path]!;
      delete entries[path];
    }
  };

/** Reads the path of a tree write as another one. Both are percent-encoded. */
function readsPath(edit: (path: string) => string): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const sent = ctx.url;
      if (isFor(ctx, ['writeTree'])) ctx.path = edit(ctx.path);
      await app(ctx);
      ctx.url = sent;
    };
  return { kind: 'change request', condition: 'writeTree', wrap };
}

/** Responds to some writes as if they had been stored. */
function passesOver(applies: (ctx: Context) => boolean): Fault {
  return aroundWrite((_, ctx) => ({ entries, before, written }) => {
    for (const path of applies(ctx) ? written : []) putBack(entries, before, path);
  });
}

/** Returns 500 for some writes, although they are stored. */
const failsFor = (applies: (ctx: Context) => boolean): Fault =>
  respondsTo('writeTree', (ctx, status) =>
    status === 200 && applies(ctx) ? failure(500, 'Something went wrong.') : undefined,
  );

/** Removes files that were there and that the write did not name. */
function removes(concerns: (path: string, write: { directory: string; written: readonly string[] }) => boolean): Fault {
  return afterWrite(({ entries, before, ...write }) => {
    for (const [path, entry] of Object.entries(before))
      if (isFile(entry) && !write.written.includes(path) && concerns(path, write)) delete entries[path];
  });
}

const responseDeviations: Table = {
  'sandbox.tree.write-answers-listing': {
    'returns 201 for a tree write': respondsTo('writeTree', (ctx, status) =>
      status === 200 ? { status: 201, body: bodyOf(ctx) } : undefined,
    ),
    // The sizes reveal it, so rules about sizes detect it as well.
    'does not truncate a longer previous content': measures((_, size, before) => Math.max(size, before?.size ?? 0)),
    'loses the last of three or more files': afterWrite(({ entries, before, written }) => {
      const last = written.at(-1);
      if (last !== undefined && written.length > 2) putBack(entries, before, last);
    }),
    'does not store files whose names begin with a dot': loses((path) => nameOf(path).startsWith('.')),
    'does not list files whose names begin with a dot': lists(({ files }) => ({
      files: files.filter(({ name }) => !name.startsWith('.')),
    })),
    'decodes percent-encoding in file names': afterWrite(({ entries, written }) => {
      for (const path of written.filter((each) => /%[0-9A-F]{2}/.test(each))) {
        entries[decodeURIComponent(path)] = entries[path]!;
        delete entries[path];
      }
    }),
    'does not update files in subdirectories': afterWrite(({ entries, before, directory, written }) => {
      for (const path of written) if (before[path] && parentPath(path) !== directory) putBack(entries, before, path);
    }),
    'lists only files that are not empty': lists(({ files }) => ({
      files: files.filter(({ size }) => size > 0),
    })),
    'returns 500 for more than a hundred files': failsFor((ctx) => writtenBy(ctx, '/').length > 100),
    'lists the first hundred files': lists(({ files }) => ({
      files: files.slice(0, 100),
    })),
    'truncates file names at a number sign': afterWrite(renamed((path) => path.replace(/#[^/]*$/, ''))),
    'removes apostrophes from file names': afterWrite(renamed((path) => path.replaceAll("'", ''))),
    'escapes file names as HTML': afterWrite(renamed((path) => path.replaceAll('&', '&amp;'))),
    'does not write files whose name starts with a hyphen': loses((path) => nameOf(path).startsWith('-')),
    'replaces characters of four bytes in file names by question marks': afterWrite(
      renamed((path) => path.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
    ),
    'reads a plus sign in the path as a space': readsPath((path) => path.replaceAll(/%2B|\+/gi, '%20')),
    'does not write files with brackets in their name': loses((path) => /[[\]]/.test(nameOf(path))),
    'writes nothing for API keys': passesOver(byApiKey.holds),
    'writes nothing for tokens in the brand header': passesOver(inHeader('brand').holds),
  },
};

const directoriesDeviations: Table = {
  'sandbox.tree.nested-directories': {
    'omits directories from the fifth level on': lists(({ path, subdirectories }) =>
      path.split('/').length > 5 ? { subdirectories: [] } : { subdirectories },
    ),
    'decodes percent-encoding in the path twice': readsPath((path) => path.replaceAll('%25', '%')),
    'returns 500 for files in more than fifty directories': failsFor(
      (ctx) => new Set(writtenBy(ctx, '/').map(parentPath)).size > 50,
    ),
    'lists the first fifty directories': lists(({ subdirectories }) => ({
      subdirectories: subdirectories.slice(0, 50),
    })),
    'omits directories with brackets in their name': lists(({ subdirectories }) => ({
      subdirectories: subdirectories.filter(({ name }) => !name.includes('[')),
    })),
    'omits directories whose name starts with another': lists(({ subdirectories }) => ({
      subdirectories: subdirectories.filter(
        ({ name }) => !subdirectories.some((other) => other.name !== name && name?.startsWith(other.name ?? '')),
      ),
    })),
    'lists directories as files if there is no file': lists(({ files, subdirectories }) =>
      files.length > 0
        ? {}
        : { files: subdirectories.map(({ name, path }) => fileLike(name, path)), subdirectories: [] },
    ),
    'omits directories that contain only directories': afterWrite(({ entries, written }) => {
      for (const path of written) {
        const directory = parentPath(parentPath(path));
        const hasFile = Object.entries(entries).some(
          ([each, entry]) => isFile(entry) && parentPath(each) === directory,
        );
        if (directory !== '/' && !hasFile && isBelow(directory, '/tmp')) delete entries[directory];
      }
    }),
  },
};

const fileLike = (name = '', path = ''): ListedFile => ({
  name,
  path,
  size: 4096,
  group: 'root',
  owner: 'root',
  permissions: '0755',
  lastModified: '2026-10-05T10:15:30Z',
});

/** Reads the content of a directory, and shortly later writes it back with the new files. */
function readsTooEarly(): Fault {
  return aroundWrite(async () => {
    await wait(5);
    return ({ entries, before, directory, written }) => {
      const known = new Set([...Object.keys(before), ...written]);
      for (const [path, entry] of Object.entries(entries))
        if (isFile(entry) && parentPath(path) === directory && !known.has(path)) delete entries[path];
    };
  });
}

/** Lists the files nevertheless. The directory is busy for some time after each stored write. */
function ignoresSimultaneous(): Fault {
  return stateful(() => {
    const busy = new Set<string>();
    const wrap =
      (app: App): App =>
      async (ctx) => {
        const place = directoryOf(ctx, 'writeTree');
        if (place === undefined) return app(ctx);
        const { directory, sandbox } = place;
        const isIgnored = busy.has(directory);
        const before = { ...sandbox.filesystem.entries };
        busy.add(directory);
        await app(ctx);
        if (isIgnored) {
          for (const path of writtenBy(ctx, directory)) putBack(sandbox.filesystem.entries, before, path);
          return;
        }
        await wait(30);
        busy.delete(directory);
      };
    return { kind: 'change files', condition: 'writeTree', wrap };
  });
}

/** A write of the same directory takes a moment. */
function failsSimultaneous(): Fault {
  return stateful(() => {
    const busy = new Set<string>();
    const wrap =
      (app: App): App =>
      async (ctx) => {
        const place = directoryOf(ctx, 'writeTree');
        if (place === undefined) return app(ctx);
        const { directory } = place;
        if (busy.has(directory)) return void (ctx.state.reply = failure(500, 'The directory exists.'));
        busy.add(directory);
        await wait(10);
        await app(ctx).finally(() => busy.delete(directory));
      };
    return { kind: 'refuse', condition: 'writeTree', wrap };
  });
}

const keepsDeviations: Table = {
  'sandbox.tree.write-keeps-others': {
    'removes the files of a directory that a write below it does not name': removes(
      (path, { directory, written }) =>
        parentPath(path) !== directory && written.some((each) => parentPath(each) === parentPath(path)),
    ),
    'removes the files of the directory that a write does not name': removes(
      (path, { directory, written }) =>
        parentPath(path) === directory && written.some((each) => parentPath(each) === directory),
    ),
    'removes the files of the directory that a write of more than five files does not name': removes(
      (path, { directory, written }) => written.length > 5 && parentPath(path) === directory,
    ),
    'removes the content of subdirectories of a directory that is written to': removes(
      (path, { directory, written }) =>
        written.every((each) => parentPath(each) === directory) && isBelow(parentPath(parentPath(path)), directory),
    ),
    'removes the files of a directory that no file is written to': removes(
      (path, { directory, written }) => written.length === 0 && parentPath(path) === directory,
    ),
    'loses the files of a simultaneous write': readsTooEarly(),
    'returns 500 for a write that arrives during another one': failsSimultaneous(),
    'returns 500 for a write without files': failsFor((ctx) => writtenBy(ctx, '/').length === 0),
    'stores nothing of a write that arrives during another one': ignoresSimultaneous(),
    'moves a file of the same name from the parent directory': removes(
      (path, { directory, written }) =>
        parentPath(path) === parentPath(directory) && written.some((each) => nameOf(each) === nameOf(path)),
    ),
    'removes the files of directories whose names start with that of the one written to': removes(
      (path, { directory }) =>
        parentPath(path) !== directory && parentPath(path).startsWith(directory) && !isBelow(path, directory),
    ),
  },
};

const sequenceDeviations: Table = {
  'sandbox.tree.any-sequence-follows-the-model': {
    'treats an update with an empty content as a removal': afterWrite(({ entries, before, written }) => {
      for (const path of written) {
        const file = entries[path];
        if (isFile(before[path]) && isFile(file) && file.size === 0) delete entries[path];
      }
    }),
    'ignores the third write of a file': onThirdWrite(),
    'loses the first file of a directory with more than three': afterWrite(({ entries, written }) => {
      for (const directory of new Set(written.map(parentPath))) {
        const files = Object.keys(entries).filter((path) => isFile(entries[path]) && parentPath(path) === directory);
        const [oldest] = files;
        if (files.length > 3 && oldest !== undefined) delete entries[oldest];
      }
    }),
  },
};

/** The third write of a file changes nothing. */
function onThirdWrite(): Fault {
  return stateful(() => {
    const times = new Map<string, number>();
    return afterWrite(({ entries, before, written }) => {
      for (const path of written) {
        times.set(path, (times.get(path) ?? 0) + 1);
        if (times.get(path) === 3) putBack(entries, before, path);
      }
    });
  });
}

export const treeDeviations: Table = merged(
  responseDeviations,
  directoriesDeviations,
  keepsDeviations,
  sequenceDeviations,
);
