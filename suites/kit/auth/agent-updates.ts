/** Updates of an agent that differ only in the caller, and the traces that a refused update must not leave. */
import { withAcceptedValues } from '../agents/accepted-values.ts';
import { agentSpec } from '../agents/agent-spec.ts';
import type { Spec } from '../agents/accepted-values.ts';
import { agentToChange, updateWith } from '../provision/agents.ts';
import type { Generation } from '../provision/agents.ts';
import type { Mismatch, Run } from '../../engine/conforms.ts';
import { eventually, isSettled, isSuccessful } from '../../target/eventually.ts';
import { errorBody } from '../../expect/error-body.ts';
import { fieldsOf } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';
import { withoutNulls } from '../../json/without-nulls.ts';
import { status } from '../../expect/status.ts';
import type { Exchange } from '../../target/client.ts';
import type { CallInput } from '../../target/request-types.ts';
import { sharedValues } from '../../engine/shared-values.ts';

const updatable = sharedValues<Updatable>();

export interface Updatable {
  readonly name: string;
  /** The spec that every accepted update leaves the agent with. */
  readonly spec: Fields;
}

/** An agent that the strongest credential may update, and an accepted spec. Throws NotTried if there is none. */
export async function updatableAgent(run: Run, generation: Generation = 'mk2'): Promise<Updatable> {
  const name = await agentToChange(run, generation);
  return updatable.get(run, name, async () => {
    const returned = await returnedSpec(run, name, generation);
    // The run has updated its own agents with this spec.
    if (name.startsWith(run.prefix)) return { name, spec: returned };
    for (const spec of [returned, agentSpec(run)]) {
      const send = () => run.client.call('updateAgent', updateWith(name, spec));
      if (isSuccessful(await eventually(send, isSuccessful, run.patienceSeconds))) return { name, spec };
    }
    return run.need(undefined, 'an agent update that is accepted');
  });
}

/**
 * The agent's current spec, if it can be read, so that an agent of the target file is not changed. Of one that the run
 * created, only the generation is kept.
 */
export async function returnedSpec(run: Run, agentName: string, generation: Generation = 'mk2'): Promise<Fields> {
  if (agentName.startsWith(run.prefix)) return agentSpec(run, { runtime: { generation } });
  const { response } = await run.client.call('getAgent', { path: { agentName } });
  const spec = fieldsOf(fieldsOf(response.json)?.['spec']);
  return response.status === 200 && spec !== undefined ? withoutNulls(spec) : agentSpec(run);
}

/** The spec with some members replaced, those of `runtime` one by one. */
export function mergeSpecs(spec: Fields, more: Fields): Fields {
  return { ...spec, ...more, runtime: { ...fieldsOf(spec['runtime']), ...fieldsOf(more['runtime']) } };
}

/** The marks of refused updates in a text. */
export const MARK = /\bassay-[\w-]+-refused\b/g;

/** A string that occurs nowhere else. */
export const newMark = (run: Run): string => `${run.newName()}-refused`;

/** An update whose effect is visible: the mark is its displayName and the value of a label. */
export function markedUpdate({ name, spec }: Updatable, mark: string, more: object = {}): CallInput {
  return updateWith(name, { ...spec, ...more }, { displayName: mark, labels: { assay: mark } });
}

/**
 * An update that must be refused. The mark is also in an env and a trigger, and it disables the agent unless `more`
 * overrides that.
 */
export function refusedUpdate(run: Run, agent: Updatable, mark: string, more: Fields = {}): CallInput {
  const own = listsOf(agent.spec);
  const added = listsOf(more);
  // Together, so that each element gets a sample of its own.
  const made = listsOf(
    withAcceptedValues<Spec>(run, {
      ...more,
      runtime: { ...fieldsOf(more['runtime']), envs: [...added.envs, { name: 'ASSAY_REFUSED', value: mark }] },
      triggers: [...added.triggers, { id: mark, type: 'http', configuration: { path: `/${mark}` } }],
    }),
  );
  const kept = { envs: added.envs.length > 0 ? [] : own.envs, triggers: added.triggers.length > 0 ? [] : own.triggers };
  const lists = {
    runtime: { envs: [...kept.envs, ...made.envs] },
    triggers: [...kept.triggers, ...made.triggers],
  };
  return markedUpdate(agent, mark, mergeSpecs(mergeSpecs(agent.spec, { enabled: false, ...more }), lists));
}

