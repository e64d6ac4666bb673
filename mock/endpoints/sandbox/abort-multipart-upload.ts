/** Aborts a multipart upload and deletes its parts. */
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { abortUpload } from '../../domains/sandbox/uploads.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';

export const abortMultipartUpload: Endpoint<'abortMultipartUpload'> = (call) => {
  abortUpload(sandboxOf(call).uploads, call.path.uploadId);
  return ok({ message: 'The upload is aborted.' });
};
