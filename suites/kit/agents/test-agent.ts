/** The agent that a case updates and finally restores to a plain state. */
import { isDeepStrictEqual } from 'node:util';
import type { Mismatch, Run } from '../../engine/conforms.ts';
import { eventually, isSettled, isSuccessful } from '../../target/eventually.ts';
import { describeLarge, labelSizes } from '../large-input.ts';
import { describeRefusal, messageOf } from '../../expect/describe-refusal.ts';
import { isInvalid } from '../../expect/status.ts';
import { fieldsOf } from '../../json/fields.ts';
import { agentKind, agentToChange, noteUsedUp, updateWhenSettled } from '../provision/agents.ts';
import type { Generation } from '../provision/agents.ts';
import { plainDisplayName } from '../provision/creates.ts';
import { acceptedVariants, clientFor, defaultVariant } from '../provision/caller-variants.ts';
import type { CallerVariant } from '../provision/caller-variants.ts';
import { RequestLimitError } from '../../target/transport.ts';
import { NotTried } from '../../target/violation.ts';
import { noteUpdate } from '../provision/late-updates.ts';
import { learnUpdateTiming, readUntilVisible } from '../provision/update-timing.ts';
import type { Exchange } from '../../target/client.ts';
import { findAcceptedValues, trySamplesInPart } from './accepted-values.ts';
import { agentSpec, missingAgentSpec } from './agent-spec.ts';
import type { Spec } from './accepted-values.ts';
import { joinSpecs } from './join-specs.ts';
import { roundTripMismatches } from './round-trip.ts';
import { sharedValues } from '../../engine/shared-values.ts';

const readability = sharedValues<boolean>();
const acceptedSpecs = sharedValues<Exchange>();
const acceptedUnions = sharedValues<boolean>();

export interface TestAgent {
  readonly name: string;
  /** Sent in every update: whether it may change or be omitted is not documented. */
  readonly generation: Generation;
}

/** The key of what is found out once about such agents. */
export const kindOf = (run: Run, { name, generation }: TestAgent): string => agentKind(run, name, generation);

export type { Spec } from './accepted-values.ts';

export interface AgentBody {
  readonly metadata: object;
  readonly spec: Spec;
}

export function bodyOf(
  run: Pick<Run, 'shared' | 'target'>,
  { name, generation }: TestAgent,
  sent: Spec = {},
  metadata: object = {},
): AgentBody {
  return {
    metadata: { name, ...metadata },
    spec: agentSpec(run, { ...sent, runtime: { generation, ...sent.runtime } }),
  };
}

export function put(
  run: Run,
  testAgent: TestAgent,
  spec?: Spec,
  metadata?: object,
  variant?: CallerVariant,
): Promise<Exchange> {
  return sendUpdate(run, testAgent, bodyOf(run, testAgent, spec, metadata), variant);
}

export async function sendUpdate(
  run: Run,
  testAgent: TestAgent,
  body: unknown,
  variant = defaultVariant,
): Promise<Exchange> {
  const as = clientFor(run, variant);
  const call = () =>
    as.call('updateAgent', { path: { agentName: testAgent.name }, body }).catch((error: unknown) => {
      if (error instanceof RequestLimitError) noteUsedUp(run, testAgent.name);
      throw error;
    });
  const attaches = hasVolumes(body);
  if (attaches) await detachFromOther(run, testAgent);
  const exchange = await eventually(call, isSettled, conflictedTargets.has(run.target) ? 0 : run.patienceSeconds);
  if (!isSettled(exchange)) conflictedTargets.add(run.target);
  if (!isSuccessful(exchange)) return exchange;
  noteVolumes(run, testAgent, attaches);
  await noteUpdate(run, testAgent.name, fieldsOf(fieldsOf(body)?.['spec'])?.['enabled'] === false);
  return exchange;
}

export interface Put {
  readonly body: AgentBody;
  readonly exchange: Exchange;
  /** What is missing, if the target accepts no value like one that the run has made up. */
  readonly missing?: string;
}

/**
 * Sends a valid update. If it is refused because of a made-up value, sends it again with another one; nothing else changes. The
 * body is the one that was sent last.
 */
