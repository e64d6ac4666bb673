/** Deviations of what watches report, and to which clients. */
import { stateful, type App, type Fault } from '../deviation.ts';
import { merged, type Table } from '../table.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { nameOf, parentPath } from '../../domains/sandbox/path.ts';
import { byApiKey } from '../auth/conditions.ts';
import { replacesListeners, withListeners, changesLines, type Listener } from './watch-listeners.ts';
import { respondsTo, failure, isFile } from './tree-access.ts';

const linesDeviations: Table = {
  'sandbox.watch.every-write-a-line': {
    'reports only the first file of a write': changesLines((paths) => paths.slice(0, 1)),
    'reports only new files': changesLines((paths, { before }) => paths.filter((path) => before[path] === undefined)),
    'reports only existing files': changesLines((paths, { before }) =>
      paths.filter((path) => before[path] !== undefined),
    ),
    'does not report files written via the parent directory': changesLines((paths, { directory }) =>
      paths.filter((path) => parentPath(path) === directory),
    ),
    'does not report files whose size is unchanged': changesLines((paths, { before, entries }) =>
      paths.filter((path) => {
        const [was, is] = [before[path], entries[path]];
        return !isFile(was) || !isFile(is) || was.size !== is.size;
      }),
    ),
    'reports at most 20 files of a write': changesLines((paths) => paths.slice(0, 20)),
    'reports only ASCII names': changesLines((paths) => paths.filter((path) => /^[\x20-\x7e]*$/.test(nameOf(path)))),
    'stops after 20 lines': replacesListeners({
      say: (path, { lines }) => (lines > 20 ? undefined : `${path}\n`),
    }),
    'sends the event before the path': replacesListeners({
      say: (path) => `modified ${path}\n`,
    }),
    'sends a JSON object with the name and the directory': replacesListeners({
      say: (path) => `${JSON.stringify({ name: nameOf(path), path: parentPath(path) })}\n`,
    }),
    'sends the path of the directory': replacesListeners({
      say: (path) => `${parentPath(path)}\n`,
    }),
    'separates paths with commas': replacesListeners({ say: (path) => `${path},` }),
    'percent-encodes paths': replacesListeners({
      say: (path) => `${encodeURI(path)}\n`,
    }),
    'does not report files that end in .log': changesLines((paths) => paths.filter((path) => !path.endsWith('.log'))),
    'does not report files that become empty': changesLines((paths, { before, entries }) =>
      paths.filter((path) => {
        const [was, is] = [before[path], entries[path]];
        return !isFile(was) || !isFile(is) || was.size === 0 || is.size > 0;
      }),
    ),
    'does not report writes by API keys': changesLines((paths, _, ctx) => (byApiKey.holds(ctx) ? [] : paths)),
    'does not report the first file after three idle seconds': dozesOff(),
    'ends after three seconds': replacesListeners({
      opened: ({ out }) => void setTimeout(() => out.end(), 3000).unref(),
    }),
    'returns 206 for a watch': respondsTo('watchDirectory', ({ state }, status) =>
      status === 200 ? { ...state.reply!, status: 206 } : undefined,
    ),
  },
};

function dozesOff(): Fault {
  const spokenAt = new WeakMap<Listener, number>();
  const listens = (ear: Listener) => void spokenAt.set(ear, Date.now());
  return replacesListeners({
    opened: listens,
    say: (path, ear) => {
      const isAsleep = Date.now() - (spokenAt.get(ear) ?? 0) > 3000;
      listens(ear);
      return isAsleep ? undefined : `${path}\n`;
    },
  });
}

function alsoHears(also: (path: string, directory: string) => boolean): Fault {
  return replacesListeners({ also });
}

const directoryDeviations: Table = {
  'sandbox.watch.only-its-directory': {
    'reports directories whose path starts with its own': alsoHears((path, directory) => path.startsWith(directory)),
    'reports files of the parent directory': alsoHears((path, directory) => parentPath(path) === parentPath(directory)),
    'reports directories of the same name elsewhere': alsoHears(
      (path, directory) => nameOf(parentPath(path)) === nameOf(directory),
    ),
    'ignores differences of punctuation in paths': alsoHears(
      (path, directory) => plain(parentPath(path)) === plain(directory),
    ),
    'sends all files of a write to every affected watch': changesLines((paths) => {
      const directories = [...new Set(paths.map(parentPath))];
      return directories.flatMap((directory) =>
        paths.map((path) => `${directory}/../${nameOf(parentPath(path))}/${nameOf(path)}`),
      );
    }),
  },
};

const plain = (path: string): string => path.replaceAll(/[-/ ]/g, '_');

const beside = (ear: Listener, all: readonly Listener[]): Listener[] =>
  all.filter((other) => other !== ear && other.directory === ear.directory);

const watchersDeviations: Table = {
  'sandbox.watch.watchers-independent': {
    'ends another watch of the directory when one closes': replacesListeners({
      left: (ear, all) => void beside(ear, all)[0]?.out.end(),
    }),
    'reports only to the newest watch of a directory': replacesListeners({
      opened: (ear, all) => beside(ear, all).forEach((other) => (other.deaf = true)),
    }),
    'reports to the watches of a directory in turn': replacesListeners({
      say: (path, ear, all) => {
        const same = all.filter(({ directory }) => directory === ear.directory);
        return ear.lines % same.length === same.indexOf(ear) ? `${path}\n` : undefined;
      },
    }),
    'does not report to watches of other directories once one has closed': replacesListeners({
      left: ({ directory }, all) => all.forEach((ear) => (ear.deaf ||= ear.directory !== directory)),
    }),
    'does not report to the ninth watch of a directory': replacesListeners({
      opened: (ear, all) => (ear.deaf = beside(ear, all).length >= 8),
    }),
    'returns 500 for the first write after a watch has closed': failsOnceLeft(),
    'responds to a write only when every watch has read its lines': waitsForReaders(),
  },
};

function failsOnceLeft(): Fault {
  return stateful(() => {
    let hasLeft = false;
    const fails = respondsTo('writeTree', () => {
      if (!hasLeft) return undefined;
      hasLeft = false;
      return failure(500, 'Broken pipe.');
    });
    return {
      kind: 'fail',
      condition: 'writeTree',
      wrap: (app) => fails.wrap(withListeners([], { left: () => (hasLeft = true) }, app)),
    };
  });
}

function waitsForReaders(): Fault {
  const isBehind = ({ out }: Listener) => out.readableLength > 0;
  const wrap = (app: App): App => {
    const all: Listener[] = [];
    const listened = withListeners(all, {}, app);
    return async (ctx) => {
      await listened(ctx);
      while (ctx.method === 'PUT' && all.some(isBehind)) await wait(5);
    };
  };
  return {
    kind: 'delay response',
    condition: 'writeTree',
    wrap,
  };
}

export const watchDeviations: Table = merged(linesDeviations, directoryDeviations, watchersDeviations);
