/** Faults of what watches say, and to whom. */
import { deviationsOf } from '../table.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { nameOf, parentPath } from '../../domains/sandbox/path.ts';
import { anew } from '../anew.ts';
import { byApiKey } from '../auth/conditions.ts';
import type { App, Deviation, Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { ears, earsOf, tells, type Ear } from './ears.ts';
import { answersTo, failure, isFile } from './reach.ts';

const linesDeviations: Deviations = deviationsOf({
  'sandbox.watch.every-write-a-line': {
    '': tells('Reports only the first file of a write', (paths) => paths.slice(0, 1)),
    'new-only': tells('Reports only new files', (paths, { before }) =>
      paths.filter((path) => before[path] === undefined),
    ),
    'updates-only': tells('Reports only existing files', (paths, { before }) =>
      paths.filter((path) => before[path] !== undefined),
    ),
    'from-above': tells('Does not report files written via the parent directory', (paths, { directory }) =>
      paths.filter((path) => parentPath(path) === directory),
    ),
    'same-size': tells('Does not report files whose size is unchanged', (paths, { before, entries }) =>
      paths.filter((path) => {
        const [was, is] = [before[path], entries[path]];
        return !isFile(was) || !isFile(is) || was.size !== is.size;
      }),
    ),
    many: tells('Reports at most 20 files of a write', (paths) => paths.slice(0, 20)),
    ascii: tells('Reports only ASCII names', (paths) => paths.filter((path) => /^[\x20-\x7e]*$/.test(nameOf(path)))),
    quiet: ears('Stops after 20 lines', {
      say: (path, { lines }) => (lines > 20 ? undefined : `${path}\n`),
    }),
    labelled: ears('Sends the event before the path', {
      say: (path) => `modified ${path}\n`,
    }),
    directory: ears('Sends the path of the directory', {
      say: (path) => `${parentPath(path)}\n`,
    }),
    'one-line': ears('Separates paths with commas', { say: (path) => `${path},` }),
    encoded: ears('Percent-encodes paths', {
      say: (path) => `${encodeURI(path)}\n`,
    }),
    logs: tells('Does not report files that end in .log', (paths) => paths.filter((path) => !path.endsWith('.log'))),
    emptied: tells('Does not report files that become empty', (paths, { before, entries }) =>
      paths.filter((path) => {
        const [was, is] = [before[path], entries[path]];
        return !isFile(was) || !isFile(is) || was.size === 0 || is.size > 0;
      }),
    ),
    'api-key': tells('Does not report writes by API keys', (paths, _, ctx) => (byApiKey.holds(ctx) ? [] : paths)),
    'after-silence': dozesOff(),
    ends: ears('Ends after three seconds', {
      opened: ({ out }) => void setTimeout(() => out.end(), 3000).unref(),
    }),
    status: answersTo('watchDirectory', 'Returns 206 for a watch', ({ state }, status) =>
      status === 200 ? { ...state.reply!, status: 206 } : undefined,
    ),
  },
});

function dozesOff(): Deviation {
  const spokenAt = new WeakMap<Ear, number>();
  const listens = (ear: Ear) => void spokenAt.set(ear, Date.now());
  return ears('Does not report the first file after three idle seconds', {
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
    '': alsoHears('Reports directories whose path starts with its own', (path, directory) =>
      path.startsWith(directory),
    ),
    above: alsoHears(
      'Reports files of the parent directory',
      (path, directory) => parentPath(path) === parentPath(directory),
    ),
    'same-name': alsoHears(
      'Reports directories of the same name elsewhere',
      (path, directory) => nameOf(parentPath(path)) === nameOf(directory),
    ),
    punctuation: alsoHears(
      'Ignores differences of punctuation in paths',
      (path, directory) => plain(parentPath(path)) === plain(directory),
    ),
    together: tells('Sends all files of a write to every affected watch', (paths) => {
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
    '': ears('Ends another watch of the directory when one closes', {
      left: (ear, all) => void beside(ear, all)[0]?.out.end(),
    }),
    newest: ears('Reports only to the newest watch of a directory', {
      opened: (ear, all) => beside(ear, all).forEach((other) => (other.deaf = true)),
    }),
    'in-turns': ears('Reports to the watches of a directory in turn', {
      say: (path, ear, all) => {
        const same = all.filter(({ directory }) => directory === ear.directory);
        return ear.lines % same.length === same.indexOf(ear) ? `${path}\n` : undefined;
      },
    }),
    muted: ears('Does not report to watches of other directories once one has closed', {
      left: ({ directory }, all) => all.forEach((ear) => (ear.deaf ||= ear.directory !== directory)),
    }),
    ninth: ears('Does not report to the ninth watch of a directory', {
      opened: (ear, all) => (ear.deaf = beside(ear, all).length >= 8),
    }),
    'write-fails': failsOnceLeft(),
    unread: waitsForReaders(),
  },
});

function failsOnceLeft(): Deviation {
  return anew('Returns 500 for the first write after a watch has closed', (what) => {
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
  return { what: 'Responds to a write only when every watch has read its lines', wrap };
}

export const watchDeviations: Deviations = merged(linesDeviations, directoryDeviations, watchersDeviations);
