/** Synchronizes the page with the URL fragment. */
import { useEffect, useState } from 'preact/hooks';
import type { RuleResult } from '../../../spec/verdicts.ts';
import { resolveAddress, readAddress, writeAddress } from './address.ts';
import type { Address, Filter } from './address.ts';

export interface AddressState {
  readonly address: Address;
  /** Incremented by every followed link and history step: the page then scrolls to the place. */
  readonly arrivals: number;
  /** Keeps omitted members, adds no history entry and clears the place. */
  readonly filter: (change: Partial<Filter>) => void;
}

export function useAddress(results: readonly RuleResult[]): AddressState {
  const [current, setCurrent] = useState(() => ({ address: openAddress(results), arrivals: 0 }));
  useEffect(() => {
    const follow = (): void =>
      setCurrent(({ arrivals }) => ({ address: openAddress(results), arrivals: arrivals + 1 }));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const filter = (change: Partial<Filter>): void => {
    const address = { ...readAddress(location.hash), ...change, place: '' };
    history.replaceState(null, '', writeAddress(address));
    setCurrent(({ arrivals }) => ({ address, arrivals }));
  };
  return { ...current, filter };
}

/** Resolves the address in the URL fragment and normalizes the fragment. */
function openAddress(results: readonly RuleResult[]): Address {
  const address = resolveAddress(readAddress(location.hash), results);
  if (location.hash !== '') history.replaceState(null, '', writeAddress(address));
  return address;
}

/** Stores the rule in view in the URL fragment. */
export function rememberPlace(place: string): void {
  history.replaceState(null, '', writeAddress({ ...readAddress(location.hash), place }));
}