export async function putValid(
  run: Run,
  testAgent: TestAgent,
  spec: Spec = {},
  metadata: object = {},
  variant?: CallerVariant,
): Promise<Put> {
  const send = async (sent: object = metadata): Promise<Put> => {
    const body = bodyOf(run, testAgent, spec, sent);
    return { body, exchange: await sendUpdate(run, testAgent, body, variant) };
  };
  const accepts = async (alone: Spec): Promise<boolean> => !isInvalid(await put(run, testAgent, alone));
  await trySamplesInPart(run, spec, async (alone) => isSuccessful(await put(run, testAgent, alone)));
  const first = await send();
  if (!isInvalid(first.exchange)) return first;
  const returns = async (alone: Spec) => fieldsOf(fieldsOf((await put(run, testAgent, alone)).response.json)?.['spec']);
  const acceptsRest = async (rest: Spec): Promise<boolean> => isSuccessful(await put(run, testAgent, rest, metadata));
  const missing = await valuesOrWhole(run, testAgent, await findAcceptedValues(run, spec, accepts, returns));
  const isChanged = !isDeepStrictEqual(bodyOf(run, testAgent, spec, metadata), first.body);
  const last = isChanged ? await send() : first;
  if (isSuccessful(last.exchange)) return last;
  const large = describeLarge(labelSizes(fieldsOf(metadata)?.['labels']));
  const needsFewerLabels = large !== undefined && isSuccessful((await send({ ...metadata, labels: {} })).exchange);
  const lacks = needsFewerLabels
    ? `an agent that accepts ${large}`
    : (missing ?? (await excludingFields(spec, acceptsRest)));
  return lacks === undefined ? last : { ...last, missing: lacks };
}

/**
 * What is missing, if it is no value: an agent that refuses an update without any accepts none with one. If the target file has
 * the fields that every agent needs, a refusal for no known reason means something.
 */
async function valuesOrWhole(run: Run, testAgent: TestAgent, missing: string | undefined): Promise<string | undefined> {
  if (missing === undefined && run.target.samples.agentSpec !== undefined) return undefined;
  const plain = await put(run, testAgent);
  return isInvalid(plain) ? describePlain(run, testAgent, plain) : missing;
}

function describePlain(run: Run, { generation }: TestAgent, refused: Exchange): string {
  const sent = run.target.samples.agentSpec === undefined ? '' : ' and samples.agentSpec';
  const hint = /generation|\bmk[23]\b/i.test(messageOf(refused) ?? '') ? '' : missingAgentSpec(run);
  const plain = `an update with nothing but runtime.generation ${generation}${sent}`;
  return `an agent that accepts ${plain} (${describeRefusal(refused)})${hint}`;
}

/** Fields of a refused update that exclude each other: without any one of them it is accepted (decision 038). Undefined if there are none. */
async function excludingFields(spec: Spec, accepts: (rest: Spec) => Promise<boolean>): Promise<string | undefined> {
  const { runtime = {}, ...fields } = spec;
  const without = (object: object, name: string) =>
    Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
  const rests: (readonly [name: string, rest: Spec])[] = [
    ...Object.keys(fields).map((name) => [name, without(spec, name)] as const),
    ...Object.keys(runtime).map((name) => [name, { ...spec, runtime: without(runtime, name) }] as const),
  ];
  const found: string[] = [];
  for (const [name, rest] of rests) if (await accepts(rest)) found.push(name);
  return found.length < 2 ? undefined : `an agent that accepts together: ${found.join(', ')}`;
}

/** The mismatches of a valid update. None if it is refused because of a made-up value; then the input shows nothing. */
export const judged = (
  run: Run,
  { exchange, missing }: Omit<Put, 'body'>,
  mismatches: (exchange: Exchange) => Mismatch[],
): Mismatch[] => (missing === undefined ? mismatches(exchange) : run.skipInput(missing));

/** By case: its agent that has volumes. They must not be attached to another agent at the same time. */
const agentsWithVolumes = new WeakMap<Run, TestAgent>();

const hasVolumes = (body: unknown): boolean => {
  const volumes = fieldsOf(fieldsOf(body)?.['spec'])?.['volumes'];
  return Array.isArray(volumes) && volumes.length > 0;
};

