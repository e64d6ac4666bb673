/** Faults of the listing that answers a tree write: sizes, fields, names. */
import { deviationsOf } from '../table.ts';
import type { DirectoryListing } from '../../../spec/generated/types.ts';
import type { FileEntry } from '../../domains/sandbox/filesystem.ts';
import { onSuccess, type Deviation, type Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { afterWrite, isFile } from './reach.ts';

type Listing = Required<DirectoryListing>;
export type ListedFile = Listing['files'][number];

export function lists(what: string, edit: (listing: Listing) => Partial<Listing>): Deviation {
  return onSuccess(what, ['writeTree'], (body: Listing) => ({ ...body, ...edit(body) }));
}

/** Gives a written file another size than its content has. */
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
    '': measures('counts UTF-16 units', ({ length }) => length),
    'code-points': measures('counts code points', (content) => [...content].length),
    'line-break': measures('does not count a line break at the end', (content) =>
      Buffer.byteLength(content.replace(/\r?\n$/, '')),
    ),
    mark: measures('does not count a byte order mark', (content) => Buffer.byteLength(content.replace(/^\ufeff/, ''))),
    normalized: measures('counts the bytes of the composed form', (content) =>
      Buffer.byteLength(content.normalize('NFC')),
    ),
    '16-bit': measures('counts in 16 bits', (_, size) => size % 65_536),
    pieces: measures('cuts characters where a piece of 16 KiB ends', (content) =>
      Array.from({ length: Math.ceil(Buffer.byteLength(content) / PIECE) }, (_, at) =>
        Buffer.byteLength(
          Buffer.from(content)
            .subarray(at * PIECE, (at + 1) * PIECE)
            .toString(),
        ),
      ).reduce((sum, size) => sum + size, 0),
    ),
    '64k': measures('keeps no more than 64 KiB', (_, size) => Math.min(size, 65_536)),
    nul: measures('cuts a content where a NUL is', (content) => Buffer.byteLength(content.replace(/\0[^]*/, ''))),
    controls: measures('drops control characters', (content) =>
      Buffer.byteLength(content.replace(/[^\P{Cc}\t\r\n]/gu, '')),
    ),
    'lone-cr': measures('makes two characters of a CR without an LF', (content) =>
      Buffer.byteLength(content.replace(/\r(?!\n)/g, '\r\n')),
    ),
    '100-kb': measures('keeps no more than 100 kB', (_, size) => Math.min(size, 100_000)),
    base64: measures('decodes what looks like padded base64', (content, size) =>
      /^[\w+/]{4,}=+$/.test(content) ? Buffer.from(content, 'base64').length : size,
    ),
    nested: measures('keeps the size that a file in a directory was made with', (_, size, before, path) =>
      path.split('/').length > 5 ? (before?.size ?? size) : size,
    ),
  },
});

function filesLook(what: string, edit: (file: ListedFile) => object): Deviation {
  return lists(what, ({ files }) => ({ files: files.map((file) => edit(file) as ListedFile) }));
}

const shapeDeviations: Deviations = deviationsOf({
  'sandbox.tree.listing-shape': {
    '': filesLook('gives the size of an empty file as text', (file) =>
      file.size === 0 ? { ...file, size: '0' } : file,
    ),
    permissions: filesLook('gives permissions as a number in directories below', (file) =>
      file.path.split('/').length > 5 ? { ...file, permissions: 420 } : file,
    ),
    group: filesLook('leaves the group of a large file out', ({ group, ...file }) =>
      file.size > 1000 ? file : { group, ...file },
    ),
    fraction: filesLook('gives sizes in tenths of kilobytes', (file) => ({
      ...file,
      size: file.size > 100 ? 0.1 : file.size,
    })),
    itself: onSuccess('lists the parts of its own path', ['writeTree'], ({ path, ...listing }: Listing) => ({
      ...listing,
      path: path.split('/'),
    })),
    path: lists('leaves the paths of directories out where there are two', ({ subdirectories }) => ({
      subdirectories:
        subdirectories.length < 2 ? subdirectories : subdirectories.map(({ name }) => ({ name }) as never),
    })),
    twice: onSuccess(
      'lists a directory once for each file that the write has in it',
      ['writeTree'],
      (body: Listing, { state }) => {
        const { files } = state.body as { files: object };
        const times = (name = '') => Object.keys(files).filter((path) => path.startsWith(`${name}/`)).length || 1;
        return { ...body, subdirectories: body.subdirectories.flatMap((each) => Array(times(each.name)).fill(each)) };
      },
    ),
  },
});

export const listingDeviations: Deviations = merged(sizeDeviations, shapeDeviations);
