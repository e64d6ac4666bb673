/** Connections that come and go, functions that name them, and functions that are asked meanwhile. */
import * as fc from 'fast-check';
import type { Run } from '../run.ts';
import { eventually, isAnswered2xx } from '../eventually.ts';
import { statusClass } from '../expect/status.ts';
import { plainMetadata } from '../provision/creates.ts';
import type { Create } from '../provision/creates.ts';
import { orNone } from '../provision/or-none.ts';
import { removed } from '../provision/short-lived.ts';
import { isUsedUp } from '../provision/used-up.ts';
import { written } from '../provision/writes.ts';
import type { Taken } from '../sequence.ts';
import type { CallInput } from '../target/client.ts';

/** Which of the connections a step is about; there may be none of that number. */
export type Step =
  | { readonly does: 'connect' | 'disconnect' | 'bind'; readonly connection: number }
  | { readonly does: 'bind to the known one' | 'ask' };

const about = (does: 'connect' | 'disconnect' | 'bind') =>
  fc.record({ does: fc.constant(does), connection: fc.nat({ max: 2 }) });

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: about('connect') },
  { weight: 1, arbitrary: about('disconnect') },
  { weight: 4, arbitrary: about('bind') },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('bind to the known one' as const, 'ask' as const) }) },
);

/** What is there. */
export interface Model {
  /** By number. */
  readonly connections: Map<number, CallInput>;
  readonly functions: CallInput[];
}

export interface Kinds {
  readonly connections: Create;
  readonly functions: Create;
}

export interface Binding {
  readonly begin: () => Promise<Model>;
  readonly take: (model: Model, step: Step) => Promise<Taken>;
  /** Removes what is left of every sequence. */
  readonly end: () => Promise<void>;
}

const nothing: Taken = { exchanges: [], mismatches: [] };
const nameIn = ({ body }: CallInput): string => (body as { metadata: { name: string } }).metadata.name;

export function binding(run: Run, kinds: Kinds): Binding {
  const models: Model[] = [];
  let seconds = run.patienceSeconds;

  async function connect({ connections }: Model, number: number): Promise<Taken> {
    const input = kinds.connections.input(plainMetadata(run));
    const exchange = await run.client.call(kinds.connections.id, input);
    // Whether it is accepted is a rule of its own.
    if (isAnswered2xx(exchange)) connections.set(number, input);
    return { exchanges: [exchange], mismatches: [] };
  }

  /** A function that names a connection that is there: accepted, at the latest when the connection has come to be known. */
  async function bind({ functions }: Model, connection?: CallInput): Promise<Taken> {
    const input = kinds.functions.input(plainMetadata(run), connection && naming(kinds.functions, nameIn(connection)));
    const send = () => run.client.call(kinds.functions.id, input);
    const exchange = await eventually(send, isAnswered2xx, seconds);
    if (isAnswered2xx(exchange)) functions.push(input);
    else seconds = 0; // What was waited for once in vain is not waited for again, while the sequence shrinks.
    const isFull = isUsedUp(exchange) && !(await takesAnother());
    return { exchanges: [exchange], mismatches: isFull ? [] : statusClass(exchange, '2xx') };
  }

  /** A function bound to the known connection. */
  async function takesAnother(): Promise<boolean> {
    const another = await orNone(written(run, kinds.functions, plainMetadata(run)));
    return another !== undefined && isAnswered2xx(another.exchange);
  }

  async function disconnect({ connections }: Model, number: number, input: CallInput): Promise<Taken> {
    connections.delete(number);
    await removed(run, kinds.connections.id, input);
    return nothing;
  }

  return {
    begin: async () => {
      models.push({ connections: new Map(), functions: [] });
      return models.at(-1)!;
    },
    async take(model, one) {
      if (!('connection' in one)) return one.does === 'ask' ? ask(run, model) : bind(model);
      const there = model.connections.get(one.connection);
      if (there === undefined) return one.does === 'connect' ? connect(model, one.connection) : nothing;
      if (one.does === 'bind') return bind(model, there);
      return one.does === 'disconnect' ? disconnect(model, one.connection, there) : nothing;
    },
    async end() {
      for (const { functions, connections } of models) {
        for (const input of functions) await removed(run, kinds.functions.id, input);
        for (const input of connections.values()) await removed(run, kinds.connections.id, input);
      }
    },
  };
}

function naming({ input }: Create, connection: string): object {
  const { spec } = input({}).body as { spec: object };
  return { spec: { ...spec, integrationConnections: [connection] } };
}

/** The newest function, which may not be deployed yet: what it answers is not judged. */
async function ask(run: Run, { functions }: Model): Promise<Taken> {
  const { addresses, workspace } = run.target;
  const newest = functions.at(-1);
  if (newest === undefined || addresses.inference === undefined || workspace === undefined) return nothing;
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const headers = { Accept: 'application/json, text/event-stream' };
  const exchange = await run.client.call('postFunctionMcp', { path: { serverName: nameIn(newest) }, body, headers });
  return { exchanges: [exchange], mismatches: [] };
}
