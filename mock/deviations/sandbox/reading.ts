/** Deviations of reading a directory. */
import { deviationsOf } from '../table.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import type { Deviation, Deviations } from '../deviation.ts';
import { afterWrite, respondsTo, failure } from './tree-access.ts';

/** The path of a read request, as sent and decoded. */
function unreadable(what: string, status: number, concerns: (sent: string, path: string) => boolean): Deviation {
  return respondsTo('readTree', what, (ctx, answered) => {
    const path = decodeURIComponent(ctx.path);
    return answered === 200 && concerns(ctx.path, path)
      ? failure(status, `Directory ${path} is not there.`)
      : undefined;
  });
}

export const readingDeviations: Deviations = deviationsOf({
  'sandbox.tree.readable-after-write': {
    '': unreadable(
      'Does not find new directories two levels deep',
      404,
      (_, path) => path.includes('/tmp/') && path.split('/').length > 7,
    ),
    space: unreadable('Does not find a directory with a space in its name', 404, (_, path) => path.includes(' ')),
    ascii: unreadable('Refuses to read directories whose names are not ASCII', 400, (_, path) =>
      /[^\x20-\x7e]/.test(path),
    ),
    plus: unreadable('Reads a plus sign as a space', 404, (_, path) => path.includes('+')),
    'literal-plus': unreadable('Reads a plus sign that is not percent-encoded as a space', 404, (sent) =>
      sent.includes('+'),
    ),
    encoded: unreadable('Does not decode percent-encoded letters', 404, (sent) => /%6[1-9a-f]/.test(sent)),
    updated: afterUpdate(),
  },
});

/** A directory in which a file was updated cannot be read any more. */
function afterUpdate(): Deviation {
  return statefulDeviation('Returns 500 for a directory in which a file was updated', (what) => {
    const updated = new Set<string>();
    const marks = afterWrite(what, ({ before, directory, written }) => {
      if (written.some((path) => before[path])) updated.add(directory);
    });
    const fails = unreadable(what, 500, (_, path) => [...updated].some((directory) => path.endsWith(directory)));
    return { what, effect: 'fail', condition: 'readTree', wrap: (app) => fails.wrap(marks.wrap(app)) };
  });
}
