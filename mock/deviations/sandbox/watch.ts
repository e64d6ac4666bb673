/** Faults of what watches say, and to whom. */
import { deviationsOf } from '../table.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { nameOf, parentPath } from '../../domains/sandbox/path.ts';
import { anew } from '../anew.ts';
import { isApiKey } from '../auth/faults.ts';
import type { App, Deviation, Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { ears, earsOf, tells, type Ear } from './ears.ts';
import { answersTo, failure, isFile } from './reach.ts';

const linesDeviations: Deviations = deviationsOf({
  'sandbox.watch.every-write-a-line': {
    '': tells('tells of the first file of a write only', (paths) => paths.slice(0, 1)),
    'new-only': tells('tells of new files only', (paths, { before }) =>
      paths.filter((path) => before[path] === undefined),
    ),
    'updates-only': tells('tells of files only that were there', (paths, { before }) =>
      paths.filter((path) => before[path] !== undefined),
    ),
    'from-above': tells('tells nothing of what is written from a directory above', (paths, { directory }) =>
      paths.filter((path) => parentPath(path) === directory),
    ),
    'same-size': tells('tells of no file that is as long as before', (paths, { before, entries }) =>
      paths.filter((path) => {
        const [was, is] = [before[path], entries[path]];
        return !isFile(was) || !isFile(is) || was.size !== is.size;
      }),
    ),
    many: tells('tells of at most 20 files of a write', (paths) => paths.slice(0, 20)),
    ascii: tells('tells of names in ASCII only', (paths) =>
      paths.filter((path) => /^[\x20-\x7e]*$/.test(nameOf(path))),
    ),
    quiet: ears('goes quiet after 20 lines', {
      say: (path, { lines }) => (lines > 20 ? undefined : `${path}\n`),
    }),
    labelled: ears('says what happened before the path', {
      say: (path) => `modified ${path}\n`,
    }),
    directory: ears('says the path of the directory', {
      say: (path) => `${parentPath(path)}\n`,
    }),
    'one-line': ears('puts a comma between paths', { say: (path) => `${path},` }),
    encoded: ears('percent-encodes what it says', {
      say: (path) => `${encodeURI(path)}\n`,
    }),
    logs: tells('tells of no file whose name ends in .log', (paths) => paths.filter((path) => !path.endsWith('.log'))),
    emptied: tells('tells of no file whose content is taken away', (paths, { before, entries }) =>
      paths.filter((path) => {
        const [was, is] = [before[path], entries[path]];
        return !isFile(was) || !isFile(is) || was.size === 0 || is.size > 0;
      }),
    ),
    'api-key': tells('tells nothing of what an API key writes', (paths, _, ctx) => (isApiKey(ctx) ? [] : paths)),
    'after-silence': dozesOff(),
    ends: ears('ends after three seconds', {
      opened: ({ out }) => void setTimeout(() => out.end(), 3000).unref(),
    }),
    status: answersTo('watchDirectory', 'answers a watch with 206', ({ state }, status) =>
      status === 200 ? { ...state.reply!, status: 206 } : undefined,
    ),
  },
});

function dozesOff(): Deviation {
  const spokenAt = new WeakMap<Ear, number>();
  const listens = (ear: Ear) => void spokenAt.set(ear, Date.now());
  return ears('says nothing of the first file after three silent seconds', {
    opened: listens,
    say: (path, ear) => {
      const isAsleep = Date.now() - (spokenAt.get(ear) ?? 0) > 3000;
      listens(ear);
      return isAsleep ? undefined : `${path}\n`;
    },
  });
}

function alsoHears(what: string, also: (path: string, directory: string) => boolean): Deviation {
  return ears(what, { also });
}

const directoryDeviations: Deviations = deviationsOf({
  'sandbox.watch.only-its-directory': {
    '': alsoHears('hears of directories whose path begins like its own', (path, directory) =>
      path.startsWith(directory),
    ),
    above: alsoHears(
      'hears of files in the directory above',
      (path, directory) => parentPath(path) === parentPath(directory),
    ),
    'same-name': alsoHears(
      'hears of directories of the same name elsewhere',
      (path, directory) => nameOf(parentPath(path)) === nameOf(directory),
    ),
    punctuation: alsoHears(
      'takes punctuation in a path for the same',
      (path, directory) => plain(parentPath(path)) === plain(directory),
    ),
    together: tells('tells every watch concerned of all files of a write', (paths) => {
      const directories = [...new Set(paths.map(parentPath))];
      return directories.flatMap((directory) =>
        paths.map((path) => `${directory}/../${nameOf(parentPath(path))}/${nameOf(path)}`),
      );
    }),
  },
});

const plain = (path: string): string => path.replaceAll(/[-/ ]/g, '_');

const beside = (ear: Ear, all: readonly Ear[]): Ear[] =>
  all.filter((other) => other !== ear && other.directory === ear.directory);

const watchersDeviations: Deviations = deviationsOf({
  'sandbox.watch.watchers-independent': {
    '': ears('ends another watch of the directory when one leaves', {
      left: (ear, all) => void beside(ear, all)[0]?.out.end(),
    }),
    newest: ears('tells only the newest watch of a directory', {
      opened: (ear, all) => beside(ear, all).forEach((other) => (other.deaf = true)),
    }),
    'in-turns': ears('tells the watches of a directory in turns', {
      say: (path, ear, all) => {
        const same = all.filter(({ directory }) => directory === ear.directory);
        return ear.lines % same.length === same.indexOf(ear) ? `${path}\n` : undefined;
      },
    }),
    muted: ears('tells watches of other directories nothing once one has left', {
      left: ({ directory }, all) => all.forEach((ear) => (ear.deaf ||= ear.directory !== directory)),
    }),
    ninth: ears('tells the ninth watch of a directory nothing', {
      opened: (ear, all) => (ear.deaf = beside(ear, all).length >= 8),
    }),
    'write-fails': failsOnceLeft(),
    unread: waitsForReaders(),
  },
});

function failsOnceLeft(): Deviation {
  return anew('fails on the first write after a watch has left', (what) => {
    let hasLeft = false;
    const fails = answersTo('writeTree', what, () => {
      if (!hasLeft) return undefined;
      hasLeft = false;
      return failure(500, 'Broken pipe.');
    });
    return { what, wrap: (app) => fails.wrap(earsOf([], { left: () => (hasLeft = true) }, app)) };
  });
}

function waitsForReaders(): Deviation {
  const isBehind = ({ out }: Ear) => out.readableLength > 0;
  const wrap = (app: App): App => {
    const all: Ear[] = [];
    const listened = earsOf(all, {}, app);
    return async (ctx) => {
      await listened(ctx);
      while (ctx.method === 'PUT' && all.some(isBehind)) await wait(5);
    };
  };
  return { what: 'answers a write only when every watch has read its lines', wrap };
}

export const watchDeviations: Deviations = merged(linesDeviations, directoryDeviations, watchersDeviations);
