/** Deviations of the listing that a tree write returns: sizes, fields, names. */
import { onSuccess, type Fault } from '../deviation.ts';
import { merged, type Table } from '../table.ts';
import type { DirectoryListing } from '../../../spec/generated/types.ts';
import type { FileEntry } from '../../domains/sandbox/filesystem.ts';
import { afterWrite, isFile } from './tree-access.ts';

type Listing = Required<DirectoryListing>;
export type ListedFile = Listing['files'][number];

export function lists(edit: (listing: Listing) => Partial<Listing>): Fault {
  return onSuccess(['writeTree'], (body: Listing) => ({ ...body, ...edit(body) }));
}

/** Reports another size of a written file than its content has. */
export function measures(
  sizeOf: (content: string, size: number, before: FileEntry | undefined, path: string) => number,
): Fault {
  return afterWrite(({ entries, before, written }) => {
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

const sizeDeviations: Table = {
  'sandbox.tree.size-in-bytes': {
    'counts UTF-16 units': measures(({ length }) => length),
    'counts code points': measures((content) => [...content].length),
    'does not count a line break at the end': measures((content) => Buffer.byteLength(content.replace(/\r?\n$/, ''))),
    'does not count a byte order mark': measures((content) => Buffer.byteLength(content.replace(/^\ufeff/, ''))),
    'counts the bytes of the composed form': measures((content) => Buffer.byteLength(content.normalize('NFC'))),
    'counts modulo 2^16': measures((_, size) => size % 65_536),
    'splits characters at the boundary of 16 KiB': measures((content) =>
      Array.from({ length: Math.ceil(Buffer.byteLength(content) / PIECE) }, (_, at) =>
        Buffer.byteLength(
          Buffer.from(content)
            .subarray(at * PIECE, (at + 1) * PIECE)
            .toString(),
        ),
      ).reduce((sum, size) => sum + size, 0),
    ),
    'truncates contents to 64 KiB': measures((_, size) => Math.min(size, 65_536)),
    'truncates contents at a NUL': measures((content) => Buffer.byteLength(content.replace(/\0[^]*/, ''))),
    'removes control characters': measures((content) => Buffer.byteLength(content.replace(/[^\P{Cc}\t\r\n]/gu, ''))),
    'converts a CR without an LF to CR LF': measures((content) =>
      Buffer.byteLength(content.replace(/\r(?!\n)/g, '\r\n')),
    ),
    'truncates contents to 100 kB': measures((_, size) => Math.min(size, 100_000)),
    'decodes contents that look like padded base64': measures((content, size) =>
      /^[\w+/]{4,}=+$/.test(content) ? Buffer.from(content, 'base64').length : size,
    ),
    'reads \\n as a line break': measures((content) => Buffer.byteLength(content.replaceAll('\\n', '\n'))),
    'returns the original size of an updated file in a directory': measures((_, size, before, path) =>
      path.split('/').length > 5 ? (before?.size ?? size) : size,
    ),
  },
};

function filesLook(edit: (file: ListedFile) => object): Fault {
  return lists(({ files }) => ({ files: files.map((file) => edit(file) as ListedFile) }));
}

const shapeDeviations: Table = {
  'sandbox.tree.listing-shape': {
    'returns the size of an empty file as a string': filesLook((file) =>
      file.size === 0 ? { ...file, size: '0' } : file,
    ),
    'returns permissions as a number in subdirectories': filesLook((file) =>
      file.path.split('/').length > 5 ? { ...file, permissions: 420 } : file,
    ),
    'omits the group of a large file': filesLook(({ group, ...file }) =>
      file.size > 1000 ? file : { group, ...file },
    ),
    'returns sizes in tenths of kilobytes': filesLook((file) => ({
      ...file,
      size: file.size > 100 ? 0.1 : file.size,
    })),
    'lists the parts of the requested path': onSuccess(['writeTree'], ({ path, ...listing }: Listing) => ({
      ...listing,
      path: path.split('/'),
    })),
    'omits the paths of directories if there are two': lists(({ subdirectories }) => ({
      subdirectories:
        subdirectories.length < 2 ? subdirectories : subdirectories.map(({ name }) => ({ name }) as never),
    })),
    'lists a directory once for each file of the write': onSuccess(['writeTree'], (body: Listing, { state }) => {
      const { files } = state.body as { files: object };
      const times = (name = '') => Object.keys(files).filter((path) => path.startsWith(`${name}/`)).length || 1;
      return { ...body, subdirectories: body.subdirectories.flatMap((each) => Array(times(each.name)).fill(each)) };
    }),
  },
};

const pathDeviations: Table = {
  'sandbox.tree.paths-end-with-names': {
    'returns paths of files in the directory above theirs': filesLook((file) => ({
      ...file,
      path: file.path.replace(/\/[^/]+(?=\/[^/]+$)/, ''),
    })),
  },
};

export const listingDeviations: Table = merged(sizeDeviations, shapeDeviations, pathDeviations);
