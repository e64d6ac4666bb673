/** Reads a file, as JSON with its content or as bytes, or lists a directory. */
import type { IncomingHttpHeaders } from 'node:http';
import { findFile, listDirectory, readFile as read } from '../../domains/sandbox/filesystem.ts';
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { switchIn } from './query.ts';

export const readFile: Endpoint<'readFile'> = (call) => {
  const { filesystem } = sandboxOf(call);
  const { path } = call.path;
  const wantsBytes = switchIn(call.query, 'download') || prefersBytes(call.headers);
  const file = findFile(filesystem, path);
  const bytes = read(filesystem, path);
  if (file === undefined || bytes === undefined) return ok(listDirectory(filesystem, path));
  return wantsBytes
    ? { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: bytes }
    : ok({ ...file, content: bytes.toString() });
};

/** Whether a client accepts bytes explicitly, or no JSON. Without Accept, it gets JSON. */
function prefersBytes({ accept = '*/*' }: IncomingHttpHeaders): boolean {
  return accept.includes('application/octet-stream') || !/application\/json|\*\/\*/i.test(accept);
}
