/** Agents that a run may change: one that it creates if the target permits it, otherwise the target file's agent, which is restored. */
import { routeOf } from '../../../spec/missing-operation.ts';
import { operation } from '../../../spec/operations.ts';
import { describeNeed } from '../../../spec/requirements/requirement.ts';
import type { Run } from '../../engine/run.ts';
import { isInvalid } from '../../expect/status.ts';
import { isOmitted } from '../../json/fields.ts';
import { withoutNulls } from '../../json/without-nulls.ts';
import { eventually, isSettled, isSuccessful } from '../../target/eventually.ts';
import type { Client, Exchange } from '../../target/client.ts';
import type { CallInput } from '../../target/request-types.ts';
import { NotTried } from '../../target/violation.ts';
import { agentSpec, missingAgentSpec } from '../agents/agent-spec.ts';
import type { Spec } from '../agents/accepted-values.ts';
import { variedDescription } from './creates.ts';
import { createAndRemove } from './removal.ts';
import { waitForUpdates } from './late-updates.ts';
import { RUN_LABEL, runLabelIn } from '../../target/run-label.ts';
import { sharedValue, sharedValues } from '../../engine/shared-values.ts';

/** By generation and slot: cases that run at the same time change different agents. */
const agentsToChange = sharedValues<string>();
const servingAgents = sharedValues<string>();
const agentsOfRun = sharedValues<CreatedAgent>();
const creations = sharedValues<readonly Exchange[]>();
const unrestorable = sharedValues<void>();
const obstaclesToRestoring = sharedValues<string | undefined>();
const slotsOfRun = sharedValue<AgentSlots>();

export const generations = ['mk2', 'mk3'] as const;
export type Generation = (typeof generations)[number];

/**
 * How many cases may change agents at the same time, if the run creates agents; and if the target has removed one of them.
 * A quick run creates fewer, because each agent costs several requests.
 */
const MAX_SLOTS = 3;
const MAX_SLOTS_IF_REMOVED = 6;
const MAX_QUICK_SLOTS = 5;

const slotKey = (generation: Generation, slot: number): string => `${generation} ${slot}`;

/** By run the agents of which the target accepts no more updates. */
const usedUp = new WeakMap<object, Set<string>>();

/** How many agents a case may take instead of one that is used up. */
const MAX_REPLACEMENTS = 3;

/** Notes that the target accepts no more updates of an agent for a long time, so that later cases change another one. */
export function noteUsedUp({ shared }: Pick<Run, 'shared'>, agent: string): void {
  usedUp.set(shared, (usedUp.get(shared) ?? new Set()).add(agent));
}

/** An update of an agent: metadata with its name, and the spec as it is, such as one that the agent has returned. */
export const updateWith = (name: string, spec: object = {}, metadata: object = {}): CallInput => ({
  path: { agentName: name },
  body: { metadata: { name, ...metadata }, spec },
});

/** Like updateWith, with a spec that the run has made up. */
export const agentUpdate = (
  run: Pick<Run, 'shared' | 'target'>,
  name: string,
  spec: Spec = {},
  metadata: object = {},
): CallInput => updateWith(name, agentSpec(run, spec), metadata);

/** Polls while the agent may be busy with an earlier update. */
export const updateWhenSettled = (run: Run, client: Client, update: CallInput): Promise<Exchange> =>
  eventually(() => client.call('updateAgent', update), isSettled, run.patienceSeconds);

/** An agent that accepts updates; it may not serve requests. Throws NotTried if there is none. */
export async function agentToChange(run: Run, generation: Generation = 'mk2'): Promise<string> {
  const slot = run.slotOf('agents');
  await widenIfAwaited(run);
  const key = slotKey(generation, slot);
  let agent = await agentsToChange.get(run, key, async () => {
    return (await agentOfRun(run, generation, slot)) ?? namedAgentToChange(run, generation);
  });
  for (let at = 1; at <= MAX_REPLACEMENTS && usedUp.get(run.shared)?.has(agent) === true; at += 1)
    agent = await agentsToChange.get(run, `${key} ${at}`, async () => {
      const created =
        run.mayCreate('createAgent') > 0 ? await createdAgent(run, generation, slot, at) : { obstacle: '' };
      return 'name' in created ? created.name : agent;
    });
  return agent;
}

