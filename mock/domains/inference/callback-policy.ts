/** Where callbacks may be posted: to loopback and to the world file's callbackOrigins, but never to the mock itself. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopback } from '../../../spec/network/loopback.ts';
import type { WorldState } from '../../state/world-state.ts';

export interface CallbackPolicy {
  /** Allowed in addition to loopback. */
  readonly origins: readonly string[];
  /** The mock's own port, to which nothing is posted. */
  readonly ownPort: string;
  /** Whether a web page of another origin has set the URL: then nothing is posted to loopback. */
  readonly isForeign: boolean;
}

export function policyOf({ callbackOrigins, mount }: WorldState, isForeign = false): CallbackPolicy {
  return { origins: callbackOrigins, ownPort: String(mount.port), isForeign };
}

/** Why a URL is refused before its name is resolved; undefined if it may be allowed. */
export function refusalOf(url: string, { origins, ownPort, isForeign }: CallbackPolicy): string | undefined {
  if (!URL.canParse(url)) return `callbackUrl ${JSON.stringify(url)} is not a URL`;
  const parsed = new URL(url);
  const { protocol, hostname, origin } = parsed;
  if (protocol !== 'http:' && protocol !== 'https:')
    return `callbackUrl ${JSON.stringify(url)} is not an http or https URL`;
  const isLocal = isOfThisHost(hostname);
  if (isLocal && portOf(parsed) === ownPort) return `${origin} is the mock itself, which gets no callbacks`;
  if (isLocal && isForeign) return refusalOfForeign(origin);
  if (isLoopback(hostname) || origins.includes(origin)) return undefined;
  return `${origin} is neither loopback nor among the world file's callbackOrigins`;
}

/** The addresses of the URL's host, all of which are allowed. Rejects with an error that says which is not. */
export async function allowedAddresses(
  url: string,
  { ownPort, isForeign }: CallbackPolicy,
): Promise<{ address: string; family: number }[]> {
  const parsed = new URL(url);
  const addresses = await addressesOf(parsed.hostname.replace(/^\[|\]$/g, ''));
  for (const { address } of addresses) {
    if (!isOfThisHost(address)) continue;
    if (portOf(parsed) === ownPort) throw new Error(`${parsed.origin} is the mock itself, which gets no callbacks`);
    if (isForeign) throw new Error(refusalOfForeign(parsed.origin));
  }
  return addresses;
}

function refusalOfForeign(origin: string): string {
  return `${origin} is on this machine, and a web page of another origin set the callbackUrl; allow it with --control-origin or callbackOrigins`;
}

/** Not every system resolves names below .localhost to loopback (RFC 6761 6.3). */
async function addressesOf(host: string): Promise<{ address: string; family: number }[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  if (!isLoopback(host)) return lookup(host, { all: true });
  return [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
}

/** Whether a host or address leads to this machine: loopback, an own address, or the unspecified one. */
function isOfThisHost(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (isLoopback(address) || address === '0.0.0.0' || address === '::' || /^::ffff:7f/i.test(address)) return true;
  return Object.values(networkInterfaces()).some((each) => each?.some((own) => own.address === address) === true);
}

function portOf({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}
