/** Stores one part of a multipart upload: the field `file` of the form. */
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { fileOf } from '../../domains/sandbox/upload-bodies.ts';
import { partRecord, uploadPart } from '../../domains/sandbox/uploads.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';

export const uploadMultipartPart: Endpoint<'uploadMultipartPart'> = (call) => {
  const number = call.query.get('partNumber') ?? '';
  const { uploads, room } = sandboxOf(call);
  const part = uploadPart(uploads, call.path.uploadId, number, fileOf(call.body), call.world.clock.now(), room);
  return ok(partRecord(number, part));
};
