/** What a directory of the sandbox holds. */
import { listDirectory } from '../../domains/sandbox/filesystem.ts';
import { sandboxOf } from '../../domains/sandbox/sandbox-of.ts';
import { ok, type Endpoint } from '../endpoint.ts';

export const readTree: Endpoint<'readTree'> = (call) => ok(listDirectory(sandboxOf(call).filesystem, call.path.path));