async function detachFromOther(run: Run, { name }: TestAgent): Promise<void> {
  const other = agentsWithVolumes.get(run);
  if (other === undefined || other.name === name) return;
  // Explicitly, for servers that keep omitted fields.
  const detached = await put(run, other, { region: run.target.resources.volume?.region, volumes: [] });
  if (!isSuccessful(detached)) await restore(run, other);
}

function noteVolumes(run: Run, testAgent: TestAgent, attaches: boolean): void {
  if (attaches) agentsWithVolumes.set(run, testAgent);
  else if (agentsWithVolumes.get(run)?.name === testAgent.name) agentsWithVolumes.delete(run);
}

/** Targets on which an update stayed in conflict until the timeout. Conflicts are not retried there again. */
const conflictedTargets = new WeakSet<Run['target']>();

/** The caller variants with which the target accepts a valid update of this agent. */
export function acceptedUpdateVariants(run: Run, testAgent: TestAgent): Promise<CallerVariant[]> {
  const input = { path: { agentName: testAgent.name }, body: bodyOf(run, testAgent) };
  return acceptedVariants(run, `update ${kindOf(run, testAgent)}`, (as) => updateWhenSettled(run, as, input));
}

/** Calls `use` with an agent that may be changed, and restores the agent afterwards. */
export async function withTestAgent(
  run: Run,
  generation: Generation,
  use: (testAgent: TestAgent) => Promise<void>,
): Promise<void> {
  const testAgent = { name: await agentToChange(run, generation), generation };
  await restoreAfter(run, testAgent, () => use(testAgent));
}

/** Restores the agent afterwards. */
export async function restoreAfter(run: Run, testAgent: TestAgent, use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } finally {
    await restore(run, testAgent);
  }
}

/** Removes schedules and callbacks. Sends `enabled` and `public` explicitly for servers that keep omitted fields. */
export const restore = (run: Run, testAgent: TestAgent): Promise<Exchange> =>
  put(run, testAgent, { enabled: true, ...(testAgent.generation === 'mk3' && { public: false }) });

/** The control of a case about refusals: throws NotTried if the target refuses this valid update. */
export async function needAccepted(
  run: Run,
  testAgent: TestAgent,
  spec: Spec,
  description: string,
  metadata?: object,
): Promise<Exchange> {
  const { exchange, missing } = await putValid(run, testAgent, spec, metadata);
  const { status } = exchange.response;
  if (status === 404) await needExists(run, testAgent.name);
  const need = `an agent that accepts ${description}: ${testAgent.name} returned ${status}`;
  run.need(isSuccessful(exchange), missing === undefined ? need : `${need}; ${missing}`);
  return exchange;
}

/**
 * Throws NotTried if the agent is gone, because another user or a limit of its lifetime has removed it, or neither operation
 * exists. Later cases change another one.
 */
export async function needExists(run: Run, name: string): Promise<void> {
  const { response } = await run.client.call('getAgent', { path: { agentName: name } });
  if (response.status !== 404) return;
  noteUsedUp(run, name);
  throw new NotTried(`an agent that exists while it is tested: GET /agents/${name} returned 404`);
}

/** Like needAccepted, once per run and kind of agent. */
export function needAcceptedOnce(run: Run, testAgent: TestAgent, spec: Spec, description: string): Promise<Exchange> {
  const key = `${kindOf(run, testAgent)} ${JSON.stringify(spec)}`;
  return acceptedSpecs.get(run, key, () => needAccepted(run, testAgent, spec, description));
}

/** Whether the target accepts the specs in one update. Sent once per run and kind of agent. */
export function acceptsTogether(run: Run, testAgent: TestAgent, specs: readonly Spec[]): Promise<boolean> {
  const spec = specs.reduce(joinSpecs, {});
  const key = `${kindOf(run, testAgent)} ${JSON.stringify(spec)}`;
  return acceptedUnions.get(run, key, async () => isSuccessful((await putValid(run, testAgent, spec)).exchange));
}

/** A valid update that must remain in effect. */
export interface Baseline {
  readonly testAgent: TestAgent;
  readonly body: AgentBody;
}

/**
 * Sent before updates that must be refused; `checkUnchanged` then detects whether one of them took effect. `extra`:
 * further fields of the spec, which are not compared.
 */
