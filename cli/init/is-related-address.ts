/** Whether an address that a target reports may be written into its target file, so that runs send credentials to it. */
import { isIP } from 'node:net';
import { isLoopback } from '../../spec/network/loopback.ts';

/**
 * True for the same host, a host below the same domain, and loopback if the target is on loopback; never for http if the target
 * has https. Any other address is left to the user.
 */
export function isRelatedAddress(address: string, management: string): boolean {
  const [one, other] = [new URL(address), new URL(management)];
  if (other.protocol === 'https:' && one.protocol !== 'https:') return false;
  if (one.hostname === other.hostname) return true;
  if (isLoopback(other.hostname)) return isLoopback(one.hostname);
  const domain = other.hostname.split('.').slice(1);
  return domain.length >= 2 && isIP(other.hostname) === 0 && one.hostname.endsWith(`.${domain.join('.')}`);
}
