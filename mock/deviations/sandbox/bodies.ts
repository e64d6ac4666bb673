/** Deviations of tree writes: invalid bodies that are accepted, or refused ones that have an effect. */
import { deviationsOf } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { listDirectory, writeTree } from '../../domains/sandbox/filesystem.ts';
import type { Deviation, Deviations } from '../deviation.ts';
import { respondsTo, failure, directoryOf } from './tree-access.ts';
import { isObject } from '../../http/json-object.ts';

type Files = Record<string, string>;

const filesOf = (ctx: Context): unknown => (ctx.state.body as { files?: unknown } | undefined)?.files;

/** The entries whose content is text. */
function texts(files: unknown): Files {
  if (!isObject(files)) return {};
  return Object.fromEntries(
    Object.entries(files).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Writes what `filesFor` derives from the refused files. Undefined keeps the refusal. */
function writesRefused(what: string, filesFor: (files: unknown) => Files | undefined, answers: boolean): Deviation {
  return respondsTo('writeTree', what, (ctx, status) => {
    const files = status === 400 ? filesFor(filesOf(ctx)) : undefined;
    const place = directoryOf(ctx, 'writeTree');
    if (files === undefined || place === undefined) return undefined;
    const { filesystem } = place.sandbox;
    writeTree(filesystem, place.directory, files, ctx.state.world.clock.now());
    return answers ? { status: 200, body: listDirectory(filesystem, place.directory) } : undefined;
  });
}

const takes = (what: string, filesFor: (files: unknown) => Files | undefined) => writesRefused(what, filesFor, true);
const refusesTooLate = (what: string, filesFor: (files: unknown) => Files) => writesRefused(what, filesFor, false);

const hasOnly = (files: unknown, ...types: string[]): boolean =>
  isObject(files) && Object.values(files).every((content) => types.includes(typeof content));

export const bodiesDeviations: Deviations = deviationsOf({
  'sandbox.tree.bad-body-rejected': {
    '': takes('Accepts numbers as contents', (files) =>
      hasOnly(files, 'string', 'number')
        ? Object.fromEntries(Object.entries(files as object).map(([path, content]) => [path, String(content)]))
        : undefined,
    ),
    false: takes('Accepts false as an empty content', (files) =>
      hasOnly(files, 'string', 'boolean') && !Object.values(files as object).includes(true)
        ? Object.fromEntries(Object.entries(files as object).map(([path, content]) => [path, content || '']))
        : undefined,
    ),
    list: takes('Accepts an empty list of files', (files) =>
      Array.isArray(files) && files.length === 0 ? {} : undefined,
    ),
    'no-files': takes('Accepts false, 0 and "" as no files', (files) =>
      files === false || files === 0 || files === '' ? {} : undefined,
    ),
    skips: takes('Ignores a content that is an object', (files) =>
      hasOnly(files, 'string', 'object') && !Object.values(files as object).some(Array.isArray)
        ? texts(files)
        : undefined,
    ),
    late: takes('Validates only the contents of the first five files', (files) =>
      isObject(files) && Object.values(files).findIndex((content) => typeof content !== 'string') > 4
        ? texts(files)
        : undefined,
    ),
    effect: refusesTooLate('Writes the files before an invalid one, then refuses', (files) => {
      const entries = isObject(files) ? Object.entries(files) : [];
      const wrong = entries.findIndex(([, content]) => typeof content !== 'string');
      return texts(Object.fromEntries(entries.slice(0, Math.max(wrong, 0))));
    }),
    'last-file': refusesTooLate('Writes the last file, then refuses', (files) =>
      Object.fromEntries(Object.entries(texts(files)).slice(-1)),
    ),
    directory: refusesTooLate('Creates the directory, then refuses', () => ({})),
    'error-body': respondsTo('writeTree', 'Returns the message for a string if files is a list', (ctx, status) =>
      status === 400 && Array.isArray(filesOf(ctx)) ? { status, body: { message: 'No list.' } } : undefined,
    ),
    fails: respondsTo('writeTree', 'Returns 500 for a string as files', (ctx, status) =>
      status === 400 && typeof filesOf(ctx) === 'string' ? failure(500, 'Something went wrong.') : undefined,
    ),
  },
});
