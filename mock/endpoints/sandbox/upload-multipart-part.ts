/** Stores one part of a multipart upload: arbitrary bytes. */
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { partRecord, uploadPart } from '../../domains/sandbox/uploads.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';

export const uploadMultipartPart: Endpoint<'uploadMultipartPart'> = (call) => {
  const number = call.query.get('partNumber') ?? '';
  const part = uploadPart(
    sandboxOf(call).uploads,
    call.path.uploadId,
    number,
    Buffer.from(call.body),
    call.world.clock.now(),
  );
  return ok(partRecord(number, part));
};
