/** Initiates a multipart upload of a file; the body may contain its permissions. */
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { initiateUpload, uploadRecord } from '../../domains/sandbox/uploads.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { permissionsOf } from '../../domains/sandbox/upload-bodies.ts';

export const initiateMultipartUpload: Endpoint<'initiateMultipartUpload'> = (call) => {
  const { clock, random, limits } = call.world;
  const { uploads } = sandboxOf(call);
  const permissions = permissionsOf(call.body);
  return ok(uploadRecord(initiateUpload(uploads, random.uuid(), call.path.path, clock.now(), permissions, limits)));
};
