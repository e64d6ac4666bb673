/** Lists the uploaded parts of an active multipart upload. */
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { listParts } from '../../domains/sandbox/uploads.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';

export const listMultipartParts: Endpoint<'listMultipartParts'> = (call) => {
  const { uploadId } = call.path;
  return ok({ uploadId, parts: listParts(sandboxOf(call).uploads, uploadId) });
};
