/** Assembles a multipart upload into a file, and notifies watchers. */
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { completeUpload } from '../../domains/sandbox/uploads.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { partsOf } from '../../domains/sandbox/upload-bodies.ts';

export const completeMultipartUpload: Endpoint<'completeMultipartUpload'> = (call) => {
  const { uploads, filesystem, watchers } = sandboxOf(call);
  const path = completeUpload(uploads, filesystem, call.path.uploadId, call.world.clock.now(), partsOf(call.body));
  watchers.notify([path]);
  return ok({ message: 'The upload is complete.', path });
};
