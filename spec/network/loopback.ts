/** Recognizes loopback addresses and host names. */
import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether an Origin header is of a page of this machine. */
export function isLoopbackOrigin(origin: string): boolean {
  if (!/^https?:/i.test(origin) || !URL.canParse(origin)) return false;
  return isLoopback(new URL(origin).hostname);
}

/** Accepts an address (IPv6 also in brackets) or a host name: `localhost` and its subdomains are loopback (RFC 6761 6.3). */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  if (family === 0) return /^(?:.+\.)?localhost\.?$/i.test(host);
  return loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
