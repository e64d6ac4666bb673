/** Stops using a credential that is refused repeatedly: a target may lock out clients that keep failing. */
import type { Surface } from '../../spec/openapi-document.ts';
import { HarnessError } from './transport.ts';

/** After this many consecutive 401 responses a credential is no longer used. */
export const MAX_REFUSALS = 5;

export interface Refusals {
  /** Whether the credential has not been refused too often. */
  isUsable(credential: string, surface: Surface): boolean;
  /** Throws HarnessError, which names the source, if the credential has been refused too often. */
  assertUsable(credential: string, source: string, surface: Surface): void;
  /** Records the response to a request with the credential. Any status other than 401 resets the count of the API. */
  record(credential: string, status: number, surface: Surface): void;
}

/** Refusals of a credential that was accepted before count separately for each API, because only one may have a fault. */
export function createRefusals(): Refusals {
  const accepted = new Set<string>();
  const consecutiveRefusals = new Map<string, number>();
  const keyOf = (credential: string, surface: Surface): string =>
    accepted.has(credential) ? `${credential} at ${surface}` : credential;
  const countOf = (credential: string, surface: Surface): number =>
    consecutiveRefusals.get(keyOf(credential, surface)) ?? 0;
  const isUsable = (credential: string, surface: Surface): boolean => countOf(credential, surface) < MAX_REFUSALS;
  return {
    isUsable,
    assertUsable(credential, source, surface) {
      if (isUsable(credential, surface)) return;
      const refused = `the credential ${source} got status 401 ${MAX_REFUSALS} times in a row`;
      throw new HarnessError(
        accepted.has(credential)
          ? `${refused} from addresses.${surface} and is no longer used there`
          : `${refused} and is no longer used`,
      );
    },
    record(credential, status, surface) {
      // Ignores requests that were pending when the limit was reached.
      if (!isUsable(credential, surface)) return;
      if (status !== 401) accepted.add(credential);
      consecutiveRefusals.set(keyOf(credential, surface), status === 401 ? countOf(credential, surface) + 1 : 0);
    },
  };
}
