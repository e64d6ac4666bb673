/** Synchronizes the page with the URL fragment. */
import { useEffect, useState } from 'preact/hooks';
import type { RuleResult } from '../../../spec/verdicts.ts';
import { resolveAddress, readAddress, writeAddress } from './address.ts';
import type { Address, Filter } from './address.ts';

export interface UsedAddress {
  readonly address: Address;
  /** Grows with every link that is followed, and with every step back: the reader wants to be taken there. */
  readonly arrivals: number;
  /** What is not given stays; adds nothing to the history, and leaves the place. */
  readonly filter: (change: Partial<Filter>) => void;
}

export function useAddress(results: readonly RuleResult[]): UsedAddress {
  const [seen, setSeen] = useState(() => ({ address: arrived(results), arrivals: 0 }));
  useEffect(() => {
    const follow = (): void => setSeen(({ arrivals }) => ({ address: arrived(results), arrivals: arrivals + 1 }));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const filter = (change: Partial<Filter>): void => {
    const address = { ...readAddress(location.hash), ...change, place: '' };
    history.replaceState(null, '', writeAddress(address));
    setSeen(({ arrivals }) => ({ address, arrivals }));
  };
  return { ...seen, filter };
}

/** Updates the URL fragment. */
function arrived(results: readonly RuleResult[]): Address {
  const address = resolveAddress(readAddress(location.hash), results);
  if (location.hash !== '') history.replaceState(null, '', writeAddress(address));
  return address;
}

/** Says in the address that this is the rule one looks at. */
export function rememberPlace(place: string): void {
  history.replaceState(null, '', writeAddress({ ...readAddress(location.hash), place }));
}
