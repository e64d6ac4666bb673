/** Deviations of tree writes: invalid bodies that are accepted, or refused ones that have an effect. */
import type { Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { listDirectory, writeTree } from '../../domains/sandbox/filesystem.ts';
import { respondsTo, failure, directoryOf } from './tree-access.ts';
import { isObject } from '../../../spec/json-object.ts';

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
function writesRefused(filesFor: (files: unknown) => Files | undefined, answers: boolean): Fault {
  return respondsTo('writeTree', (ctx, status) => {
    const files = status === 400 ? filesFor(filesOf(ctx)) : undefined;
    const place = directoryOf(ctx, 'writeTree');
    if (files === undefined || place === undefined) return undefined;
    const { filesystem } = place.sandbox;
    writeTree(filesystem, place.directory, files, ctx.state.world.clock.now());
    return answers ? { status: 200, body: listDirectory(filesystem, place.directory) } : undefined;
  });
}

const takes = (filesFor: (files: unknown) => Files | undefined) => writesRefused(filesFor, true);
const refusesTooLate = (filesFor: (files: unknown) => Files) => writesRefused(filesFor, false);

const hasOnly = (files: unknown, ...types: string[]): boolean =>
  isObject(files) && Object.values(files).every((content) => types.includes(typeof content));

export const bodiesDeviations: Table = {
  'sandbox.tree.bad-body-rejected': {
    'accepts numbers as contents': takes((files) =>
      hasOnly(files, 'string', 'number')
        ? Object.fromEntries(Object.entries(files as object).map(([path, content]) => [path, String(content)]))
        : undefined,
    ),
    'accepts false as an empty content': takes((files) =>
      hasOnly(files, 'string', 'boolean') && !Object.values(files as object).includes(true)
        ? Object.fromEntries(Object.entries(files as object).map(([path, content]) => [path, content || '']))
        : undefined,
    ),
    'accepts an empty list of files': takes((files) => (Array.isArray(files) && files.length === 0 ? {} : undefined)),
    'accepts false, 0 and "" as no files': takes((files) =>
      files === false || files === 0 || files === '' ? {} : undefined,
    ),
    'ignores a content that is an object': takes((files) =>
      hasOnly(files, 'string', 'object') && !Object.values(files as object).some(Array.isArray)
        ? texts(files)
        : undefined,
    ),
    'validates only the contents of the first five files': takes((files) =>
      isObject(files) && Object.values(files).findIndex((content) => typeof content !== 'string') > 4
        ? texts(files)
        : undefined,
    ),
    'writes the files before an invalid one, then refuses': refusesTooLate((files) => {
      const entries = isObject(files) ? Object.entries(files) : [];
      const wrong = entries.findIndex(([, content]) => typeof content !== 'string');
      return texts(Object.fromEntries(entries.slice(0, Math.max(wrong, 0))));
    }),
    'writes the last file, then refuses': refusesTooLate((files) =>
      Object.fromEntries(Object.entries(texts(files)).slice(-1)),
    ),
    'creates the directory, then refuses': refusesTooLate(() => ({})),
    'returns the message for a string if files is a list': respondsTo('writeTree', (ctx, status) =>
      status === 400 && Array.isArray(filesOf(ctx)) ? { status, body: { message: 'No list.' } } : undefined,
    ),
    'returns 500 for a string as files': respondsTo('writeTree', (ctx, status) =>
      status === 400 && typeof filesOf(ctx) === 'string' ? failure(500, 'Something went wrong.') : undefined,
    ),
  },
};
