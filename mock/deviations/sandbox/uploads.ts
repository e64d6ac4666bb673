/** Faults in the list of multipart uploads. */
import { deviationsOf } from '../table.ts';
import type { MultipartUploads } from '../../../spec/generated/types.ts';
import { onSuccess, type Deviation, type Deviations } from '../deviation.ts';
import { answersTo } from './reach.ts';

type Upload = MultipartUploads['uploads'][number];

function lists(what: string, edit: (uploads: Upload[]) => unknown): Deviation {
  return onSuccess(what, ['listMultipartUploads'], ({ uploads }: MultipartUploads) => edit(uploads));
}

export const uploadsDeviations: Deviations = deviationsOf({
  'sandbox.multipart.list-shape': {
    '': lists('gives null where no upload is active', (uploads) => ({
      uploads: uploads.length === 0 ? null : uploads,
    })),
    id: lists('gives the second upload an id that is no UUID', (uploads) => ({
      uploads: uploads.map((upload, at) =>
        at === 1 ? { ...upload, uploadId: upload.uploadId.replaceAll('-', '') } : upload,
      ),
    })),
    bare: lists('answers the bare list of active uploads', (uploads) => (uploads.length === 0 ? { uploads } : uploads)),
    permissions: lists('gives permissions as text', (uploads) => ({
      uploads: uploads.map((upload) => ({ ...upload, permissions: '0644' })),
    })),
    parts: lists('gives parts as a list', (uploads) => ({
      uploads: uploads.map((upload) => ({ ...upload, parts: [] })),
    })),
    status: answersTo('listMultipartUploads', 'answers 206 to whoever lists uploads', (ctx, status) =>
      status === 200 ? { status: 206, body: ctx.state.reply?.body } : undefined,
    ),
  },
});
