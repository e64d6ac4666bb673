/** Searches for the highest request rate that a target accepts: each refusal lowers it, then it is kept, then it rises. */

export interface AcceptedRate {
  /** In requests per second, so many milliseconds after the last refusal or pause. Infinity before the first refusal. */
  rateAfter(milliseconds: number): number;
  /** Must be called after a refusal. `measured`: requests per second that the target accepted in the milliseconds before it. */
  lower(measured: number, milliseconds: number): void;
}

interface Rate {
  readonly perSecond: number;
  /** How long it is kept before higher ones are tried. */
  readonly holdMs: number;
}

/** By which part of the measured rate the next one is below it. Doubles with each one that is not kept. */
const DECREASE = 0.03;
const MAX_DOUBLINGS = 4;
/** Three times as long after each refusal that confirms the rate, because it can cost a pause. */
const [MIN_HOLD_MS, MAX_HOLD_MS] = [2000, 40_000];
/** A rate that differs less confirms the one before. */
const MAX_DIFFERENCE = 0.15;
/** By which part the rate has risen a second after its time. */
const GROWTH = 0.005;
/** In requests per second. With a lower one it would take too long to rise again. */
const MIN_RATE = 2;

/** Rises faster and faster, as in CUBIC (RFC 9438 section 4.2), because the limit of the target may be another one by now. */
const growingRate = ({ perSecond, holdMs }: Rate, milliseconds: number): number =>
  perSecond * (1 + GROWTH * Math.max(0, (milliseconds - holdMs) / 1000) ** 3);

const nextHoldMs = (next: number, steady: Rate): number =>
  Math.abs(next / steady.perSecond - 1) <= MAX_DIFFERENCE ? Math.min(MAX_HOLD_MS, 3 * steady.holdMs) : MIN_HOLD_MS;

/** At first there is no limit. */
export function createAcceptedRate(): AcceptedRate {
  let current: Rate = { perSecond: Infinity, holdMs: 0 };
  /** The last one that the target accepted for its whole time. */
  let steady = current;
  let earlyCount = 0;

  /** What is measured may be too low, because the time was short or few requests were sent. */
  function minRate(isSteady: boolean): number {
    if (current.perSecond === Infinity) return 0;
    if (isSteady) return current.perSecond * (1 - DECREASE);
    // A target accepts more than its limit for a while if it counts unused requests.
    return steady.perSecond < current.perSecond ? steady.perSecond : current.perSecond / 2;
  }
  return {
    rateAfter: (milliseconds) => growingRate(current, milliseconds),
    lower(measured, milliseconds) {
      const isSteady = milliseconds >= current.holdMs;
      if (isSteady) steady = current;
      earlyCount = isSteady ? 0 : Math.min(MAX_DOUBLINGS, earlyCount + 1);
      const perSecond = Math.max(MIN_RATE, minRate(isSteady), measured * (1 - DECREASE * 2 ** earlyCount));
      current = { perSecond, holdMs: nextHoldMs(perSecond, steady) };
    },
  };
}
