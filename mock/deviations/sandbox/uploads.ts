/** Deviations of the list of multipart uploads. */
import { deviationsOf } from '../table.ts';
import type { MultipartUploads } from '../../../spec/generated/types.ts';
import { onSuccess, type Deviation, type Deviations } from '../deviation.ts';
import { respondsTo } from './tree-access.ts';

type Upload = MultipartUploads['uploads'][number];

function lists(what: string, edit: (uploads: Upload[]) => unknown): Deviation {
  return onSuccess(what, ['listMultipartUploads'], ({ uploads }: MultipartUploads) => edit(uploads));
}

export const uploadsDeviations: Deviations = deviationsOf({
  'sandbox.multipart.list-shape': {
    '': lists('Returns null if no upload is active', (uploads) => ({
      uploads: uploads.length === 0 ? null : uploads,
    })),
    id: lists('Returns an id that is not a UUID for the second upload', (uploads) => ({
      uploads: uploads.map((upload, at) =>
        at === 1 ? { ...upload, uploadId: upload.uploadId.replaceAll('-', '') } : upload,
      ),
    })),
    bare: lists('Returns the list of active uploads without an object around it', (uploads) =>
      uploads.length === 0 ? { uploads } : uploads,
    ),
    permissions: lists('Returns permissions as a string', (uploads) => ({
      uploads: uploads.map((upload) => ({ ...upload, permissions: '0644' })),
    })),
    parts: lists('Returns parts as a list', (uploads) => ({
      uploads: uploads.map((upload) => ({ ...upload, parts: [] })),
    })),
    status: respondsTo('listMultipartUploads', 'Returns 206 for the list of uploads', (ctx, status) =>
      status === 200 ? { status: 206, body: ctx.state.reply?.body } : undefined,
    ),
  },
});
