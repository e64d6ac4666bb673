/** The head of an answer that may never end, also of one that comes with what the stream tells first (decision 049). */
import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import type { Exchange, Stream } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';
import { HarnessError } from '../target/transport.ts';
import { NotTried } from '../target/violation.ts';
import { sharedValues } from '../engine/shared-values.ts';

const earlyHeads = sharedValues<boolean>();

/** Makes the stream tell something. */
export type TriggerEvents = () => Promise<unknown>;

const PAUSE_SECONDS = 0.2;
/** How long the head of a stream that nothing can be made to tell of is waited for. */
const MAX_HEAD_WAIT_SECONDS = 5;

/** Stirs until the head is there, and hangs up. Left out: the head is waited for. */
export async function responseHead(
  opening: Promise<Stream>,
  triggerEvents: TriggerEvents = async () => {},
): Promise<Exchange> {
  try {
    while (!(await hasOpened(opening, PAUSE_SECONDS))) await triggerEvents();
  } catch (error) {
    closeWhenOpen(opening);
    throw error;
  }
  return closeStream(await opening);
}

/** Whether its head comes before anything is told: one that does not says nothing of who is let in. Asked once in a run. */
export function respondsBeforeEvents(run: Run, id: OperationId, input: () => Promise<CallInput>): Promise<boolean> {
  return earlyHeads.get(run, id, async () => {
    try {
      return (await headBeforeEvents(run.client.open(id, await input()))) !== undefined;
    } catch (error) {
      if (error instanceof HarnessError || error instanceof NotTried) return false; // nothing can be said of it
      throw error;
    }
  });
}

/** The head that comes before anything is told; undefined where none does. Whenever it opens, it is closed. */
export async function headBeforeEvents(
  opening: Promise<Stream>,
  seconds = MAX_HEAD_WAIT_SECONDS,
): Promise<Exchange | undefined> {
  if (await hasOpened(opening, seconds)) return closeStream(await opening);
  closeWhenOpen(opening);
  return undefined;
}

/** What is refused ends by itself, and may say why. */
async function closeStream(stream: Stream): Promise<Exchange> {
  if (stream.status >= 400) await stream.until(() => false, MAX_HEAD_WAIT_SECONDS);
  return stream.close();
}

function hasOpened(opening: Promise<Stream>, seconds: number): Promise<boolean> {
  return Promise.race([opening.then(() => true), wait(seconds * 1000, false, { ref: false })]);
}

function closeWhenOpen(opening: Promise<Stream>): void {
  void opening.then((stream) => stream.close()).catch(() => {}); // why it did not open is thrown already, or asked no more
}
