/** Lists a directory of a sandbox. */
import { listDirectory } from '../../domains/sandbox/filesystem.ts';
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';

export const readTree: Endpoint<'readTree'> = (call) => ok(listDirectory(sandboxOf(call).filesystem, call.path.path));
