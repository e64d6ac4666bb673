/** Updates of an agent that only differ in who sends them, and the traces that a refused one must not leave. */
import { agentToChange, agentUpdate } from '../provision/agents.ts';
import type { Mismatch, Run } from '../../engine/conforms.ts';
import { eventually, isSuccessful } from '../../target/eventually.ts';
import { errorBody } from '../../expect/error-body.ts';
import { fieldsOf } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';
import { status } from '../../expect/status.ts';
import type { Exchange } from '../../target/client.ts';
import type { CallInput } from '../../target/request-types.ts';
import { sharedValue } from '../../engine/shared-values.ts';

const updatable = sharedValue<Updatable>();

export interface Updatable {
  readonly name: string;
  /** What the agent is to have whichever update is accepted. */
  readonly spec: Fields;
}

/**
 * An agent whose update the strongest credential may send, and a spec that was accepted. Throws NotTried where there
 * is none.
 */
export function updatableAgent(run: Run): Promise<Updatable> {
  return updatable.get(run, async () => {
    const name = await agentToChange(run);
    for (const spec of [await returnedSpec(run, name), {}]) {
      const send = () => run.client.call('updateAgent', agentUpdate(name, { ...spec }));
      if (isSuccessful(await eventually(send, isSuccessful, run.patienceSeconds))) return { name, spec };
    }
    return run.need(undefined, 'an agent update that is accepted');
  });
}

/** As the target shows it where it does: an agent that the run did not make keeps what it has. */
export async function returnedSpec(run: Run, agentName: string): Promise<Fields> {
  const { response } = await run.client.call('getAgent', { path: { agentName } });
  return (response.status === 200 && fieldsOf(fieldsOf(response.json)?.['spec'])) || {};
}

/** The spec with some members replaced, those of `runtime` one by one. */
export function merged(spec: Fields, more: Fields): Fields {
  return { ...spec, ...more, runtime: { ...fieldsOf(spec['runtime']), ...fieldsOf(more['runtime']) } };
}

/** A text that stands nowhere else. */
export const newMark = (run: Run): string => `${run.newName()}-refused`;

/** An update that would show: the mark is its displayName and the value of a label. */
export function markedUpdate({ name, spec }: Updatable, mark: string, more: object = {}): CallInput {
  return agentUpdate(name, { ...spec, ...more }, { displayName: mark, labels: { assay: mark } });
}

/**
 * An update to be refused: the mark is in a variable and in a trigger as well, and it disables the agent unless
 * `more` says otherwise.
 */
export function refusedUpdate(agent: Updatable, mark: string, more: Fields = {}): CallInput {
  const spec = merged(agent.spec, { enabled: false, ...more });
  const runtime = { envs: [...listOf(fieldsOf(spec['runtime'])?.['envs']), { name: 'ASSAY_REFUSED', value: mark }] };
  const triggers = [...listOf(spec['triggers']), { id: mark, type: 'http', configuration: { path: `/${mark}` } }];
  return markedUpdate(agent, mark, merged(spec, { runtime, triggers }));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Hands over an agent that an update has just left as it is to be, and a mark for updates to be refused; none of them
 * may
 * leave a trace. Whatever became of them, it is left as it was.
 */
export async function refusing(run: Run, use: (agent: Updatable, mark: string) => Promise<void>): Promise<void> {
  const agent = await updatableAgent(run);
  const mark = newMark(run);
  run.need(isSuccessful(await restored(run, agent)), 'an agent update that is accepted');
  try {
    await use(agent, mark);
    run.check(await leftNoTrace(run, agent, mark));
  } catch (error) {
    await restored(run, agent);
    throw error;
  }
}

/** Sent again until it is accepted, while the agent may be busy. */
export const restored = (run: Run, agent: Updatable): Promise<Exchange> =>
  eventually(() => run.client.call('updateAgent', plainUpdate(agent)), isSuccessful, run.patienceSeconds);

/** Enabled, also by who keeps what is left out. */
const plainUpdate = ({ name, spec }: Updatable): CallInput => agentUpdate(name, { enabled: true, ...spec });

/** Documented for agent update alone: this very status, and an Error body. */
export const refusedWith = (exchange: Exchange, code: 401 | 403): Mismatch[] => [
  ...status(exchange, code),
  ...(exchange.response.status === code ? errorBody(exchange) : []),
];

/**
 * Neither a read, where the target has one, nor the next update that is accepted shows the mark of a refused one; nor
 * does a
 * read go on showing that it has disabled the agent.
 */
export async function leftNoTrace(run: Run, agent: Updatable, mark: string): Promise<Mismatch[]> {
  const read = () => run.client.call('getAgent', { path: { agentName: agent.name } });
  const first = await read();
  // Reads may be behind: what an earlier update has disabled may show for a while.
  const later = isDisabled(first) ? await eventually(read, isNotDisabled, run.patienceSeconds) : first;
  const next = await run.client.call('updateAgent', plainUpdate(agent));
  const marked = [first, next].filter((exchange) => isSuccessful(exchange) && exchange.response.text.includes(mark));
  const disabled = agent.spec['enabled'] !== false && isDisabled(later) ? [later] : [];
  return [...marked.map(trace('its mark')), ...disabled.map(trace('enabled: false'))];
}

function isDisabled(exchange: Exchange): boolean {
  const spec = fieldsOf(fieldsOf(exchange.response.json)?.['spec']);
  return isSuccessful(exchange) && spec?.['enabled'] === false;
}

const isNotDisabled = (exchange: Exchange): boolean => !isDisabled(exchange);

const trace =
  (what: string) =>
  (exchange: Exchange): Mismatch => ({
    expected: 'no trace of an update that was refused',
    actual: `${what} in the answer of ${exchange.operation}`,
    exchange,
  });
