/** Credentials that probably end before the run does. */
import { endingCredentials, formatEnd } from '../../suites/target/token-end.ts';
import type { Target } from '../../suites/target/target.ts';
import { describeSeconds } from './estimate.ts';

export interface ShortCredential {
  /** Its key in the target file. */
  readonly place: string;
  readonly found: string;
}

export const LIFETIME_ADVICE =
  'Rules that need it after that are not tried: use a token that lasts longer, or clientCredentials, whose tokens are renewed.';

/** Those that end before a run of `seconds` seconds from `now` does. */
export const shortCredentials = (target: Target, seconds: number, now = Date.now()): ShortCredential[] =>
  endingCredentials(target, now)
    .filter(({ end }) => end < now + seconds * 1000)
    .map(({ place, end }) => ({
      place,
      found: `ends at ${formatEnd(end)}, in ${describeSeconds((end - now) / 1000)}; a run takes about ${describeSeconds(seconds)}`,
    }));
