/** How a rule changes the response to a request: its status, timing and connection. Shared by faults and scripted responses. */
import { MAX_DELAY_MS } from '../http/delay.ts';
import type { Random } from '../time/random.ts';
import type { Delay, ResponseEffect } from './rule-formats.ts';

/** How a response is damaged or slowed down when it is sent. */
export type Disruption =
  | { readonly kind: 'cut' | 'cut-body' | 'broken-json' }
  | { readonly kind: 'slow-body'; readonly bytesPerSecond: number };

/** Undefined if the response is sent as usual. */
export function disruptionOf({ cut, brokenJson, bytesPerSecond }: ResponseEffect): Disruption | undefined {
  if (cut !== undefined) return { kind: cut === 'during' ? 'cut-body' : 'cut' };
  if (brokenJson === true) return { kind: 'broken-json' };
  return bytesPerSecond === undefined ? undefined : { kind: 'slow-body', bytesPerSecond };
}

/** What contradicts itself in an effect: the member, and what is allowed. Undefined if nothing does. */
export function contradictionIn(
  { cut, brokenJson, bytesPerSecond }: ResponseEffect,
  hasStatus: boolean,
): { readonly member: 'cut' | 'bytesPerSecond'; readonly allowed: string } | undefined {
  const others = [brokenJson === true, bytesPerSecond !== undefined, hasStatus && cut !== 'during'];
  if (cut !== undefined && others.includes(true))
    return {
      member: 'cut',
      allowed:
        cut === 'during'
          ? 'cut without brokenJson and bytesPerSecond'
          : 'cut without status, brokenJson and bytesPerSecond, since no response is sent',
    };
  if (brokenJson === true && bytesPerSecond !== undefined)
    return { member: 'bytesPerSecond', allowed: 'bytesPerSecond without brokenJson' };
  return undefined;
}

const TWO_TO_32 = 2 ** 32;
/** Standard deviations between the median and the 99th percentile. */
const Z_99 = 2.326_347_874;

/** Draws from `random` only for a distribution. */
export function drawDelay(wanted: Delay, random: Random): number {
  if (typeof wanted === 'number') return wanted;
  const { p50, p99 } = wanted;
  return Math.min(MAX_DELAY_MS, p50 * Math.exp((Math.log(p99 / p50) / Z_99) * drawNormal(random)));
}

/** Of mean 0 and standard deviation 1 (Box and Muller). */
function drawNormal(random: Random): number {
  const [first, second] = [(random.next() + 1) / (TWO_TO_32 + 1), random.next() / TWO_TO_32];
  return Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * second);
}