const listsOf = (spec: Spec | Fields) => ({
  envs: listOf(fieldsOf(spec['runtime'])?.['envs']),
  triggers: listOf(spec['triggers']),
});

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Calls `use` with an updated agent and a mark for updates that must be refused, then checks that none of them had an
 * effect. Always restores the agent.
 */
export async function withRefusedUpdates(
  run: Run,
  use: (agent: Updatable, mark: string) => Promise<void>,
  generation: Generation = 'mk2',
): Promise<void> {
  const agent = await updatableAgent(run, generation);
  const mark = newMark(run);
  run.need(isSuccessful(await restoreAgent(run, agent)), 'an agent update that is accepted');
  try {
    await use(agent, mark);
    run.check(await tracesOfRefusedUpdate(run, agent, mark));
  } catch (error) {
    await restoreAgent(run, agent);
    throw error;
  }
}

/** Retries while the agent may be busy. */
export const restoreAgent = (run: Run, agent: Updatable): Promise<Exchange> =>
  eventually(() => run.client.call('updateAgent', plainUpdate(agent)), isSuccessful, run.patienceSeconds);

/** Explicitly enabled, because a target may keep omitted fields. */
const plainUpdate = ({ name, spec }: Updatable): CallInput => updateWith(name, { enabled: true, ...spec });

/**
 * Expects exactly this status and an Error body. Only documented for agent updates. Polls while the agent is busy: a target may
 * find that out before it knows the caller (decision 042). Throws NotTried if the agent remains busy for every caller.
 */
export async function unauthorizedMismatches(
  run: Run,
  code: 401 | 403,
  send: () => Promise<Exchange>,
  generation: Generation = 'mk2',
): Promise<Mismatch[]> {
  const poll = () => eventually(send, isSettled, run.patienceSeconds);
  let exchange = await poll();
  // Twice, because a permitted update that is accepted makes the agent busy again.
  for (let times = 0; times < 2 && !isSettled(exchange); times += 1) {
    await needSettledAgent(run, generation);
    exchange = await poll();
  }
  return [...status(exchange, code), ...(exchange.response.status === code ? errorBody(exchange) : [])];
}

/** Throws NotTried if an update of a permitted caller is refused because the agent is busy as well. */
export async function needSettledAgent(run: Run, generation: Generation = 'mk2'): Promise<void> {
  const update = await run.client.call('updateAgent', plainUpdate(await updatableAgent(run, generation)));
  run.need(isSettled(update), 'an agent whose deployments end within the patience (--patience)');
}

/**
 * The mark of a refused update must not appear in a read (if the target has one) or in the response of the next accepted
 * update, and the agent must not remain disabled.
 */
export async function tracesOfRefusedUpdate(run: Run, agent: Updatable, mark: string): Promise<Mismatch[]> {
  const read = () => run.client.call('getAgent', { path: { agentName: agent.name } });
  const first = await read();
  // Reads may be stale and still return an earlier, disabled state.
  const later = isDisabled(first) ? await eventually(read, isNotDisabled, run.patienceSeconds) : first;
  const next = await run.client.call('updateAgent', plainUpdate(agent));
  const marked = [first, next].filter((exchange) => isSuccessful(exchange) && exchange.response.text.includes(mark));
  const disabled = agent.spec['enabled'] !== false && isDisabled(later) ? [later] : [];
  return [...marked.map(traceOf('its mark')), ...disabled.map(traceOf('enabled: false'))];
}

function isDisabled(exchange: Exchange): boolean {
  const spec = fieldsOf(fieldsOf(exchange.response.json)?.['spec']);
  return isSuccessful(exchange) && spec?.['enabled'] === false;
}

const isNotDisabled = (exchange: Exchange): boolean => !isDisabled(exchange);

export const traceOf =
  (what: string) =>
  (exchange: Exchange): Mismatch => ({
    expected: 'no trace of an update that was refused',
    actual: `${what} in the response of ${exchange.operation}`,
    exchange,
  });
