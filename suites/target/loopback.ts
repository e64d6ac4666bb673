/** Resolves host names. `localhost` and names below it are always the loopback address (RFC 6761 section 6.3). */
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

const isLocalhost = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name);

export const lookup: LookupFunction = (hostname, options, callback) => {
  if (!isLocalhost(hostname)) {
    systemLookup(hostname, options, callback);
    return;
  }
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  if (options.all === true) callback(null, addresses);
  else callback(null, '127.0.0.1', 4);
};
