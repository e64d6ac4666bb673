/** Sequences of creating and deleting connections, creating functions that use them, and querying those functions. */
import * as fc from 'fast-check';
import type { Run } from '../engine/run.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
import { plainMetadata } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { removeByRequestedName } from '../kit/provision/removal.ts';
import { isQuotaExhausted } from '../kit/provision/quota.ts';
import { performWrite } from '../kit/provision/writes.ts';
import type { InitialState, StepResult } from '../engine/sequence.ts';
import type { CallInput } from '../target/request-types.ts';
import { callBound } from './bound-function.ts';

/** The index of the connection that a step uses. There may be none. */
export type Step =
  | { readonly does: 'connect' | 'disconnect' | 'bind'; readonly connection: number }
  | { readonly does: 'bind to the known one' | 'ask' }
  /** Waits, and so is not generated. */
  | { readonly does: 'ask once deployed' };

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
  readonly connections: CreateOperation;
  readonly functions: CreateOperation;
}

export interface Binding {
  readonly begin: () => Promise<InitialState<Model>>;
  readonly take: (model: Model, step: Step) => Promise<StepResult>;
  /** Removes what is left of every sequence. */
  readonly end: () => Promise<void>;
}

const nothing: StepResult = { exchanges: [], mismatches: [] };
const nameIn = ({ body }: CallInput): string => (body as { metadata: { name: string } }).metadata.name;

export function binding(run: Run, kinds: Kinds): Binding {
  const models: Model[] = [];
  // Waits the full time until one wait has timed out; while the sequence shrinks, it does not wait again.
  const patience = { bind: run.patienceSeconds, ask: run.patienceSeconds };

  async function connect({ connections }: Model, number: number): Promise<StepResult> {
    const input = kinds.connections.input(plainMetadata(run));
    const exchange = await run.client.call(kinds.connections.id, input);
    // Another rule checks whether it is accepted.
    if (isSuccessful(exchange)) connections.set(number, input);
    return { exchanges: [exchange], mismatches: [] };
  }

  /** A function with an existing connection must be accepted, at the latest when the new connection has taken effect. */
  async function bind({ functions }: Model, connection?: CallInput): Promise<StepResult> {
    const input = kinds.functions.input(plainMetadata(run), connection && naming(kinds.functions, nameIn(connection)));
    const send = () => run.client.call(kinds.functions.id, input);
    const exchange = await eventually(send, isSuccessful, patience.bind);
    if (isSuccessful(exchange)) functions.push(input);
    else patience.bind = 0;
    const isFull = isQuotaExhausted(exchange) && !(await acceptsAnother());
    return { exchanges: [exchange], mismatches: isFull ? [] : statusClass(exchange, '2xx') };
  }

  /** A function bound to the known connection. */
  async function acceptsAnother(): Promise<boolean> {
    const another = await undefinedIfNotTried(performWrite(run, kinds.functions, plainMetadata(run)));
    return another !== undefined && isSuccessful(another.exchange);
  }

  async function disconnect({ connections }: Model, number: number, input: CallInput): Promise<StepResult> {
    connections.delete(number);
    const exchange = await removeByRequestedName(run, kinds.connections.id, input);
    return { exchanges: exchange === undefined ? [] : [exchange], mismatches: [] };
  }

  /** The newest function. */
  async function ask({ functions }: Model, deploymentSeconds: number): Promise<StepResult> {
    const { addresses, workspace } = run.target;
    const input = functions.at(-1);
    if (input === undefined || addresses.inference === undefined || workspace === undefined) return nothing;
    const request = await callBound(run, { input, name: nameIn(input), deploymentSeconds, seconds: patience.ask });
    if (request.mismatches.length > 0) patience.ask = 0;
    return request;
  }

  return {
    begin: async () => {
      const model: Model = { connections: new Map(), functions: [] };
      models.push(model);
      return { model, exchanges: [] };
    },
    async take(model, one) {
      if (one.does === 'bind to the known one') return bind(model);
      if (!('connection' in one)) return ask(model, one.does === 'ask' ? 0 : run.patienceSeconds);
      const there = model.connections.get(one.connection);
      if (there === undefined) return one.does === 'connect' ? connect(model, one.connection) : nothing;
      if (one.does === 'bind') return bind(model, there);
      return one.does === 'disconnect' ? disconnect(model, one.connection, there) : nothing;
    },
    async end() {
      for (const { functions, connections } of models) {
        for (const input of functions) await removeByRequestedName(run, kinds.functions.id, input);
        for (const input of connections.values()) await removeByRequestedName(run, kinds.connections.id, input);
      }
    },
  };
}

function naming({ input }: CreateOperation, connection: string): object {
  const { spec } = input({}).body as { spec: object };
  return { spec: { ...spec, integrationConnections: [connection] } };
}