export async function sendBaseline(run: Run, testAgent: TestAgent, extra: Spec = {}): Promise<Baseline> {
  await isReadable(run, testAgent); // Sends an update, so it must come first.
  const metadata = { displayName: plainDisplayName(run), labels: { assay: 'Accepted-07' } };
  const { exchange, missing } = await putValid(run, testAgent, { ...extra, enabled: true }, metadata);
  const need = `an agent that accepts a valid update (status ${exchange.response.status})`;
  run.need(isSuccessful(exchange), missing === undefined ? need : `${need}; ${missing}`);
  return { testAgent, body: bodyOf(run, testAgent, { enabled: true }, metadata) };
}

/** Occurs only in updates that must be refused, and in none of an earlier run, which may have taken effect. */
export const refusedText = ({ prefix }: Pick<Run, 'prefix'>): string => `${prefix}invalid`;

/** Metadata of an update that must be refused, visible if the update takes effect. */
export const refusedMetadata = (run: Pick<Run, 'prefix'>): { displayName: string; labels: Record<string, string> } => ({
  displayName: refusedText(run),
  labels: { assay: refusedText(run) },
});

/** Spec of such an update, visible if the update takes effect. */
export const refusedSpec = (run: Pick<Run, 'prefix'>): Spec => ({
  enabled: false,
  triggers: [{ id: refusedText(run), type: 'http', configuration: { path: `/${refusedText(run)}` } }],
});

/** Empty if the target has no read of an agent. */
export async function checkUnchanged(run: Run, { testAgent, body }: Baseline): Promise<Mismatch[]> {
  if (!(await isReadable(run, testAgent))) return [];
  const mismatchesOf = (exchange: Exchange): Mismatch[] => baselineMismatches(run, body, exchange);
  const holds = (exchange: Exchange): boolean => mismatchesOf(exchange).length === 0;
  return mismatchesOf(await readUntilUpdated(run, testAgent, body, holds));
}

function baselineMismatches(run: Run, body: AgentBody, exchange: Exchange): Mismatch[] {
  const { metadata, spec } = (exchange.response.json ?? {}) as Partial<AgentBody>;
  const hasRefusedPart = JSON.stringify([metadata, spec]).includes(refusedText(run));
  const refusedPart = [{ expected: 'no value of a refused update', actual: 'a value of a refused update', exchange }];
  return [...roundTripMismatches(body, exchange), ...(hasRefusedPart ? refusedPart : [])];
}

/** Whether the target has the inferred read of an agent and it returns updated values. */
export function isReadable(run: Run, testAgent: TestAgent): Promise<boolean> {
  return readability.get(run, kindOf(run, testAgent), async () => {
    const body = bodyOf(run, testAgent, {}, { displayName: `Assay: ${run.newName()}` });
    if (!isSuccessful(await sendUpdate(run, testAgent, body))) return false;
    const isUpToDate = (exchange: Exchange): boolean =>
      isSuccessful(exchange) && roundTripMismatches(body, exchange).length === 0;
    const first = await readAgent(run, testAgent);
    if (!isSuccessful(first)) return false;
    await learnUpdateTiming(run, testAgent, () => readAgent(run, testAgent));
    if (isUpToDate(first)) return true;
    if (!isSuccessful(await sendUpdate(run, testAgent, body))) return false;
    return isUpToDate(await readUntilUpdated(run, testAgent, body, isUpToDate));
  });
}

/** Sends the inferred read of an agent. */
export const readAgent = (run: Run, { name }: TestAgent): Promise<Exchange> =>
  run.client.call('getAgent', { path: { agentName: name } });

/** Like readUntil, for reads that show what an update has sent. */
export const readUntilUpdated = (
  run: Run,
  testAgent: TestAgent,
  { spec }: Pick<AgentBody, 'spec'>,
  holds: (exchange: Exchange) => boolean,
  seconds?: number,
): Promise<Exchange> => readUntilVisible(run, testAgent, spec, () => readAgent(run, testAgent), holds, seconds);

/** Polls, since reads may lag behind updates. */
export function readUntil(
  run: Run,
  testAgent: TestAgent,
  holds: (exchange: Exchange) => boolean,
  seconds = run.patienceSeconds,
): Promise<Exchange> {
  return eventually(() => readAgent(run, testAgent), holds, seconds);
}
