/** The ways in which a caller may ask the management API: with either kind of credential, in either header that carries one. */
import { carriersOf } from '../auth/carriers.ts';
import { isAnswered2xx } from '../../target/eventually.ts';
import { strongestCaller } from '../../engine/run.ts';
import type { Run } from '../../engine/run.ts';
import type { Client, Exchange } from '../../target/client.ts';
import type { HeaderInput } from '../../target/request-types.ts';
import { callersOf, clientOf } from './callers.ts';
import type { CallerWord } from './callers.ts';
import { orNone } from './or-none.ts';

export interface Way {
  readonly caller: CallerWord;
  readonly header: 'standard' | 'brand';
}

export const plainWay: Way = { caller: 'strongest', header: 'standard' };

/** In this order two in a row differ in both. */
const order: readonly Way[] = [
  plainWay,
  { caller: 'apiKey', header: 'brand' },
  { caller: 'strongest', header: 'brand' },
  { caller: 'apiKey', header: 'standard' },
];

/** Those that the target has credentials for, the plain one first. */
export function everyWay(run: Run): Way[] {
  const callers = callersOf(run);
  return order.filter(({ caller, header }) => {
    const isCarried = header === 'standard' || bearerOf(run, caller) !== undefined;
    return callers.includes(caller) && isCarried;
  });
}

/** Takes them in turn. */
export const wayAt = (ways: readonly Way[], index: number): Way => ways[index % ways.length] ?? plainWay;

/** Boundary examples, each in the way whose turn it is; one further at each round, since examples may take turns themselves. */
export const inTurn = <T extends object>(ways: readonly Way[], examples: readonly T[]): (T & { readonly way: Way })[] =>
  examples.map((example, index) => ({ ...example, way: wayAt(ways, index + Math.floor(index / ways.length)) }));

/** The plain way, and those besides in which this request is answered 2xx: asked once a run. */
export function acceptedWays(run: Run, what: string, ask: (as: Client) => Promise<Exchange>): Promise<Way[]> {
  return run.once(`the ways to ${what}`, async () => {
    const found = [plainWay];
    for (const way of everyWay(run).slice(1)) {
      const exchange = await orNone(ask(clientBy(run, way)));
      if (exchange !== undefined && isAnswered2xx(exchange)) found.push(way);
    }
    return found;
  });
}

export function clientBy(run: Run, { caller, header }: Way): Client {
  const client = clientOf(run, caller);
  if (header === 'standard') return client;
  return byBrandHeader(run, client, run.need(bearerOf(run, caller), 'a token that the header of the brand can carry'));
}

/** The same caller, whose token goes into the brand's header instead. */
export const byBrandHeader = (run: Run, client: Client, token: string): Client =>
  carried(client, carriersOf(run).brand.with(`Bearer ${token}`));

/** By that header, everybody that it can carry. */
export const brandClients = (run: Run): Client[] =>
  everyWay(run)
    .filter(({ header }) => header === 'brand')
    .map((way) => clientBy(run, way));

const bearerOf = ({ target }: Run, caller: CallerWord): string | undefined =>
  caller === 'strongest' ? strongestCaller(target).bearer : target.credentials.apiKey?.value;

/** The same client; every request has these headers. */
function carried(client: Client, headers: HeaderInput): Client {
  const withThem = <T extends { headers?: HeaderInput }>(input: T): T => ({
    ...input,
    headers: { ...input.headers, ...headers },
  });
  return {
    call: (id, input = {}) => client.call(id, withThem(input)),
    send: (raw) => client.send(withThem(raw)),
    open: (id, input = {}, options) => client.open(id, withThem(input), options),
  };
}
