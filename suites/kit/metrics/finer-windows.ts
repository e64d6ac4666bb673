/** Windows that are finer than the smallest bucket, which is an hour: a target may refuse them (decision 066). */
import { HOUR, SECOND, endOf, isWholeHour, lastOf, lengthOf, startOf, windowOf, type Window } from './windows.ts';

/** A respect in which a window is finer, alone. */
export interface Fineness {
  readonly name: 'ends within an hour' | 'length';
  /** What a target that refuses it does not accept. */
  readonly missing: string;
  /** A window that is finer in this respect only. */
  readonly finer: Window;
  /** One that is not, which every target accepts. */
  readonly whole: Window;
}

/** Those of a window, in the order in which they are tried, with windows of this day. Empty if a target may not refuse it. */
export function finenessesOf(window: Window, day: Window): Fineness[] {
  const length = lengthOf(window);
  if (!(length > 0)) return [];
  const withinAnHour: Fineness = {
    name: 'ends within an hour',
    missing: 'windows that do not begin and end on a whole hour',
    finer: windowOf(startOf(day) + SECOND, endOf(day)),
    whole: day,
  };
  const short: Fineness = {
    name: 'length',
    missing: `windows of ${length / SECOND} s`,
    finer: lastOf(day, length),
    whole: lastOf(day, HOUR),
  };
  const isWhole = [startOf(window), endOf(window)].every(isWholeHour);
  return [...(isWhole ? [] : [withinAnHour]), ...(length < HOUR ? [short] : [])];
}
