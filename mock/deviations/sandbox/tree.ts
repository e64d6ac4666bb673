/** Faults of what a tree write leaves in a sandbox. */
import { deviationsOf } from '../table.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { isBelow, nameOf, parentPath } from '../../domains/sandbox/path.ts';
import { anew } from '../anew.ts';
import { comesBy, isApiKey, type Concerns } from '../auth/faults.ts';
import { bodyOf, type Deviation, type Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { lists, measures, type ListedFile } from './listing.ts';
import { afterWrite, answersTo, aroundWrite, isFile, type Entries } from './reach.ts';

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

/** Answers what some have written as if it were there. */
function passesOver(what: string, concerns: Concerns): Deviation {
  return aroundWrite(what, (_, ctx) => ({ entries, before, written }) => {
    for (const path of concerns(ctx) ? written : []) putBack(entries, before, path);
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

const answerDeviations: Deviations = deviationsOf({
  'sandbox.tree.write-answers-listing': {
    '': answersTo('writeTree', 'answers a tree write with 201', (ctx, status) =>
      status === 200 ? { status: 201, body: bodyOf(ctx) } : undefined,
    ),
    // Sizes tell of it, so whatever looks at sizes finds it as well.
    'not-cut-off': measures('does not cut off what is left of a longer content', (_, size, before) =>
      Math.max(size, before?.size ?? 0),
    ),
    'last-of-three': afterWrite('loses the last file of three or more', ({ entries, before, written }) => {
      const last = written.at(-1);
      if (last !== undefined && written.length > 2) putBack(entries, before, last);
    }),
    percent: afterWrite('decodes percent-encoding in the names of files', ({ entries, written }) => {
      for (const path of written.filter((each) => /%[0-9A-F]{2}/.test(each))) {
        entries[decodeURIComponent(path)] = entries[path]!;
        delete entries[path];
      }
    }),
    'nested-update': afterWrite(
      'does not update files in directories below',
      ({ entries, before, directory, written }) => {
        for (const path of written) if (before[path] && parentPath(path) !== directory) putBack(entries, before, path);
      },
    ),
    'only-written': lists('lists only files that are not empty', ({ files }) => ({
      files: files.filter(({ size }) => size > 0),
    })),
    crowded: lists('lists the first hundred files', ({ files }) => ({
      files: files.slice(0, 100),
    })),
    brackets: loses('does not write files with brackets in their name', (path) => /[[\]]/.test(nameOf(path))),
    'api-key': passesOver('writes nothing for an API key', isApiKey),
    'brand-header': passesOver('writes nothing for a token in the brand header', comesBy('brand')),
  },
});

const directoriesDeviations: Deviations = deviationsOf({
  'sandbox.tree.nested-directories': {
    '': lists('lists no directories from the fifth level on', ({ path, subdirectories }) =>
      path.split('/').length > 5 ? { subdirectories: [] } : { subdirectories },
    ),
    crowded: lists('lists the first fifty directories', ({ subdirectories }) => ({
      subdirectories: subdirectories.slice(0, 50),
    })),
    brackets: lists('lists no directory with brackets in its name', ({ subdirectories }) => ({
      subdirectories: subdirectories.filter(({ name }) => !name.includes('[')),
    })),
    prefix: lists('lists no directory whose name begins with another one', ({ subdirectories }) => ({
      subdirectories: subdirectories.filter(
        ({ name }) => !subdirectories.some((other) => other.name !== name && name?.startsWith(other.name ?? '')),
      ),
    })),
    'among-files': lists('lists directories among the files where there is no file', ({ files, subdirectories }) =>
      files.length > 0
        ? {}
        : { files: subdirectories.map(({ name, path }) => fileLike(name, path)), subdirectories: [] },
    ),
    'on-the-way': afterWrite('forgets directories that only hold directories', ({ entries, written }) => {
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

/** Reads what a directory holds, and writes it back with the files of the write a moment later. */
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

const keepsDeviations: Deviations = deviationsOf({
  'sandbox.tree.write-keeps-others': {
    '': removes(
      'removes the files of a directory that a write below it does not name',
      (path, { directory, written }) =>
        parentPath(path) !== directory && written.some((each) => parentPath(each) === parentPath(path)),
    ),
    directory: removes(
      'removes the files of the directory that a write does not name',
      (path, { directory, written }) =>
        parentPath(path) === directory && written.some((each) => parentPath(each) === directory),
    ),
    many: removes(
      'removes the files of the directory that a write of more than five files does not name',
      (path, { directory, written }) => written.length > 5 && parentPath(path) === directory,
    ),
    below: removes(
      'removes what lies below the directories of a directory that is written to',
      (path, { directory, written }) =>
        written.every((each) => parentPath(each) === directory) && isBelow(parentPath(parentPath(path)), directory),
    ),
    'no-files': removes(
      'removes the files of a directory that no file is written to',
      (path, { directory, written }) => written.length === 0 && parentPath(path) === directory,
    ),
    'at-once': readsTooEarly('loses what another write has added meanwhile'),
    'same-name': removes(
      'moves a file of the same name from the directory above',
      (path, { directory, written }) =>
        parentPath(path) === parentPath(directory) && written.some((each) => nameOf(each) === nameOf(path)),
    ),
    prefix: removes(
      'removes the files of directories whose names begin with that of the one written to',
      (path, { directory }) =>
        parentPath(path) !== directory && parentPath(path).startsWith(directory) && !isBelow(path, directory),
    ),
  },
});

const sequenceDeviations: Deviations = deviationsOf({
  'sandbox.tree.any-sequence-follows-the-model': {
    '': afterWrite('takes an update with no content for a removal', ({ entries, before, written }) => {
      for (const path of written) {
        const file = entries[path];
        if (isFile(before[path]) && isFile(file) && file.size === 0) delete entries[path];
      }
    }),
    'third-update': onThirdWrite(),
    crowded: afterWrite('loses the first file of a directory with more than three', ({ entries, written }) => {
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
  return anew('passes over the third write of a file', (what) => {
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
  answerDeviations,
  directoriesDeviations,
  keepsDeviations,
  sequenceDeviations,
);
