/** Stores one part of a multipart upload: arbitrary bytes. */
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { partRecord, uploadPart } from '../../domains/sandbox/uploads.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';

export const uploadMultipartPart: Endpoint<'uploadMultipartPart'> = (call) => {
  const number = call.query.get('partNumber') ?? '';
  const { uploads, room } = sandboxOf(call);
  const part = uploadPart(uploads, call.path.uploadId, number, Buffer.from(call.body), call.world.clock.now(), room);
  return ok(partRecord(number, part));
};
