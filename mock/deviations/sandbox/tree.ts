/** Deviations of the files and directories that a tree write stores. */
import { deviationsOf } from '../table.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { isBelow, nameOf, parentPath } from '../../domains/sandbox/path.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import type { Context } from '../../pipeline/context.ts';
import { byApiKey, inHeader } from '../auth/conditions.ts';
import { bodyOf, isFor, type App, type Deviation, type Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { lists, measures, type ListedFile } from './listing.ts';
import { afterWrite, directoryOf, respondsTo, aroundWrite, isFile, writtenBy, type Entries } from './tree-access.ts';

/** As it was before the write, or not there. */
function putBack(entries: Entries, before: Readonly<Entries>, path: string): void {
  const was = before[path];
  if (was === undefined) delete entries[path];
  else entries[path] = was;
}

/** Leaves files as they were before. */
function loses(what: string, concerns: (path: string) => boolean): Deviation {
  return afterWrite(what, ({ entries, before, written }) => {
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
function readsPath(what: string, edit: (path: string) => string): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const sent = ctx.url;
      if (isFor(ctx, ['writeTree'])) ctx.path = edit(ctx.path);
      await app(ctx);
      ctx.url = sent;
    };
  return { what, effect: 'change request', condition: 'writeTree', wrap };
}

/** Responds to some writes as if they had been stored. */
function passesOver(what: string, applies: (ctx: Context) => boolean): Deviation {
  return aroundWrite(what, (_, ctx) => ({ entries, before, written }) => {
    for (const path of applies(ctx) ? written : []) putBack(entries, before, path);
  });
}

/** Removes files that were there and that the write did not name. */
function removes(
  what: string,
  concerns: (path: string, write: { directory: string; written: readonly string[] }) => boolean,
): Deviation {
  return afterWrite(what, ({ entries, before, ...write }) => {
    for (const [path, entry] of Object.entries(before))
      if (isFile(entry) && !write.written.includes(path) && concerns(path, write)) delete entries[path];
  });
}

const responseDeviations: Deviations = deviationsOf({
  'sandbox.tree.write-answers-listing': {
    '': respondsTo('writeTree', 'Returns 201 for a tree write', (ctx, status) =>
      status === 200 ? { status: 201, body: bodyOf(ctx) } : undefined,
    ),
    // The sizes reveal it, so rules about sizes detect it as well.
    'not-cut-off': measures('Does not truncate a longer previous content', (_, size, before) =>
      Math.max(size, before?.size ?? 0),
    ),
    'last-of-three': afterWrite('Loses the last of three or more files', ({ entries, before, written }) => {
      const last = written.at(-1);
      if (last !== undefined && written.length > 2) putBack(entries, before, last);
    }),
    hidden: loses('Does not store files whose names begin with a dot', (path) => nameOf(path).startsWith('.')),
    unlisted: lists('Does not list files whose names begin with a dot', ({ files }) => ({
      files: files.filter(({ name }) => !name.startsWith('.')),
    })),
    percent: afterWrite('Decodes percent-encoding in file names', ({ entries, written }) => {
      for (const path of written.filter((each) => /%[0-9A-F]{2}/.test(each))) {
        entries[decodeURIComponent(path)] = entries[path]!;
        delete entries[path];
      }
    }),
    'nested-update': afterWrite(
      'Does not update files in subdirectories',
      ({ entries, before, directory, written }) => {
        for (const path of written) if (before[path] && parentPath(path) !== directory) putBack(entries, before, path);
      },
    ),
    'only-written': lists('Lists only files that are not empty', ({ files }) => ({
      files: files.filter(({ size }) => size > 0),
    })),
    crowded: lists('Lists the first hundred files', ({ files }) => ({
      files: files.slice(0, 100),
    })),
    hash: afterWrite(
      'Truncates file names at a number sign',
      renamed((path) => path.replace(/#[^/]*$/, '')),
    ),
    apostrophe: afterWrite(
      'Removes apostrophes from file names',
      renamed((path) => path.replaceAll("'", '')),
    ),
    ampersand: afterWrite(
      'Escapes file names as HTML',
      renamed((path) => path.replaceAll('&', '&amp;')),
    ),
    'leading-hyphen': loses('Does not write files whose name starts with a hyphen', (path) =>
      nameOf(path).startsWith('-'),
    ),
    'four-bytes': afterWrite(
      'Replaces characters of four bytes in file names by question marks',
      renamed((path) => path.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
    ),
    plus: readsPath('Reads a plus sign in the path as a space', (path) => path.replaceAll(/%2B|\+/gi, '%20')),
    brackets: loses('Does not write files with brackets in their name', (path) => /[[\]]/.test(nameOf(path))),
    'api-key': passesOver('Writes nothing for API keys', byApiKey.holds),
    'brand-header': passesOver('Writes nothing for tokens in the brand header', inHeader('brand').holds),
  },
});

const directoriesDeviations: Deviations = deviationsOf({
  'sandbox.tree.nested-directories': {
    '': lists('Omits directories from the fifth level on', ({ path, subdirectories }) =>
      path.split('/').length > 5 ? { subdirectories: [] } : { subdirectories },
    ),
    'decoded-twice': readsPath('Decodes percent-encoding in the path twice', (path) => path.replaceAll('%25', '%')),
    crowded: lists('Lists the first fifty directories', ({ subdirectories }) => ({
      subdirectories: subdirectories.slice(0, 50),
    })),
    brackets: lists('Omits directories with brackets in their name', ({ subdirectories }) => ({
      subdirectories: subdirectories.filter(({ name }) => !name.includes('[')),
    })),
    prefix: lists('Omits directories whose name starts with another', ({ subdirectories }) => ({
      subdirectories: subdirectories.filter(
        ({ name }) => !subdirectories.some((other) => other.name !== name && name?.startsWith(other.name ?? '')),
      ),
    })),
    'among-files': lists('Lists directories as files if there is no file', ({ files, subdirectories }) =>
      files.length > 0
        ? {}
        : { files: subdirectories.map(({ name, path }) => fileLike(name, path)), subdirectories: [] },
    ),
    'on-the-way': afterWrite('Omits directories that contain only directories', ({ entries, written }) => {
      for (const path of written) {
        const directory = parentPath(parentPath(path));
        const hasFile = Object.entries(entries).some(
          ([each, entry]) => isFile(entry) && parentPath(each) === directory,
        );
        if (directory !== '/' && !hasFile && isBelow(directory, '/tmp')) delete entries[directory];
      }
    }),
  },
});

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
function readsTooEarly(what: string): Deviation {
  return aroundWrite(what, async () => {
    await wait(5);
    return ({ entries, before, directory, written }) => {
      const known = new Set([...Object.keys(before), ...written]);
      for (const [path, entry] of Object.entries(entries))
        if (isFile(entry) && parentPath(path) === directory && !known.has(path)) delete entries[path];
    };
  });
}

/** Lists the files nevertheless. The directory is busy for some time after each stored write. */
function ignoresSimultaneous(what: string): Deviation {
  return statefulDeviation(what, () => {
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
    return { what, effect: 'change files', condition: 'writeTree', wrap };
  });
}

const keepsDeviations: Deviations = deviationsOf({
  'sandbox.tree.write-keeps-others': {
    '': removes(
      'Removes the files of a directory that a write below it does not name',
      (path, { directory, written }) =>
        parentPath(path) !== directory && written.some((each) => parentPath(each) === parentPath(path)),
    ),
    directory: removes(
      'Removes the files of the directory that a write does not name',
      (path, { directory, written }) =>
        parentPath(path) === directory && written.some((each) => parentPath(each) === directory),
    ),
    many: removes(
      'Removes the files of the directory that a write of more than five files does not name',
      (path, { directory, written }) => written.length > 5 && parentPath(path) === directory,
    ),
    below: removes(
      'Removes the content of subdirectories of a directory that is written to',
      (path, { directory, written }) =>
        written.every((each) => parentPath(each) === directory) && isBelow(parentPath(parentPath(path)), directory),
    ),
    'no-files': removes(
      'Removes the files of a directory that no file is written to',
      (path, { directory, written }) => written.length === 0 && parentPath(path) === directory,
    ),
    'at-once': readsTooEarly('Loses the files of a simultaneous write'),
    'at-once-ignored': ignoresSimultaneous('Stores nothing of a write that arrives during another one'),
    'same-name': removes(
      'Moves a file of the same name from the parent directory',
      (path, { directory, written }) =>
        parentPath(path) === parentPath(directory) && written.some((each) => nameOf(each) === nameOf(path)),
    ),
    prefix: removes(
      'Removes the files of directories whose names start with that of the one written to',
      (path, { directory }) =>
        parentPath(path) !== directory && parentPath(path).startsWith(directory) && !isBelow(path, directory),
    ),
  },
});

const sequenceDeviations: Deviations = deviationsOf({
  'sandbox.tree.any-sequence-follows-the-model': {
    '': afterWrite('Treats an update with an empty content as a removal', ({ entries, before, written }) => {
      for (const path of written) {
        const file = entries[path];
        if (isFile(before[path]) && isFile(file) && file.size === 0) delete entries[path];
      }
    }),
    'third-update': onThirdWrite(),
    crowded: afterWrite('Loses the first file of a directory with more than three', ({ entries, written }) => {
      for (const directory of new Set(written.map(parentPath))) {
        const files = Object.keys(entries).filter((path) => isFile(entries[path]) && parentPath(path) === directory);
        const [oldest] = files;
        if (files.length > 3 && oldest !== undefined) delete entries[oldest];
      }
    }),
  },
});

/** The third write of a file changes nothing. */
function onThirdWrite(): Deviation {
  return statefulDeviation('Ignores the third write of a file', (what) => {
    const times = new Map<string, number>();
    return afterWrite(what, ({ entries, before, written }) => {
      for (const path of written) {
        times.set(path, (times.get(path) ?? 0) + 1);
        if (times.get(path) === 3) putBack(entries, before, path);
      }
    });
  });
}

export const treeDeviations: Deviations = merged(
  responseDeviations,
  directoriesDeviations,
  keepsDeviations,
  sequenceDeviations,
);
