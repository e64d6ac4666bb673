/** Stops using a credential that is refused again and again: a target may lock out whoever keeps failing to get in. */
import { Trouble } from './transport.ts';

/** So many refusals in a row, and the credential is used no more. */
export const MOST_REFUSALS = 5;

export interface Refusals {
  /** Throws Trouble that names the credential, once it has been answered 401 so often. */
  mayUse(credential: string): void;
  /** Told of each answer to a request that carried it; any other status than 401 begins the count anew. */
  answered(credential: string, status: number): void;
}

export function createRefusals(): Refusals {
  const inRow = new Map<string, number>();
  return {
    mayUse(credential) {
      if ((inRow.get(credential) ?? 0) < MOST_REFUSALS) return;
      throw new Trouble(
        `the credential ${credential} was answered 401 ${MOST_REFUSALS} times in a row and is used no more`,
      );
    },
    answered(credential, status) {
      // Requests that were on their way when the last refusal came change nothing.
      if ((inRow.get(credential) ?? 0) >= MOST_REFUSALS) return;
      inRow.set(credential, status === 401 ? (inRow.get(credential) ?? 0) + 1 : 0);
    },
  };
}
