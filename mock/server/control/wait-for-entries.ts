/** Waits until the journal of a world has enough requests that have ended. */
import { entriesOf, type Journal, type JournalEntry } from '../../pipeline/journal.ts';

/** The longest wait, in seconds of real time. */
export const MAX_WAIT_SECONDS = 60;

/** The entries, oldest first, as soon as `isEnough` accepts them, or after this time. Requests that have not ended do not count. */
export function waitForEntries(
  journal: Journal,
  isEnough: (entries: readonly JournalEntry[]) => boolean,
  seconds: number,
): Promise<JournalEntry[]> {
  const complete = () => entriesOf(journal).filter(({ hasEnded }) => hasEnded === true);
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      journal.listeners.delete(listener);
      resolve(complete());
    };
    const check = (): void => {
      if (isEnough(complete())) finish();
    };
    const listener = { onEntry: check, onForgotten: check, close: finish };
    const timer = setTimeout(finish, seconds * 1000);
    journal.listeners.add(listener);
    if (seconds === 0) finish();
    else check();
  });
}
