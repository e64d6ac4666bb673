/** Lists the active multipart uploads of a sandbox. */
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { listUploads } from '../../domains/sandbox/uploads.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';

export const listMultipartUploads: Endpoint<'listMultipartUploads'> = (call) =>
  ok({ uploads: listUploads(sandboxOf(call).uploads) });
