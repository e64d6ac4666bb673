/** All active multipart uploads of the sandbox. */
import { sandboxOf } from '../../sandbox/sandbox-of.ts';
import { listUploads } from '../../sandbox/uploads.ts';
import { ok, type Endpoint } from '../../endpoint.ts';

export const listMultipartUploads: Endpoint<'listMultipartUploads'> = (call) =>
  ok({ uploads: listUploads(sandboxOf(call).uploads) });
