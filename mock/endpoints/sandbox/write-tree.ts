/** Creates or updates files below a directory, all or none, and notifies watchers. */
import { listDirectory, writeTree as write } from '../../domains/sandbox/filesystem.ts';
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';

export const writeTree: Endpoint<'writeTree'> = (call) => {
  const { filesystem, watchers, room } = sandboxOf(call);
  watchers.notify(write(filesystem, call.path.path, call.body.files, call.world.clock.now(), room));
  return ok(listDirectory(filesystem, call.path.path));
};
