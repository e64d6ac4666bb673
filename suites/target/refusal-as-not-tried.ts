/** A client for callers with limited permissions: their refusals say nothing about the rule under test. */
import { NotTried } from './violation.ts';
import type { Client, Exchange } from './client.ts';

/**
 * The same client, except that 401 and 403 for the caller's own credential are thrown as NotTried; if the caller has none, for
 * requests without a credential.
 */
export function refusalAsNotTried(client: Client, isAnonymous: boolean): Client {
  async function allowed(pending: Promise<Exchange>): Promise<Exchange> {
    const exchange = await pending;
    const { status } = exchange.response;
    if (status !== 401 && status !== 403) return exchange;
    if (exchange.credential !== undefined)
      throw new NotTried(`a credential that is permitted to do this (status ${status})`);
    if (isAnonymous && !hasCredential(exchange))
      throw new NotTried(`a credential in the target file (status ${status} without one)`);
    return exchange;
  }
  return {
    call: (id, input) => allowed(client.call(id, input)),
    send: (raw) => allowed(client.send(raw)),
    async open(id, input, options) {
      const stream = await client.open(id, input, options);
      if (stream.status === 401 || stream.status === 403) await allowed(stream.close());
      return stream;
    },
  };
}

const hasCredential = ({ request }: Exchange): boolean =>
  Object.keys(request.headers).some((name) => /authorization$/i.test(name));