/** Like agentToChange, and the agent also serves inference requests. */
export async function servingAgentToChange(run: Run, generation: Generation = 'mk2'): Promise<string> {
  const slot = run.slotOf('agents');
  await widenIfAwaited(run);
  return servingAgents.get(run, slotKey(generation, slot), async () => {
    const created = await agentOfRun(run, generation, slot);
    if (created !== undefined && (await serves(run, created))) return created;
    // Only the first slot may change the agent of the target file.
    const isOnlyOne = created !== undefined && (slot > 0 || nameOf(run, generation) === undefined);
    const other = isOnlyOne ? created : await namedAgentToChange(run, generation);
    const { response } = await firstResponse(run, other);
    return run.need(
      (await serves(run, other)) && other,
      `an agent of generation ${generation} that responds with 2xx (${routeOf(operation('queryAgent'))} returned ${response.status})`,
    );
  });
}

/** The target file's agent, otherwise one that the run creates. Throws NotTried if there is none, or it does not serve. */
export async function queryableAgent(run: Run, generation: Generation = 'mk2'): Promise<string> {
  run.slotOf('agents');
  const name = nameOf(run, generation) ?? (await servingAgentToChange(run, generation));
  return withoutLateUpdates(run, name, generation);
}

/** Returns the agent once updates of earlier cases have taken effect. Throws NotTried if that takes too long. */
async function withoutLateUpdates(run: Run, name: string, generation: Generation): Promise<string> {
  const runtime = { generation };
  const hasSettled = await waitForUpdates(run, name, {
    update: (spec) => updateWhenSettled(run, run.client, agentUpdate(run, name, { ...spec, runtime })),
    query: () => queryAgent(run, name),
  });
  return run.need(hasSettled && name, 'an agent whose updates take effect within --patience');
}

const nameOf = ({ target: { resources } }: Run, generation: Generation): string | undefined =>
  generation === 'mk2' ? resources.agent : resources.mk3Agent;

export const queryAgent = (run: Run, agent: string): Promise<Exchange> =>
  run.client.call('queryAgent', { path: { agent }, body: { inputs: 'hello' } });

const firstResponses = sharedValues<Exchange>();

/** The first 2xx response of an agent in this run, or its last response at the timeout. */
export const firstResponse = (run: Run, agent: string): Promise<Exchange> =>
  firstResponses.get(run, agent, () => eventually(() => queryAgent(run, agent), isSuccessful, run.patienceSeconds));

const serves = async (run: Run, agent: string): Promise<boolean> => isSuccessful(await firstResponse(run, agent));

/** `obstacle`: which response shows that the target refuses the agent, or updates of it. */
type CreatedAgent = { readonly name: string } | { readonly obstacle: string };

/** Created once per run and slot. Undefined if the target refuses, or the agent does not accept updates. */
async function agentOfRun(run: Run, generation: Generation, slot: number): Promise<string | undefined> {
  if (run.target.allow === 'read') return undefined;
  const created = await createdAgent(run, generation, slot);
  return 'name' in created ? created.name : undefined;
}

/** `replacement`: 0 for the first one of a slot. */
const createdAgent = (run: Run, generation: Generation, slot: number, replacement = 0): Promise<CreatedAgent> =>
  agentsOfRun.get(run, `${slotKey(generation, slot)} ${replacement}`, async () => {
    const name = run.newName();
    const spec = { runtime: { generation } };
    const created = await createAgent(run, name, spec);
    const hint = isInvalid(created) ? missingAgentSpec(run) : '';
    if (!isSuccessful(created)) return { obstacle: `POST /agents returned ${created.response.status}${hint}` };
    await creations.get(run, name, async () => [created]);
    const update = async (): Promise<Exchange> => {
      const exchange = await run.client.call('updateAgent', agentUpdate(run, name, spec));
      // A read tells an agent that does not exist yet from an update that the target does not have.
      if (exchange.response.status === 404) await run.client.call('getAgent', { path: { agentName: name } });
      return exchange;
    };
    const updated = await eventually(update, isSuccessful, run.patienceSeconds);
    return isSuccessful(updated) ? { name } : { obstacle: `PUT of a new agent returned ${updated.response.status}` };
  });

