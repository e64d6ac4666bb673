/** Assembles the named parts of a multipart upload into a file, and notifies watchers. */
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { completeUpload } from '../../domains/sandbox/uploads.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { partsOf } from '../../domains/sandbox/upload-bodies.ts';

export const completeMultipartUpload: Endpoint<'completeMultipartUpload'> = (call) => {
  const { uploads, filesystem, watchers, room } = sandboxOf(call);
  const { clock, limits } = call.world;
  const options = { parts: partsOf(call.body), room, limits };
  const path = completeUpload(uploads, filesystem, call.path.uploadId, clock.now(), options);
  watchers.notify([path]);
  return ok({ message: 'The upload is complete.', path });
};
