/** Deletes a file or a directory, at both of its addresses, and notifies watchers of the deleted files. */
import { existingDirectory, removeEntry } from '../../domains/sandbox/filesystem.ts';
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { absolutePath } from '../../domains/sandbox/path.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { switchIn } from './query.ts';

export const deleteFile: Endpoint<'deleteFile'> = (call) => remove(call);

export const deleteTree: Endpoint<'deleteTree'> = (call) => {
  existingDirectory(sandboxOf(call).filesystem, call.path.path);
  return remove(call);
};

function remove(call: Call<'deleteFile' | 'deleteTree'>) {
  const { filesystem, watchers } = sandboxOf(call);
  const { path } = call.path;
  watchers.notify(removeEntry(filesystem, path, switchIn(call.query, 'recursive')));
  return ok({ message: 'It is deleted.', path: absolutePath(path) });
}
