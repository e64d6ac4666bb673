/** Formats the virtual time as the Date header of responses. */
import type { Instant } from './clock.ts';

let last = { second: NaN, date: '' };

/** Such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7). Most responses are of the same second as the last one. */
export function httpDate(instant: Instant): string {
  const second = Math.floor(instant / 1000);
  if (second !== last.second) last = { second, date: new Date(second * 1000).toUTCString() };
  return last.date;
}