interface AgentSlots {
  count: number;
  /** Whether no more are added: they are being added, or could not be. */
  isFixed: boolean;
}

const agentSlots = (run: Run): Promise<AgentSlots> => slotsOfRun.get(run, async () => ({ count: 1, isFixed: false }));

/** How many cases may change agents at the same time. */
export const agentSlotCount = async (run: Run): Promise<number> => (await agentSlots(run)).count;

/** If cases wait for agents and none needs those of the target file, creates agents for them. Never throws. */
async function widenIfAwaited(run: Run): Promise<void> {
  const slots = await agentSlots(run);
  const addedCount = maxSlots(run) - slots.count;
  if (slots.isFixed || addedCount <= 0 || !run.isAwaited('agents')) return;
  if (run.mayCreate('createAgent') < addedCount * generations.length) return;
  slots.isFixed = true;
  const count = await addSlots(run, slots.count).catch(() => slots.count); // the case itself needs none of them
  run.widen('agents', count);
  slots.isFixed = count < maxSlots(run);
  slots.count = count;
}

function maxSlots(run: Run): number {
  if (run.mayCreate('createAgent') < Infinity) return MAX_SLOTS;
  return run.isQuick ? MAX_QUICK_SLOTS : MAX_SLOTS_IF_REMOVED;
}

/** A deployment takes a few seconds. No case waits longer for agents that only others need. */
const MAX_WIDENING_SECONDS = 10;

/** Returns how many slots have agents then. */
async function addSlots(run: Run, count: number): Promise<number> {
  const own = await Promise.all(generations.map((generation) => agentOfRun(run, generation, 0)));
  const seconds = Math.min(run.patienceSeconds, MAX_WIDENING_SECONDS);
  const areServing = await Promise.all(
    own.map(async (name) => {
      if (name === undefined) return false;
      return isSuccessful(await eventually(() => queryAgent(run, name), isSuccessful, seconds));
    }),
  );
  // Otherwise cases use the agents of the target file, one case at a time.
  if (areServing.includes(false)) return count;
  if (!run.isQuick) await tryRemoval(run);
  const maxCount = maxSlots(run);
  const added = Array.from({ length: maxCount - count }, (_, index) => count + index);
  const haveAgents = await Promise.all(added.map((slot) => hasAgents(run, slot)));
  return added.find((_, index) => !haveAgents[index]) ?? maxCount;
}

/** Creates an agent and removes it, so that the run knows whether the target can remove agents. */
async function tryRemoval(run: Run): Promise<void> {
  if (run.mayCreate('createAgent') === Infinity) return;
  await createAndRemove(run, 'createAgent', {
    body: { metadata: { name: run.newName() }, spec: agentSpec(run, { runtime: { generation: 'mk2' } }) },
  });
}

async function hasAgents(run: Run, slot: number): Promise<boolean> {
  const created = await Promise.all(generations.map((generation) => agentOfRun(run, generation, slot)));
  return !created.includes(undefined);
}

/** Sends the inferred create with varied metadata. If the target finds them invalid, sends it again with the name only. */
export async function createAgent(run: Run, name: string, made: Spec): Promise<Exchange> {
  const spec = agentSpec(run, made);
  const send = (metadata: object) =>
    run.client.call('createAgent', { body: { metadata: { name, ...metadata }, spec } });
  const exchange = await send(variedDescription(run));
  return isInvalid(exchange) ? send({}) : exchange;
}

/** What is found out about an agent is found out once of all agents of a generation that the run has created. */
export const agentKind = ({ prefix }: Pick<Run, 'prefix'>, name: string, generation: Generation): string =>
  name.startsWith(prefix) ? `${generation} of the run` : name;

/** The exchange that created the agent. Empty if the run did not create it. */
export const creationExchanges = (run: Run, agent: string): Promise<readonly Exchange[]> =>
  creations.get(run, agent, async () => []);

