/** Ids of runs: what a run creates has its id in the name. */
import { randomInt } from 'node:crypto';

/** Sorts by time; 9 characters, since names of at most 49 begin with it. */
export function newRunId(): string {
  return (
    Math.floor(Date.now() / 1000).toString(36) +
    randomInt(36 ** 3)
      .toString(36)
      .padStart(3, '0')
  );
}
