/** Completes the journal entry of a request when its response has been sent. */
import { Readable } from 'node:stream';
import { bytesRead, readBytes } from '../http/read-bytes.ts';
import type { Context } from './context.ts';
import { MAX_BODY_CHARACTERS } from './journal.ts';
import type { Payload } from './write-reply.ts';

/** Completes the journal entry of a request with its response, and notifies the listeners. */
export function recordResponse({ state, req, res }: Context, payload: Payload | undefined): void {
  const { entry, route, reply, disruption, served } = state;
  if (entry === undefined) return;
  entry.hasEnded = true;
  if (route !== undefined) entry.operation = route.operation.id;
  const requestBytes = bytesRead(req);
  if (requestBytes !== undefined) entry.requestBody = beginning(requestBytes);
  else if (isUnread(req)) void readBytes(req).then((bytes) => (entry.requestBody = beginning(bytes)), ignoreIncomplete);
  if (disruption?.kind !== 'cut') {
    if (reply !== undefined) entry.status = reply.status;
    else if (res.headersSent) entry.status = res.statusCode;
    if (payload !== undefined && !(payload instanceof Readable)) entry.responseBody = beginning(payload);
  }
  for (const listener of served.journal.listeners) listener.onEntry(entry);
}

/** A body is read only for the journal if a step before readBody responded, such as a fault or a script. */
const MAX_DRAINED_BYTES = 65_536;

function isUnread({ headers, readableDidRead }: Context['req']): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return length > 0 && length <= MAX_DRAINED_BYTES && !readableDidRead;
}

/** The entry then has no body. */
const ignoreIncomplete = (): void => {};

const MAX_BYTES_PER_CHARACTER = 3;

/** Copied, so that the entry does not keep the whole body in memory. */
function beginning(body: string | Uint8Array): string {
  if (typeof body === 'string' && body.length <= MAX_BODY_CHARACTERS) return body;
  const maxLength = MAX_BODY_CHARACTERS + 1;
  const bytes = Buffer.from(
    typeof body === 'string' ? body.slice(0, maxLength) : body.subarray(0, maxLength * MAX_BYTES_PER_CHARACTER),
  );
  return bytes.toString().slice(0, maxLength);
}
