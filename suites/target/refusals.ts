/** Stops using a credential that is refused again and again: a target may lock out whoever keeps failing to get in. */
import { HarnessError } from './transport.ts';

/** So many refusals in a row, and the credential is used no more. */
export const MAX_REFUSALS = 5;

export interface Refusals {
  /** Throws Trouble that names the credential, once it has been answered 401 so often. */
  assertUsable(credential: string): void;
  /** Told of each answer to a request that carried it; any other status than 401 begins the count anew. */
  record(credential: string, status: number): void;
}

export function createRefusals(): Refusals {
  const consecutiveRefusals = new Map<string, number>();
  return {
    assertUsable(credential) {
      if ((consecutiveRefusals.get(credential) ?? 0) < MAX_REFUSALS) return;
      throw new HarnessError(
        `the credential ${credential} was answered 401 ${MAX_REFUSALS} times in a row and is used no more`,
      );
    },
    record(credential, status) {
      // Requests that were on their way when the last refusal came change nothing.
      if ((consecutiveRefusals.get(credential) ?? 0) >= MAX_REFUSALS) return;
      consecutiveRefusals.set(credential, status === 401 ? (consecutiveRefusals.get(credential) ?? 0) + 1 : 0);
    },
  };
}