/** Records the previous state in the ledger first. If the target does not return it, only `destroy` permits the change. */
async function namedAgentToChange(run: Run, generation: Generation): Promise<string> {
  run.need(run.target.allow !== 'read', 'write');
  // Only one case at a time may change it.
  run.need(run.slotOf('agents') === 0, 'an agent of the run that serves inference requests');
  run.need(!run.isShard, 'an agent that the run can create: shards do not change the agent of the target file');
  const name = nameOf(run, generation);
  if (name === undefined) throw await withoutAgent(run, generation);
  const obstacle = await obstacleToRestoring(run, name);
  const canPutBack = obstacle === undefined;
  if (!canPutBack && run.target.allow !== 'destroy') {
    const created = await createdAgent(run, generation, 0);
    const obstacles = [...('obstacle' in created ? [created.obstacle] : []), obstacle];
    const advice = `answer GET /agents/{agentName}, or pass --allow destroy: then ${name} is changed without being restored`;
    throw new NotTried(`an agent that the run can create or restore (${obstacles.join(', ')}): ${advice}`);
  }
  // Reported at the end of the run.
  if (!canPutBack)
    await unrestorable.get(run, name, async () =>
      run.willChange({ changed: 'updateAgent', path: { agentName: name } }),
    );
  return name;
}

/** The target file names no agent, and the target does not let the run create one. */
async function withoutAgent(run: Run, generation: Generation): Promise<NotTried> {
  const need = generation === 'mk2' ? 'agent' : 'mk3-agent';
  const created = await createdAgent(run, generation, 0);
  if (!('obstacle' in created)) return new NotTried(describeNeed(need), need);
  const key = generation === 'mk2' ? 'resources.agent' : 'resources.mk3Agent';
  return new NotTried(
    `${describeNeed(need)} (${created.obstacle}): answer POST /agents and PUT /agents/{agentName}, or set ${key} in the target file`,
  );
}

/**
 * Whether the ledger records the previous state of an agent that the run did not create. From then on every update carries
 * the run label. Throws NotTried if another run changes it, or the target does not return everything needed to restore it.
 */
export const canBeRestored = async (run: Run, name: string): Promise<boolean> =>
  (await obstacleToRestoring(run, name)) === undefined;

/** Which response shows that it cannot be restored. */
function obstacleToRestoring(run: Run, name: string): Promise<string | undefined> {
  return obstaclesToRestoring.get(run, name, async () => {
    const { response } = await run.client.call('getAgent', { path: { agentName: name } });
    const { metadata, spec } = (response.json ?? {}) as Partial<AgentResponse>;
    if (response.status !== 200) return `GET /agents/${name} returned ${response.status}`;
    if (!isPresent(metadata) || !isPresent(spec)) return `GET /agents/${name} returned no metadata or no spec`;
    const other = runLabelIn(metadata);
    run.need(other === undefined, `an agent that no other run changes: ${name} has the label ${RUN_LABEL}: ${other}`);
    const secrets = hasSecretVariables(spec) ? 'secret environment variables' : hasCallbacks(spec) ? 'callbacks' : '';
    if (secrets !== '')
      throw new NotTried(`an agent without ${secrets}: the secrets of ${name} cannot be restored`, 'restorable-agent');
    const { displayName, labels = {} } = withoutNulls(metadata);
    const body = { metadata: { name, displayName, labels }, spec: withoutNulls(spec) };
    run.willChange({ changed: 'updateAgent', path: { agentName: name }, body });
    return undefined;
  });
}

const isPresent = <T extends object>(value: T | undefined): value is T => typeof value === 'object' && value !== null;

interface AgentResponse {
  readonly metadata: { readonly displayName?: string; readonly labels?: object };
  readonly spec: {
    readonly runtime?: { readonly envs?: readonly { readonly secret?: boolean }[] | null } | null;
    readonly triggers?: readonly { readonly configuration?: Callback | null }[] | null;
  };
}

interface Callback {
  readonly callbackUrl?: unknown;
  readonly callbackSecret?: unknown;
}

const hasSecretVariables = ({ runtime }: AgentResponse['spec']): boolean =>
  runtime?.envs?.some(({ secret }) => secret) ?? false;

/** A server may return null or an empty string for what is not set. */
const isSet = (value: unknown): boolean => !isOmitted(value) && value !== '';

/** The server creates a new callback secret with every update. */
const hasCallbacks = ({ triggers }: AgentResponse['spec']): boolean =>
  triggers?.some(({ configuration }) => isSet(configuration?.callbackUrl) || isSet(configuration?.callbackSecret)) ??
  false;
