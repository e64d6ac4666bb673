/** The agent that a case updates and finally restores to a plain state. */
import type { Mismatch, Run } from '../../engine/conforms.ts';
import { eventually, isSuccessful } from '../../target/eventually.ts';
import { agentToChange, agentUpdate } from '../provision/agents.ts';
import type { Generation } from '../provision/agents.ts';
import { undefinedIfNotTried } from '../provision/undefined-if-not-tried.ts';
import { acceptedVariants, clientFor, defaultVariant } from '../provision/caller-variants.ts';
import type { CallerVariant } from '../provision/caller-variants.ts';
import { isSettled } from '../provision/writes.ts';
import type { Exchange } from '../../target/client.ts';
import { roundTripMismatches } from './round-trip.ts';
import { sharedValues } from '../../engine/shared-values.ts';

const readability = sharedValues<boolean>();

export interface Subject {
  readonly name: string;
  /** Sent in every update: whether it may change or be omitted is not documented. */
  readonly generation: Generation;
}

export interface Spec {
  readonly runtime?: object;
  readonly [field: string]: unknown;
}

export interface AgentBody {
  readonly metadata: object;
  readonly spec: Spec;
}

export function bodyOf({ name, generation }: Subject, spec: Spec = {}, metadata: object = {}): AgentBody {
  const runtime = { generation, ...spec.runtime };
  return { metadata: { name, ...metadata }, spec: { ...spec, runtime } };
}

export function put(
  run: Run,
  subject: Subject,
  spec?: Spec,
  metadata?: object,
  way?: CallerVariant,
): Promise<Exchange> {
  return putBody(run, subject, bodyOf(subject, spec, metadata), way);
}

export async function putBody(run: Run, { name }: Subject, body: unknown, way = defaultVariant): Promise<Exchange> {
  const as = clientFor(run, way);
  const call = () => as.call('updateAgent', { ...agentUpdate(name), body });
  const exchange = await eventually(call, isSettled, conflictedTargets.has(run.target) ? 0 : run.patienceSeconds);
  if (!isSettled(exchange)) conflictedTargets.add(run.target);
  return exchange;
}

/** Targets on which an update stayed in conflict until the timeout. Conflicts are not retried there again. */
const conflictedTargets = new WeakSet<Run['target']>();

/** The ways in which a valid update of this agent is accepted. */
export function waysToUpdate(run: Run, subject: Subject): Promise<CallerVariant[]> {
  const input = { ...agentUpdate(subject.name), body: bodyOf(subject) };
  return acceptedVariants(run, `update ${subject.name}`, (as) =>
    eventually(() => as.call('updateAgent', input), isSettled, run.patienceSeconds),
  );
}

/** Passes the agent to change to `use` and restores it afterwards. */
export async function withSubject(
  run: Run,
  generation: Generation,
  use: (subject: Subject) => Promise<void>,
): Promise<void> {
  const subject = { name: await agentToChange(run, generation), generation };
  await restoringPlain(run, subject, () => use(subject));
}

/**
 * Finally removes schedules and callbacks. Sends `enabled` and `public` explicitly for servers that keep omitted
 * fields.
 */
export async function restoringPlain(run: Run, subject: Subject, use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } finally {
    await put(run, subject, { enabled: true, ...(subject.generation === 'mk3' && { public: false }) });
  }
}

/** withSubject for the mk2 agent and then for the mk3 agent, if any. */
export async function withEachSubject(run: Run, use: (subject: Subject) => Promise<void>): Promise<void> {
  await withSubject(run, 'mk2', use);
  if ((await undefinedIfNotTried(agentToChange(run, 'mk3'))) !== undefined) await withSubject(run, 'mk3', use);
}

/** The control of a case about refusals: throws NotTried if the target refuses this valid update. */
export async function needAccepted(run: Run, subject: Subject, spec: Spec, description: string): Promise<Exchange> {
  const exchange = await put(run, subject, spec);
  const { status } = exchange.response;
  run.need(isSuccessful(exchange), `an agent that accepts ${description}: ${subject.name} returned ${status}`);
  return exchange;
}

/** A valid update that must remain in effect. */
export interface Baseline {
  readonly subject: Subject;
  readonly body: AgentBody;
}

const DISPLAY_NAME = 'Assay: as last accepted';
const LABELS = { assay: 'accepted' };

/**
 * Sent before updates that must be refused; `checkUnchanged` then detects whether one of them took effect. `extra`:
 * further fields of the spec, which are not compared.
 */
export async function sendBaseline(run: Run, subject: Subject, extra: Spec = {}): Promise<Baseline> {
  await isReadable(run, subject); // Sends an update, so it must come first.
  const metadata = { displayName: DISPLAY_NAME, labels: LABELS };
  const exchange = await put(run, subject, { ...extra, enabled: true }, metadata);
  run.need(isSuccessful(exchange), `an agent that accepts a valid update (status ${exchange.response.status})`);
  return { subject, body: bodyOf(subject, { enabled: true }, metadata) };
}

/** Used only in updates that must be refused. */
export const REFUSED = 'assay-refused';

/** Metadata of an update that must be refused, visible if the update takes effect. */
export const refusedMetadata = { displayName: REFUSED, labels: { assay: REFUSED } };

/** Spec of such an update, visible if the update takes effect. */
export const refusedSpec: Spec = {
  enabled: false,
  triggers: [{ id: REFUSED, type: 'http', configuration: { path: `/${REFUSED}` } }],
};

/** Empty if the target has no read of an agent. */
export async function checkUnchanged(run: Run, { subject, body }: Baseline): Promise<Mismatch[]> {
  if (!(await isReadable(run, subject))) return [];
  const holds = (exchange: Exchange): boolean => baselineMismatches(body, exchange).length === 0;
  return baselineMismatches(body, await readUntil(run, subject, holds));
}

function baselineMismatches(body: AgentBody, exchange: Exchange): Mismatch[] {
  const { metadata, spec } = (exchange.response.json ?? {}) as Partial<AgentBody>;
  const hasRefusedPart = JSON.stringify([metadata, spec]).includes(REFUSED);
  const refusedPart = [{ expected: 'no value of a refused update', actual: 'a value of a refused update', exchange }];
  return [...roundTripMismatches(body, exchange), ...(hasRefusedPart ? refusedPart : [])];
}

/** Whether the target has the inferred read of an agent and it returns updated values. */
export function isReadable(run: Run, subject: Subject): Promise<boolean> {
  return readability.get(run, subject.name, async () => {
    const body = bodyOf(subject, {}, { displayName: `Assay: ${run.newName()}` });
    if (!isSuccessful(await putBody(run, subject, body))) return false;
    if (!isSuccessful(await read(run, subject))) return false;
    return (
      roundTripMismatches(
        body,
        await readUntil(run, subject, (exchange) => roundTripMismatches(body, exchange).length === 0),
      ).length === 0
    );
  });
}

/** Sends the inferred read of an agent. */
export const read = (run: Run, { name }: Subject): Promise<Exchange> =>
  run.client.call('getAgent', { path: { agentName: name } });

/** Polls, since reads may lag behind updates. */
export function readUntil(
  run: Run,
  subject: Subject,
  holds: (exchange: Exchange) => boolean,
  seconds = run.patienceSeconds,
): Promise<Exchange> {
  return eventually(() => read(run, subject), holds, seconds);
}
