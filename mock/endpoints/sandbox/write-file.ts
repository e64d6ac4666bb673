/** Creates or updates one file, from JSON or a form, or creates a directory, and notifies watchers. */
import { writeFile as write, writeTree } from '../../domains/sandbox/filesystem.ts';
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { absolutePath } from '../../domains/sandbox/path.ts';
import { contentOf, fileOf, isDirectory, permissionsOf } from '../../domains/sandbox/upload-bodies.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';

export const writeFile: Endpoint<'writeFile'> = (call) => {
  const { filesystem, watchers, room } = sandboxOf(call);
  const { body, world } = call;
  const { path } = call.path;
  const permissions = permissionsOf(body);
  const now = world.clock.now();
  if (isDirectory(body)) {
    writeTree(filesystem, path, {}, now, room);
    return ok({ message: 'The directory exists.', path: absolutePath(path) });
  }
  const bytes = 'file' in body ? fileOf(body) : contentOf(body);
  const written = write(filesystem, path, bytes, now, { room, ...(permissions !== undefined && { permissions }) });
  watchers.notify([written]);
  return ok({ message: 'The file is written.', path: written });
};
