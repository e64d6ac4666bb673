/** Sends a request again if a gateway or the service could not process it for the moment: 502, 503 or 504 without Retry-After. */
import { idempotentMethods } from './retry-delay.ts';
import type { Head, Repeatable } from './retry-delay.ts';

const hasText = ({ headers }: Head): boolean => /^text\//i.test(headers['content-type'] ?? '');

/**
 * 503 of a gateway, such as `limit_conn` of nginx, which has done nothing: a service responds with JSON, and an overloaded one
 * with Retry-After.
 */
export const isRefusedByGateway = (head: Head): boolean =>
  head.status === 503 && head.headers['retry-after'] === undefined && hasText(head);

/** Idle connections are closed within the first wait; a gateway whose service restarts needs a few seconds. */
const WAITS_SECONDS = [1.2, 2.4, 3.6];
/** After so many requests in a row that are still refused after the waits, none waits for a while. */
const MAX_USELESS = 3;
const USELESS_MS = 60_000;

/**
 * 503 says that the request was not processed, and 502 of a gateway most often that its service did not run; others are repeated
 * only if they may be processed twice. What a workload responds is left to the rules about it, which wait until it has an instance.
 */
function isTemporary({ method, isOfWorkload = false }: Repeatable, head: Head): boolean {
  if (head.headers['retry-after'] !== undefined) return false;
  if (hasText(head) && [502, 503].includes(head.status)) return true;
  if (isOfWorkload) return false;
  return head.status === 503 || (idempotentMethods.has(method) && [502, 504].includes(head.status));
}

export interface TemporaryErrors {
  /** Seconds before the request is sent again, after so many waits. Undefined if it is not. */
  secondsBefore(request: Repeatable, response: Head, waits: number): number | undefined;
  /** How often a request was to be sent again. */
  readonly repeatCount: () => number;
}

export function createTemporaryErrors(): TemporaryErrors {
  let uselessCount = 0;
  let lastUselessMs = -Infinity;
  let repeatCount = 0;
  return {
    repeatCount: () => repeatCount,
    secondsBefore(request, response, waits) {
      if (!isTemporary(request, response)) {
        if (waits > 0) uselessCount = 0;
        return undefined;
      }
      if (performance.now() - lastUselessMs > USELESS_MS) uselessCount = 0;
      if (uselessCount >= MAX_USELESS) return undefined;
      const seconds = WAITS_SECONDS[waits];
      if (seconds === undefined) {
        uselessCount += 1;
        lastUselessMs = performance.now();
      } else repeatCount += 1;
      return seconds;
    },
  };
}
