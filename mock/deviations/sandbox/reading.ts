/** Deviations of reading a directory. */
import { stateful, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import { afterWrite, respondsTo, failure } from './tree-access.ts';

/** The path of a read request, as sent and decoded. */
function unreadable(status: number, concerns: (sent: string, path: string) => boolean): Fault {
  return respondsTo('readTree', (ctx, answered) => {
    const path = decodeURIComponent(ctx.path);
    return answered === 200 && concerns(ctx.path, path)
      ? failure(status, `Directory ${path} is not there.`)
      : undefined;
  });
}

export const readingDeviations: Table = {
  'sandbox.tree.readable-after-write': {
    'does not find new directories two levels deep': unreadable(
      404,
      (_, path) => path.includes('/tmp/') && path.split('/').length > 7,
    ),
    'does not find a directory with a space in its name': unreadable(404, (_, path) => path.includes(' ')),
    'refuses to read directories whose names are not ASCII': unreadable(400, (_, path) => /[^\x20-\x7e]/.test(path)),
    'reads a plus sign as a space': unreadable(404, (_, path) => path.includes('+')),
    'reads a plus sign that is not percent-encoded as a space': unreadable(404, (sent) => sent.includes('+')),
    'does not decode percent-encoded letters': unreadable(404, (sent) => /%6[1-9a-f]/.test(sent)),
    'returns 500 for a directory in which a file was updated': afterUpdate(),
  },
};

/** A directory in which a file was updated cannot be read any more. */
function afterUpdate(): Fault {
  return stateful(() => {
    const updated = new Set<string>();
    const marks = afterWrite(({ before, directory, written }) => {
      if (written.some((path) => before[path])) updated.add(directory);
    });
    const fails = unreadable(500, (_, path) => [...updated].some((directory) => path.endsWith(directory)));
    return { kind: 'fail', condition: 'readTree', wrap: (app) => fails.wrap(marks.wrap(app)) };
  });
}
