/** Updates of an agent that only differ in who sends them, and the traces that a refused one must not leave. */
import { agentToChange, agentUpdate } from '../provision/agents.ts';
import type { Mismatch, Run } from '../conforms.ts';
import { eventually, isAnswered2xx } from '../eventually.ts';
import { errorBody } from '../expect/error-body.ts';
import { status } from '../expect/status.ts';
import type { CallInput, Exchange } from '../target/client.ts';

export interface Updatable {
  readonly name: string;
  /** What the agent is to have whichever update is accepted. */
  readonly spec: object;
}

/** An agent whose update the strongest credential may send, and a spec that was accepted. Throws NotTried where there is none. */
export function updatableAgent(run: Run): Promise<Updatable> {
  return run.once('an agent whose updates are accepted', async () => {
    const name = await agentToChange(run);
    for (const spec of [await shownSpec(run, name), {}]) {
      const send = () => run.client.call('updateAgent', agentUpdate(name, { ...spec }));
      if (isAnswered2xx(await eventually(send, isAnswered2xx, run.patienceSeconds))) return { name, spec };
    }
    return run.need(undefined, 'an agent update that is accepted');
  });
}

/** As the target shows it where it does: an agent that the run did not make keeps what it has. */
export async function shownSpec(run: Run, agentName: string): Promise<object> {
  const { answer } = await run.client.call('getAgent', { path: { agentName } });
  const { spec } = (answer.json ?? {}) as { spec?: unknown };
  return answer.status === 200 && typeof spec === 'object' && spec !== null ? spec : {};
}

/** A text that stands nowhere else. */
export const newMark = (run: Run): string => `${run.newName()}-refused`;

/** An update that would show: the mark is its displayName and the value of a label. */
export function markedUpdate({ name, spec }: Updatable, mark: string, more: object = {}): CallInput {
  return agentUpdate(name, { ...spec, ...more }, { displayName: mark, labels: { assay: mark } });
}

/** An update to be refused: the mark is in its spec as well. */
export function refusedUpdate(agent: Updatable, mark: string, more: object = {}): CallInput {
  const { runtime } = { ...agent.spec, ...more } as { runtime?: { envs?: unknown } };
  const envs: unknown[] = Array.isArray(runtime?.envs) ? runtime.envs : [];
  const marked = { ...runtime, envs: [...envs, { name: 'ASSAY_REFUSED', value: mark }] };
  return markedUpdate(agent, mark, { ...more, runtime: marked });
}

/** Documented for agent update alone: this very status, and an Error body. */
export const refusedWith = (exchange: Exchange, code: 401 | 403): Mismatch[] => [
  ...status(exchange, code),
  ...(exchange.answer.status === code ? errorBody(exchange) : []),
];

/** Neither a read, where the target has one, nor the next update that is accepted shows the mark of a refused one. */
export async function leftNoTrace(run: Run, { name, spec }: Updatable, mark: string): Promise<Mismatch[]> {
  const read = await run.client.call('getAgent', { path: { agentName: name } });
  const next = await run.client.call('updateAgent', agentUpdate(name, { ...spec }));
  return [read, next].filter((exchange) => isAnswered2xx(exchange) && exchange.answer.text.includes(mark)).map(trace);
}

const trace = (exchange: Exchange): Mismatch => ({
  expected: 'no trace of an update that was refused',
  actual: `its displayName, label or environment variable in the answer of ${exchange.operation}`,
  exchange,
});
