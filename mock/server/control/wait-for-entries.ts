/** Waits until the journal of a world has enough requests that have ended. */
import { requireAtMost } from '../../http/limits.ts';
import { entriesOf, type Journal, type JournalEntry } from '../../pipeline/journal.ts';

/** The longest wait, in seconds of real time. */
export const MAX_WAIT_SECONDS = 60;

/** A check reads the whole journal, so it is not done for each of many requests. */
const CHECK_EVERY_MS = 20;
const waitsOf = new WeakMap<Journal, number>();

/** The entries, oldest first, as soon as `isEnough` accepts them, or after this time. Requests that have not ended do not count. Throws a problem if too many calls wait. */
export function waitForEntries(
  journal: Journal,
  isEnough: (entries: readonly JournalEntry[]) => boolean,
  seconds: number,
): Promise<JournalEntry[]> {
  const complete = () => entriesOf(journal).filter(({ hasEnded }) => hasEnded === true);
  const waits = waitsOf.get(journal) ?? 0;
  if (seconds > 0) requireAtMost('waits', waits + 1, 'the waiting calls');
  waitsOf.set(journal, waits + 1);
  return new Promise((resolve) => {
    let nextCheck: NodeJS.Timeout | undefined;
    const finish = (): void => {
      clearTimeout(timer);
      clearTimeout(nextCheck);
      waitsOf.set(journal, (waitsOf.get(journal) ?? 1) - 1);
      journal.listeners.delete(listener);
      resolve(complete());
    };
    const check = (): void => {
      if (isEnough(complete())) finish();
    };
    const checkSoon = (): void => {
      nextCheck ??= setTimeout(() => {
        nextCheck = undefined;
        check();
      }, CHECK_EVERY_MS);
    };
    const listener = { onEntry: checkSoon, onForgotten: checkSoon, close: finish };
    const timer = setTimeout(finish, seconds * 1000);
    journal.listeners.add(listener);
    if (seconds === 0) finish();
    else check();
  });
}
