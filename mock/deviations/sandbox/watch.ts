/** Deviations of what watches report, and to which clients. */
import { deviationsOf } from '../table.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { nameOf, parentPath } from '../../domains/sandbox/path.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import { byApiKey } from '../auth/conditions.ts';
import type { App, Deviation, Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { replacesListeners, withListeners, changesLines, type Listener } from './watch-listeners.ts';
import { respondsTo, failure, isFile } from './tree-access.ts';

const linesDeviations: Deviations = deviationsOf({
  'sandbox.watch.every-write-a-line': {
    '': changesLines('Reports only the first file of a write', (paths) => paths.slice(0, 1)),
    'new-only': changesLines('Reports only new files', (paths, { before }) =>
      paths.filter((path) => before[path] === undefined),
    ),
    'updates-only': changesLines('Reports only existing files', (paths, { before }) =>
      paths.filter((path) => before[path] !== undefined),
    ),
    'from-above': changesLines('Does not report files written via the parent directory', (paths, { directory }) =>
      paths.filter((path) => parentPath(path) === directory),
    ),
    'same-size': changesLines('Does not report files whose size is unchanged', (paths, { before, entries }) =>
      paths.filter((path) => {
        const [was, is] = [before[path], entries[path]];
        return !isFile(was) || !isFile(is) || was.size !== is.size;
      }),
    ),
    many: changesLines('Reports at most 20 files of a write', (paths) => paths.slice(0, 20)),
    ascii: changesLines('Reports only ASCII names', (paths) =>
      paths.filter((path) => /^[\x20-\x7e]*$/.test(nameOf(path))),
    ),
    quiet: replacesListeners('Stops after 20 lines', {
      say: (path, { lines }) => (lines > 20 ? undefined : `${path}\n`),
    }),
    labelled: replacesListeners('Sends the event before the path', {
      say: (path) => `modified ${path}\n`,
    }),
    json: replacesListeners('Sends a JSON object with the name and the directory', {
      say: (path) => `${JSON.stringify({ name: nameOf(path), path: parentPath(path) })}\n`,
    }),
    directory: replacesListeners('Sends the path of the directory', {
      say: (path) => `${parentPath(path)}\n`,
    }),
    'one-line': replacesListeners('Separates paths with commas', { say: (path) => `${path},` }),
    encoded: replacesListeners('Percent-encodes paths', {
      say: (path) => `${encodeURI(path)}\n`,
    }),
    hidden: changesLines('Does not report files whose names begin with a dot', (paths) =>
      paths.filter((path) => !nameOf(path).startsWith('.')),
    ),
    logs: changesLines('Does not report files that end in .log', (paths) =>
      paths.filter((path) => !path.endsWith('.log')),
    ),
    emptied: changesLines('Does not report files that become empty', (paths, { before, entries }) =>
      paths.filter((path) => {
        const [was, is] = [before[path], entries[path]];
        return !isFile(was) || !isFile(is) || was.size === 0 || is.size > 0;
      }),
    ),
    'api-key': changesLines('Does not report writes by API keys', (paths, _, ctx) =>
      byApiKey.holds(ctx) ? [] : paths,
    ),
    'after-silence': dozesOff(),
    ends: replacesListeners('Ends after three seconds', {
      opened: ({ out }) => void setTimeout(() => out.end(), 3000).unref(),
    }),
    status: respondsTo('watchDirectory', 'Returns 206 for a watch', ({ state }, status) =>
      status === 200 ? { ...state.reply!, status: 206 } : undefined,
    ),
  },
});

function dozesOff(): Deviation {
  const spokenAt = new WeakMap<Listener, number>();
  const listens = (ear: Listener) => void spokenAt.set(ear, Date.now());
  return replacesListeners('Does not report the first file after three idle seconds', {
    opened: listens,
    say: (path, ear) => {
      const isAsleep = Date.now() - (spokenAt.get(ear) ?? 0) > 3000;
      listens(ear);
      return isAsleep ? undefined : `${path}\n`;
    },
  });
}

function alsoHears(what: string, also: (path: string, directory: string) => boolean): Deviation {
  return replacesListeners(what, { also });
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
    together: changesLines('Sends all files of a write to every affected watch', (paths) => {
      const directories = [...new Set(paths.map(parentPath))];
      return directories.flatMap((directory) =>
        paths.map((path) => `${directory}/../${nameOf(parentPath(path))}/${nameOf(path)}`),
      );
    }),
  },
});

const plain = (path: string): string => path.replaceAll(/[-/ ]/g, '_');

const beside = (ear: Listener, all: readonly Listener[]): Listener[] =>
  all.filter((other) => other !== ear && other.directory === ear.directory);

const watchersDeviations: Deviations = deviationsOf({
  'sandbox.watch.watchers-independent': {
    '': replacesListeners('Ends another watch of the directory when one closes', {
      left: (ear, all) => void beside(ear, all)[0]?.out.end(),
    }),
    newest: replacesListeners('Reports only to the newest watch of a directory', {
      opened: (ear, all) => beside(ear, all).forEach((other) => (other.deaf = true)),
    }),
    'in-turns': replacesListeners('Reports to the watches of a directory in turn', {
      say: (path, ear, all) => {
        const same = all.filter(({ directory }) => directory === ear.directory);
        return ear.lines % same.length === same.indexOf(ear) ? `${path}\n` : undefined;
      },
    }),
    muted: replacesListeners('Does not report to watches of other directories once one has closed', {
      left: ({ directory }, all) => all.forEach((ear) => (ear.deaf ||= ear.directory !== directory)),
    }),
    ninth: replacesListeners('Does not report to the ninth watch of a directory', {
      opened: (ear, all) => (ear.deaf = beside(ear, all).length >= 8),
    }),
    'write-fails': failsOnceLeft(),
    unread: waitsForReaders(),
  },
});

function failsOnceLeft(): Deviation {
  return statefulDeviation('Returns 500 for the first write after a watch has closed', (what) => {
    let hasLeft = false;
    const fails = respondsTo('writeTree', what, () => {
      if (!hasLeft) return undefined;
      hasLeft = false;
      return failure(500, 'Broken pipe.');
    });
    return {
      what,
      effect: 'fail',
      condition: 'writeTree',
      wrap: (app) => fails.wrap(withListeners([], { left: () => (hasLeft = true) }, app)),
    };
  });
}

function waitsForReaders(): Deviation {
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
    what: 'Responds to a write only when every watch has read its lines',
    effect: 'delay response',
    condition: 'writeTree',
    wrap,
  };
}

export const watchDeviations: Deviations = merged(linesDeviations, directoryDeviations, watchersDeviations);
