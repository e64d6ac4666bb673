/** Waits if a gateway refuses a connection because the run has too many, as `limit_conn` of nginx does. */
import type { Head } from './retry-delay.ts';

/** 503 of a gateway, which has done nothing: a service responds with JSON, and an overloaded one with Retry-After. */
export const isRefusedByGateway = ({ status, headers }: Head): boolean =>
  status === 503 && headers['retry-after'] === undefined && /^text\//i.test(headers['content-type'] ?? '');

/** Idle connections are closed within the first wait. */
const WAITS_SECONDS = [1.2, 2.4];
/** After so many requests that are still refused after the waits, it is no limit of connections. */
const MAX_USELESS = 3;

export interface ConnectionLimit {
  /** Seconds before a refused request is sent again, after so many waits. Undefined if it is not. */
  secondsBefore(response: Head, waits: number): number | undefined;
}

export function createConnectionLimit(): ConnectionLimit {
  let uselessCount = 0;
  return {
    secondsBefore(response, waits) {
      if (!isRefusedByGateway(response) || uselessCount >= MAX_USELESS) return undefined;
      const seconds = WAITS_SECONDS[waits];
      if (seconds === undefined) uselessCount += 1;
      return seconds;
    },
  };
}
