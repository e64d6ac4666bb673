/** Sequences of creating and deleting connections, creating functions that use them, and querying those functions. */
import * as fc from 'fast-check';
import type { Run } from '../engine/run.ts';
import { eventually, isSuccessful, noteWait, waitedSecondsFor } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
import { plainestMetadata } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { removeByRequestedName } from '../kit/provision/removal.ts';
import { repeatRefused } from '../kit/provision/quota.ts';
import type { InitialState, StepResult } from '../engine/sequence.ts';
import type { CallInput } from '../target/request-types.ts';
import { callBound } from './bound-function.ts';

/** The index of the connection that a step uses. There may be none. */
export type Step =
  | { readonly action: 'connect' | 'disconnect' | 'bind'; readonly connection: number }
  | { readonly action: 'bind to the known connection' | 'query' }
  /** Not generated, because it waits for the deployment. */
  | { readonly action: 'query once deployed' };

const connectionStep = (action: 'connect' | 'disconnect' | 'bind') =>
  fc.record({ action: fc.constant(action), connection: fc.nat({ max: 2 }) });

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: connectionStep('connect') },
  { weight: 1, arbitrary: connectionStep('disconnect') },
  { weight: 4, arbitrary: connectionStep('bind') },
  {
    weight: 2,
    arbitrary: fc.record({ action: fc.constantFrom('bind to the known connection' as const, 'query' as const) }),
  },
);

/** The existing resources. */
export interface Model {
  /** By the index that steps use. */
  readonly connections: Map<number, CallInput>;
  readonly functions: CallInput[];
}

export interface Kinds {
  readonly connections: CreateOperation;
  readonly functions: CreateOperation;
}

export interface Binding {
  readonly begin: () => Promise<InitialState<Model>>;
  readonly runStep: (model: Model, step: Step) => Promise<StepResult>;
  /** Removes the remaining resources of every sequence. */
  readonly end: () => Promise<void>;
}

const nothing: StepResult = { exchanges: [], mismatches: [] };
const nameIn = ({ body }: CallInput): string => (body as { metadata: { name: string } }).metadata.name;

/** `isInUse`: whether a function of the target has the known connection, which is then not bound to others. */
export function binding(run: Run, kinds: Kinds, isInUse = false): Binding {
  const models: Model[] = [];
  // Waits the full time until one wait has timed out; while the sequence shrinks, it does not wait again.
  const patience = { bind: run.patienceSeconds, query: run.patienceSeconds };

  async function connect({ connections }: Model, number: number): Promise<StepResult> {
    const input = kinds.connections.input(plainestMetadata(run, kinds.connections.id));
    const exchange = await run.client.call(kinds.connections.id, input);
    // Another rule checks whether it is accepted.
    if (isSuccessful(exchange)) connections.set(number, input);
    return { exchanges: [exchange], mismatches: [] };
  }

  /** A function with an existing connection must be accepted, at the latest when the new connection has taken effect. */
  async function bind({ functions }: Model, connection?: CallInput): Promise<StepResult> {
    const input = kinds.functions.input(
      plainestMetadata(run, kinds.functions.id),
      connection && naming(kinds.functions, nameIn(connection)),
    );
    const send = () => run.client.call(kinds.functions.id, input);
    const once = await send();
    const wasRefused = !isSuccessful(once);
    if (wasRefused) await removeFunctions();
    const first = wasRefused ? await eventually(send, isSuccessful, patience.bind) : once;
    const last = isSuccessful(first) ? first : await repeatRefused(send, isSuccessful, acceptsAnother);
    const exchange = last ?? first;
    if (last !== undefined) noteWait(last, waitedSecondsFor(first) ?? 0);
    if (isSuccessful(exchange)) functions.push(input);
    else patience.bind = 0;
    return { exchanges: [exchange], mismatches: last === undefined ? [] : statusClass(exchange, '2xx') };
  }

  /**
   * Also those of earlier sequences: a target may bind a connection to one function at a time, and a plan may allow few functions.
   */
  async function removeFunctions(): Promise<void> {
    for (const { functions } of models)
      for (const each of functions.splice(0)) await removeByRequestedName(run, kinds.functions.id, each);
  }

  /** A function with the known connection; if that is refused, perhaps because the connection is in use, one without any. */
  async function acceptsAnother(): Promise<boolean> {
    for (const connections of [undefined, naming(kinds.functions)]) {
      const input = kinds.functions.input(plainestMetadata(run, kinds.functions.id), connections);
      if (!isSuccessful(await run.client.call(kinds.functions.id, input))) continue;
      await removeByRequestedName(run, kinds.functions.id, input);
      return true;
    }
    return false;
  }

  async function disconnect({ connections }: Model, number: number, input: CallInput): Promise<StepResult> {
    connections.delete(number);
    const exchange = await removeByRequestedName(run, kinds.connections.id, input);
    return { exchanges: exchange === undefined ? [] : [exchange], mismatches: [] };
  }

  /** Queries the newest function. */
  async function query({ functions }: Model, deploymentSeconds: number): Promise<StepResult> {
    const { addresses, workspace } = run.target;
    const input = functions.at(-1);
    if (input === undefined || addresses.inference === undefined || workspace === undefined) return nothing;
    const result = await callBound(run, { input, name: nameIn(input), deploymentSeconds, seconds: patience.query });
    if (result.mismatches.length > 0) patience.query = 0;
    return result;
  }

  return {
    begin: async () => {
      const model: Model = { connections: new Map(), functions: [] };
      models.push(model);
      return { model, exchanges: [] };
    },
    async runStep(model, one) {
      if (one.action === 'bind to the known connection') return isInUse ? nothing : bind(model);
      if (!('connection' in one)) return query(model, one.action === 'query' ? 0 : run.patienceSeconds);
      const connection = model.connections.get(one.connection);
      if (connection === undefined) return one.action === 'connect' ? connect(model, one.connection) : nothing;
      if (one.action === 'bind') return bind(model, connection);
      return one.action === 'disconnect' ? disconnect(model, one.connection, connection) : nothing;
    },
    async end() {
      for (const { functions, connections } of models) {
        for (const input of functions) await removeByRequestedName(run, kinds.functions.id, input);
        for (const input of connections.values()) await removeByRequestedName(run, kinds.connections.id, input);
      }
    },
  };
}

function naming({ input }: CreateOperation, ...integrationConnections: string[]): object {
  const { spec } = input({}).body as { spec: object };
  return { spec: { ...spec, integrationConnections } };
}
