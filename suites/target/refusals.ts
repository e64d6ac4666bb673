/** Stops using a credential that is refused repeatedly: a target may lock out clients that keep failing. */
import { HarnessError } from './transport.ts';

/** After this many consecutive 401 responses a credential is no longer used. */
export const MAX_REFUSALS = 5;

export interface Refusals {
  /** Throws HarnessError, which names the source, if the credential has been refused too often. */
  assertUsable(credential: string, source: string): void;
  /** Records the response to a request with the credential. Any status other than 401 resets the count. */
  record(credential: string, status: number): void;
}

export function createRefusals(): Refusals {
  const consecutiveRefusals = new Map<string, number>();
  return {
    assertUsable(credential, source) {
      if ((consecutiveRefusals.get(credential) ?? 0) < MAX_REFUSALS) return;
      throw new HarnessError(
        `the credential ${source} got status 401 ${MAX_REFUSALS} times in a row and is no longer used`,
      );
    },
    record(credential, status) {
      // Ignores requests that were pending when the limit was reached.
      if ((consecutiveRefusals.get(credential) ?? 0) >= MAX_REFUSALS) return;
      consecutiveRefusals.set(credential, status === 401 ? (consecutiveRefusals.get(credential) ?? 0) + 1 : 0);
    },
  };
}
