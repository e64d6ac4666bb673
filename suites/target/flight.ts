/** When a request was sent, because it may wait before: for the rate limit, or after a refusal (429). */

/** Of one request. */
export interface Flight {
  /** Of the attempt whose response is awaited, or arrived; as in `performance.now()`. Undefined while none is sent. */
  sentMs: number | undefined;
}

export const createFlight = (): Flight => ({ sentMs: undefined });

/** Seconds since the request was sent. 0 if it waits. */
export const secondsInFlight = ({ sentMs }: Flight): number =>
  sentMs === undefined ? 0 : (performance.now() - sentMs) / 1000;
