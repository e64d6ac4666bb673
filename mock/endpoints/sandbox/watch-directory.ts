/** Streams the paths of files that change below a directory, one per line, until the client disconnects. */
import { existingDirectory } from '../../domains/sandbox/filesystem.ts';
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { watchStream } from '../../domains/sandbox/watch-stream.ts';
import { ignorePatterns } from '../../domains/sandbox/watchers.ts';
import type { Endpoint } from '../endpoint.ts';

export const watchDirectory: Endpoint<'watchDirectory'> = (call) => {
  const { filesystem, watchers } = sandboxOf(call);
  const directory = existingDirectory(filesystem, call.path.path);
  const body = watchStream(watchers, directory, ignorePatterns(call.query.get('ignore')), call.world.limits.watchBytes);
  return { status: 200, body, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' } };
};
