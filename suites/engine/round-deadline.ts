/** Ends a round of a case that takes too long. */
import { setTimeout as wait } from 'node:timers/promises';
import { HarnessError } from '../target/transport.ts';
import type { Tally } from './tally.ts';

/** Of one round of a case, without a rate limit. */
const MAX_ROUND_SECONDS = 600;
/** With a rate limit, a case may have to wait until the others have sent theirs. */
const MAX_REQUESTS_BEFORE = 10_000;

/** The longest time of a round. `rate`: requests per second, 0 for no limit. */
export const roundSeconds = (rate: number): number => MAX_ROUND_SECONDS + (rate === 0 ? 0 : MAX_REQUESTS_BEFORE / rate);

/** Throws HarnessError if the round takes longer; the case can then send no further requests. */
export async function beforeDeadline(
  pending: Promise<void>,
  seconds: number,
  tally: Pick<Tally, 'isOver'>,
): Promise<void> {
  const ended = new AbortController();
  const late = wait(seconds * 1000, undefined, { signal: ended.signal, ref: false }).then(() => {
    tally.isOver = true;
    throw new HarnessError(`the case did not end within ${Math.round(seconds / 60)} minutes`);
  });
  try {
    await Promise.race([pending, late]);
  } finally {
    late.catch(() => {}); // aborted
    pending.catch(() => {}); // after the deadline nobody awaits it
    ended.abort();
  }
}
