/** Requests a document from an address, through the proxy of the environment if it names one. */
import { fetch } from 'undici';
import type { Response } from 'undici';
import { createConnections } from '../../spec/network/connections.ts';
import type { Connections } from '../../spec/network/connections.ts';

const LONGEST_WAIT_MS = 30_000;

/** Opened for the first address. */
let connections: Connections | undefined;

/** Does not follow redirects. Throws what fetch throws if the server does not respond. */
export async function requestAddress(url: URL): Promise<Response> {
  connections ??= createConnections({});
  const dispatcher = connections.to(url.origin);
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(LONGEST_WAIT_MS), dispatcher });
}
