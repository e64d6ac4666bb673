/** Deviations of the listing that a tree write returns: sizes, fields, names. */
import { deviationsOf } from '../table.ts';
import type { DirectoryListing } from '../../../spec/generated/types.ts';
import type { FileEntry } from '../../domains/sandbox/filesystem.ts';
import { onSuccess, type Deviation, type Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { afterWrite, isFile } from './tree-access.ts';

type Listing = Required<DirectoryListing>;
export type ListedFile = Listing['files'][number];

export function lists(what: string, edit: (listing: Listing) => Partial<Listing>): Deviation {
  return onSuccess(what, ['writeTree'], (body: Listing) => ({ ...body, ...edit(body) }));
}

/** Reports another size of a written file than its content has. */
export function measures(
  what: string,
  sizeOf: (content: string, size: number, before: FileEntry | undefined, path: string) => number,
): Deviation {
  return afterWrite(what, ({ entries, before, written }) => {
    for (const path of written) {
      const file = entries[path];
      const was = before[path];
      if (isFile(file))
        entries[path] = { ...file, size: sizeOf(file.content, file.size, isFile(was) ? was : undefined, path) };
    }
  });
}

/** Bytes. */
const PIECE = 16_384;

const sizeDeviations: Deviations = deviationsOf({
  'sandbox.tree.size-in-bytes': {
    '': measures('Counts UTF-16 units', ({ length }) => length),
    'code-points': measures('Counts code points', (content) => [...content].length),
    'line-break': measures('Does not count a line break at the end', (content) =>
      Buffer.byteLength(content.replace(/\r?\n$/, '')),
    ),
    mark: measures('Does not count a byte order mark', (content) => Buffer.byteLength(content.replace(/^\ufeff/, ''))),
    normalized: measures('Counts the bytes of the composed form', (content) =>
      Buffer.byteLength(content.normalize('NFC')),
    ),
    '16-bit': measures('Counts modulo 2^16', (_, size) => size % 65_536),
    pieces: measures('Splits characters at the boundary of 16 KiB', (content) =>
      Array.from({ length: Math.ceil(Buffer.byteLength(content) / PIECE) }, (_, at) =>
        Buffer.byteLength(
          Buffer.from(content)
            .subarray(at * PIECE, (at + 1) * PIECE)
            .toString(),
        ),
      ).reduce((sum, size) => sum + size, 0),
    ),
    '64k': measures('Truncates contents to 64 KiB', (_, size) => Math.min(size, 65_536)),
    nul: measures('Truncates contents at a NUL', (content) => Buffer.byteLength(content.replace(/\0[^]*/, ''))),
    controls: measures('Removes control characters', (content) =>
      Buffer.byteLength(content.replace(/[^\P{Cc}\t\r\n]/gu, '')),
    ),
    'lone-cr': measures('Converts a CR without an LF to CR LF', (content) =>
      Buffer.byteLength(content.replace(/\r(?!\n)/g, '\r\n')),
    ),
    '100-kb': measures('Truncates contents to 100 kB', (_, size) => Math.min(size, 100_000)),
    base64: measures('Decodes contents that look like padded base64', (content, size) =>
      /^[\w+/]{4,}=+$/.test(content) ? Buffer.from(content, 'base64').length : size,
    ),
    escapes: measures('Reads \\n as a line break', (content) => Buffer.byteLength(content.replaceAll('\\n', '\n'))),
    nested: measures('Returns the original size of an updated file in a directory', (_, size, before, path) =>
      path.split('/').length > 5 ? (before?.size ?? size) : size,
    ),
  },
});

function filesLook(what: string, edit: (file: ListedFile) => object): Deviation {
  return lists(what, ({ files }) => ({ files: files.map((file) => edit(file) as ListedFile) }));
}

const shapeDeviations: Deviations = deviationsOf({
  'sandbox.tree.listing-shape': {
    '': filesLook('Returns the size of an empty file as a string', (file) =>
      file.size === 0 ? { ...file, size: '0' } : file,
    ),
    permissions: filesLook('Returns permissions as a number in subdirectories', (file) =>
      file.path.split('/').length > 5 ? { ...file, permissions: 420 } : file,
    ),
    group: filesLook('Omits the group of a large file', ({ group, ...file }) =>
      file.size > 1000 ? file : { group, ...file },
    ),
    fraction: filesLook('Returns sizes in tenths of kilobytes', (file) => ({
      ...file,
      size: file.size > 100 ? 0.1 : file.size,
    })),
    itself: onSuccess('Lists the parts of the requested path', ['writeTree'], ({ path, ...listing }: Listing) => ({
      ...listing,
      path: path.split('/'),
    })),
    path: lists('Omits the paths of directories if there are two', ({ subdirectories }) => ({
      subdirectories:
        subdirectories.length < 2 ? subdirectories : subdirectories.map(({ name }) => ({ name }) as never),
    })),
    twice: onSuccess('Lists a directory once for each file of the write', ['writeTree'], (body: Listing, { state }) => {
      const { files } = state.body as { files: object };
      const times = (name = '') => Object.keys(files).filter((path) => path.startsWith(`${name}/`)).length || 1;
      return { ...body, subdirectories: body.subdirectories.flatMap((each) => Array(times(each.name)).fill(each)) };
    }),
  },
});

export const listingDeviations: Deviations = merged(sizeDeviations, shapeDeviations);
