/** Completes the journal entry of a request when its response has been sent. */
import { Readable } from 'node:stream';
import { bytesRead, readBytes } from '../http/read-bytes.ts';
import type { Context } from './context.ts';
import { completeEntry, type JournalEntry } from './journal.ts';
import { appendToBody, storeBody } from './journal-bodies.ts';
import type { Payload } from './write-reply.ts';

/** Completes the journal entry of a request with its response, and notifies the listeners. */
export function recordResponse({ state, req, res }: Context, payload: Payload | undefined): void {
  const { entry, route, reply, disruption, served } = state;
  if (entry === undefined) return;
  if (route !== undefined) entry.operation = route.operation.id;
  const requestBytes = bytesRead(req);
  if (requestBytes !== undefined) storeBody(entry.bodies.request, requestBytes);
  else if (isUnread(req)) void readBytes(req).then((bytes) => storeBody(entry.bodies.request, bytes), ignoreIncomplete);
  if (disruption?.kind !== 'cut') {
    if (reply !== undefined) entry.status = reply.status;
    else if (res.headersSent) entry.status = res.statusCode;
    if (payload instanceof Readable) recordStream(entry, payload);
    else if (payload !== undefined) storeBody(entry.bodies.response, payload);
  }
  completeEntry(served.journal, entry);
}

/** Its beginning, as it is sent. The entry may be dropped meanwhile, and then has other bodies. */
function recordStream(entry: JournalEntry, stream: Readable): void {
  const record = (piece: string | Uint8Array): void => {
    if (!appendToBody(entry.bodies.response, piece)) stream.off('data', record);
  };
  stream.on('data', record);
}

/** A body is read only for the journal if a step before readBody responded, such as a fault or a script. */
const MAX_DRAINED_BYTES = 65_536;

function isUnread({ headers, readableDidRead }: Context['req']): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return length > 0 && length <= MAX_DRAINED_BYTES && !readableDidRead;
}

/** The entry then has no body. */
const ignoreIncomplete = (): void => {};
