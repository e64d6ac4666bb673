/** Deviations of the list of multipart uploads. */
import { onSuccess, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { MultipartUploads } from '../../../spec/generated/types.ts';
import { respondsTo } from './tree-access.ts';

type Upload = MultipartUploads['uploads'][number];

function lists(edit: (uploads: Upload[]) => unknown): Fault {
  return onSuccess(['listMultipartUploads'], ({ uploads }: MultipartUploads) => edit(uploads));
}

export const uploadsDeviations: Table = {
  'sandbox.multipart.list-shape': {
    'returns null if no upload is active': lists((uploads) => ({
      uploads: uploads.length === 0 ? null : uploads,
    })),
    'returns an id that is not a UUID for the second upload': lists((uploads) => ({
      uploads: uploads.map((upload, at) =>
        at === 1 ? { ...upload, uploadId: upload.uploadId.replaceAll('-', '') } : upload,
      ),
    })),
    'returns the list of active uploads without an object around it': lists((uploads) =>
      uploads.length === 0 ? { uploads } : uploads,
    ),
    'returns permissions as a string': lists((uploads) => ({
      uploads: uploads.map((upload) => ({ ...upload, permissions: '0644' })),
    })),
    'returns parts as a list': lists((uploads) => ({
      uploads: uploads.map((upload) => ({ ...upload, parts: [] })),
    })),
    'returns 206 for the list of uploads': respondsTo('listMultipartUploads', (ctx, status) =>
      status === 200 ? { status: 206, body: ctx.state.reply?.body } : undefined,
    ),
  },
};
