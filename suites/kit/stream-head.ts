/** Reads the head of a streaming response, also if the server sends it only with the first event (decision 049). */
import type { OperationId } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import type { Client, Exchange, Stream } from '../target/client.ts';
import { createFlight } from '../target/flight.ts';
import type { CallInput } from '../target/request-types.ts';
import { HarnessError } from '../target/transport.ts';
import { NotTried } from '../target/violation.ts';
import { isJsonResponse } from './mcp/messages.ts';
import { resolvesWithin, respondsWithin } from './resolves-within.ts';
import { sharedValues } from '../engine/shared-values.ts';

const earlyHeads = sharedValues<boolean>();

/** Makes the stream send an event. */
export type TriggerEvents = () => Promise<unknown>;

const PAUSE_SECONDS = 0.2;
/** For streams whose events cannot be triggered. */
const MAX_HEAD_WAIT_SECONDS = 5;
const MAX_JSON_WAIT_SECONDS = 30;

/** Triggers events until response headers arrive, then disconnects. Without `triggerEvents` it only waits. */
export async function responseHead(
  opening: Promise<Stream>,
  triggerEvents: TriggerEvents = async () => {},
): Promise<Exchange> {
  try {
    while (!(await resolvesWithin(opening, PAUSE_SECONDS))) await triggerEvents();
  } catch (error) {
    closeWhenOpen(opening);
    throw error;
  }
  return closeStream(await opening);
}

/** Whether the head is sent before the first event. If not, a missing head does not mean a refusal. Tested once per run. */
export function respondsBeforeEvents(run: Run, id: OperationId, input: () => Promise<CallInput>): Promise<boolean> {
  return earlyHeads.get(run, id, async () => {
    try {
      return (await headBeforeEvents(run.client, id, await input())) !== undefined;
    } catch (error) {
      if (error instanceof HarnessError || error instanceof NotTried) return false; // unknown
      throw error;
    }
  });
}

/**
 * The head that is sent before the first event. Undefined if there is none so many seconds after the request was sent. The
 * stream is closed in any case.
 */
export async function headBeforeEvents(
  client: Client,
  id: OperationId,
  input: CallInput,
  seconds = MAX_HEAD_WAIT_SECONDS,
): Promise<Exchange | undefined> {
  const flight = createFlight();
  const opening = client.open(id, input, { flight });
  if (await respondsWithin(opening, flight, seconds)) return closeStream(await opening);
  closeWhenOpen(opening);
  return undefined;
}

/**
 * Waits for the body of an error response, and for JSON in response to a message: other rules judge it, and it may arrive long
 * after the head. The lines of a watch, which is a GET, may be called JSON, too, and do not end.
 */
async function closeStream(stream: Stream): Promise<Exchange> {
  const { status, request } = stream;
  if (status >= 400) await stream.until(() => false, MAX_HEAD_WAIT_SECONDS);
  else if (request.method === 'POST' && isJsonResponse(stream)) await stream.until(() => false, MAX_JSON_WAIT_SECONDS);
  return stream.close();
}

function closeWhenOpen(opening: Promise<Stream>): void {
  void opening.then((stream) => stream.close()).catch(() => {}); // the error is already thrown, or irrelevant
}
