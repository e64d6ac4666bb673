/** Connections of undici, direct ones and through the proxies that the environment names. */
import type { LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import { Agent, Pool, ProxyAgent } from 'undici';
import type { Dispatcher } from 'undici';
import { proxyFor } from './proxy-for.ts';

export interface Connections {
  /** What sends a request to an origin. Throws InvalidInput if the variable of the proxy is invalid. */
  to(origin: string): Dispatcher;
  /** Pending requests fail. */
  destroy(): Promise<void>;
}

/**
 * Milliseconds until the next address of a host name is tried. With Node's 250, a busy process that has not yet noticed that it
 * is connected gives up the connection, and fails because nothing listens at the other address.
 */
export const ADDRESS_TIMEOUT_MS = 2000;

/** How to open a connection. */
interface ConnectOptions {
  /** Of the names of targets, not of proxies. Defaults to that of the system. */
  lookup?: LookupFunction;
  /** Milliseconds. Defaults to 10,000. */
  timeout?: number;
  /** Certificates and keys. Defaults to those of Node. */
  secureContext?: SecureContext;
}

/** Bytes. Node's 16 KiB are too few for a response with many cookies. */
const MAX_HEADER_SIZE = 256 * 1024;

/** Speaks only HTTP/1.1. */
export function createConnections(
  options: Omit<Pool.Options, 'connect' | 'allowH2'>,
  { lookup, ...connect }: ConnectOptions = {},
): Connections {
  const http1 = { maxHeaderSize: MAX_HEADER_SIZE, ...options, allowH2: false };
  const secure = { ...connect, autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS, allowH2: false };
  const direct = new Agent({ ...http1, connect: { ...secure, ...(lookup && { lookup }) } });
  const proxies = new Map<string, ProxyAgent>();

  function openProxy(uri: string): ProxyAgent {
    return new ProxyAgent({
      ...http1,
      uri,
      requestTls: secure,
      proxyTls: secure,
      // Undici passes only how to connect.
      factory: (origin, given: object) => new Pool(origin, { ...http1, ...given }),
      clientFactory: (origin, given: object) => new Pool(origin, { ...http1, connections: null, ...given }),
    });
  }

  return {
    to(origin) {
      const proxy = proxyFor(origin)?.href;
      if (proxy === undefined) return direct;
      const agent = proxies.get(proxy) ?? openProxy(proxy);
      proxies.set(proxy, agent);
      return agent;
    },
    async destroy() {
      await Promise.all([direct.destroy(), ...proxies.values().map((each) => each.destroy())]);
    },
  };
}
