/** Opens a listener for each origin of a target; what passes is watched. */
import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isIPv6 } from 'node:net';
import type { SecureContext } from 'node:tls';
import { isLoopback } from '../../spec/network/loopback.ts';
import { basePathOf } from '../../spec/network/base-path.ts';
import { KEEP_ALIVE_TIMEOUT_MS } from '../../mock/http/keep-alive.ts';
import { refuseTunnel } from '../../mock/http/refuse-malformed.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { createCopyBudget } from './body-copy.ts';
import type { EndedExchange, Forwarding } from './forward.ts';
import { forwardTo, MAX_HEADER_BYTES } from './forward.ts';
import { requireLoopbackNames } from './guard.ts';
import type { Addresses } from './mounts.ts';
import { mountsByOrigin } from './mounts.ts';
import type { Watching } from './watch.ts';
import { watcherOf } from './watch.ts';

export interface ProxyOptions {
  /** Of the first origin; the next ones are counted up from it. 0: a free one for each. */
  readonly port: number;
  readonly host: string;
  /** Of connections to the target. */
  readonly secureContext?: SecureContext | undefined;
  /** Also gets every exchange, when it was checked. */
  readonly observer?: ExchangeObserver;
}

export interface ExchangeObserver {
  /** Called when a request is received for a path of an origin. Returns its number. */
  readonly begin: (origin: string, method: string, path: string) => number;
  /** Called with each ended exchange of an origin, whose bodies it may read until it returns. */
  readonly end: (origin: string, exchange: EndedExchange) => void;
}

export interface RunningProxy {
  /** The proxy's own, for each surface that the target has. */
  readonly addresses: Addresses;
  /** The proxy's URL for a URL of the target. Other URLs are unchanged. */
  readonly through: (address: string) => string;
  /** Breaks off what is still open. */
  readonly close: () => Promise<void>;
}

/** Throws UsageError if there are not enough ports from the first one upwards. */
export async function startProxy(
  addresses: Addresses,
  { port, host, secureContext, observer }: ProxyOptions,
  watching: Watching,
): Promise<RunningProxy> {
  const mounted = mountsByOrigin(addresses);
  requirePorts(port, mounted.size);
  const opened = new Map<string, Opened>();
  const copies = createCopyBudget();
  const close = async (): Promise<void> => void (await Promise.all(opened.values().map((each) => each.close())));
  try {
    for (const [origin, mounts] of mounted) {
      const watch = watcherOf(origin, mounts, watching);
      const report = (exchange: EndedExchange): void => {
        watch(exchange);
        observer?.end(origin, exchange);
      };
      const forwarding = forwardTo(origin, report, {
        secureContext,
        copies,
        ...(observer && { begin: (method, path) => observer.begin(origin, method, path) }),
      });
      opened.set(origin, await open(forwarding, port === 0 ? 0 : port + opened.size, host));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const through = (address: string): string => {
    const { origin, search } = new URL(address);
    const own = opened.get(origin)?.origin;
    return own === undefined ? address : own + basePathOf(address) + search;
  };
  const own = Object.entries(addresses).map(([surface, address]) => [surface, through(address)]);
  return { addresses: Object.fromEntries(own) as Addresses, through, close };
}

const LAST_PORT = 65_535;

function requirePorts(first: number, wanted: number): void {
  if (first === 0 || first + wanted - 1 <= LAST_PORT) return;
  throw new UsageError(
    `Invalid value ${first} for --port: the target has ${wanted} origins, each of which needs a port from there on; expected at most ${LAST_PORT + 1 - wanted}.`,
  );
}

interface Opened {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

async function open({ listener, close }: Forwarding, port: number, host: string): Promise<Opened> {
  // Uploads may be slow.
  const options = { requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS, maxHeaderSize: MAX_HEADER_BYTES };
  const server = http.createServer(options);
  server.listen(port, host);
  await once(server, 'listening');
  const { address, port: given } = server.address() as AddressInfo;
  server.on('connect', refuseTunnel);
  server.on('request', isLoopback(address) ? requireLoopbackNames(listener) : listener);
  return {
    origin: `http://${isIPv6(address) ? `[${address}]` : address}:${given}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, close()]);
    },
  };
}

/** The target file for clients of the proxy. */
export function targetOfProxy(file: TargetFile, { addresses, through }: RunningProxy): TargetFile {
  const { client } = file;
  return {
    ...file,
    addresses: { ...addresses, management: addresses.management ?? through(file.addresses.management) },
    standsFor: file.standsFor ?? file.addresses.management,
    ...(client && {
      client: {
        ...client,
        ...(client.tokenUrl !== undefined && { tokenUrl: through(client.tokenUrl) }),
        ...(client.authorizationUrl !== undefined && { authorizationUrl: through(client.authorizationUrl) }),
      },
    }),
  };
}
