/** The agent that a case sends updates to, and that it leaves with a plain one. */
import type { Mismatch, Run } from '../../engine/conforms.ts';
import { eventually, isSuccessful } from '../../target/eventually.ts';
import { agentToChange, agentUpdate } from '../provision/agents.ts';
import type { Generation } from '../provision/agents.ts';
import { undefinedIfNotTried } from '../provision/undefined-if-not-tried.ts';
import { acceptedVariants, clientFor, defaultVariant } from '../provision/caller-variants.ts';
import type { CallerVariant } from '../provision/caller-variants.ts';
import { isSettled } from '../provision/writes.ts';
import type { Exchange } from '../../target/client.ts';
import { comesBack } from './comes-back.ts';
import { sharedValues } from '../../engine/shared-values.ts';

const readability = sharedValues<boolean>();

export interface Subject {
  readonly name: string;
  /** Sent in every update: nothing says that it may change, or what it is where it is left out. */
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
  const exchange = await eventually(call, isSettled, unsettled.has(run.target) ? 0 : run.patienceSeconds);
  if (!isSettled(exchange)) unsettled.add(run.target);
  return exchange;
}

/** Targets that kept an update in conflict for as long as it was waited for: once is enough. */
const unsettled = new WeakSet<Run['target']>();

/** In which this agent is updated where nothing is wrong. */
export function waysToUpdate(run: Run, subject: Subject): Promise<CallerVariant[]> {
  const input = { ...agentUpdate(subject.name), body: bodyOf(subject) };
  return acceptedVariants(run, `update ${subject.name}`, (as) =>
    eventually(() => as.call('updateAgent', input), isSettled, run.patienceSeconds),
  );
}

/** Hands over the agent to change, and leaves it plain when the case is done with it. */
export async function withSubject(
  run: Run,
  generation: Generation,
  use: (subject: Subject) => Promise<void>,
): Promise<void> {
  const subject = { name: await agentToChange(run, generation), generation };
  await leavingPlain(run, subject, () => use(subject));
}

/**
 * Nothing of what a case tries goes on afterwards: a schedule, a callback. Enabled and closed, also by who keeps what is
 * left out.
 */
export async function leavingPlain(run: Run, subject: Subject, use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } finally {
    await put(run, subject, { enabled: true, ...(subject.generation === 'mk3' && { public: false }) });
  }
}

/** The same with the mk2 agent, and then with the mk3 one where there is one. */
export async function withEachSubject(run: Run, use: (subject: Subject) => Promise<void>): Promise<void> {
  await withSubject(run, 'mk2', use);
  if ((await undefinedIfNotTried(agentToChange(run, 'mk3'))) !== undefined) await withSubject(run, 'mk3', use);
}

/** The control of a case about refusals: throws NotTried where the target refuses what nothing is wrong with. */
export async function needAccepted(run: Run, subject: Subject, spec: Spec, what: string): Promise<Exchange> {
  const exchange = await put(run, subject, spec);
  const { status } = exchange.answer;
  run.need(isSuccessful(exchange), `an agent that takes ${what}: ${subject.name} answered ${status}`);
  return exchange;
}

/** An update that nothing is wrong with, and what the target shows of it until the next one. */
export interface Known {
  readonly subject: Subject;
  readonly body: AgentBody;
}

const DISPLAY_NAME = 'Assay: as last accepted';
const LABELS = { assay: 'accepted' };

/**
 * To be sent before updates that must be refused; later `stays` tells whether one of them took effect. `beside`: what else
 * the agent has then, which is not looked at.
 */
export async function known(run: Run, subject: Subject, beside: Spec = {}): Promise<Known> {
  await isReadable(run, subject); // Found out by an update, which must not come between.
  const metadata = { displayName: DISPLAY_NAME, labels: LABELS };
  const exchange = await put(run, subject, { ...beside, enabled: true }, metadata);
  run.need(isSuccessful(exchange), `an agent that takes a valid update: ${exchange.answer.status} was the answer`);
  return { subject, body: bodyOf(subject, { enabled: true }, metadata) };
}

/** In texts of updates that must be refused, and nowhere else. */
export const REFUSED = 'assay-refused';

/** Metadata of an update that must be refused: shows itself where it takes effect. */
export const refused = { displayName: REFUSED, labels: { assay: REFUSED } };

/** What such an update may have in its spec, to show itself there, too. */
export const refusedSpec: Spec = {
  enabled: false,
  triggers: [{ id: REFUSED, type: 'http', configuration: { path: `/${REFUSED}` } }],
};

/** Nothing where the target shows an agent only in answers to updates. */
export async function stays(run: Run, { subject, body }: Known): Promise<Mismatch[]> {
  if (!(await isReadable(run, subject))) return [];
  const holds = (exchange: Exchange): boolean => shownInstead(body, exchange).length === 0;
  return shownInstead(body, await readUntil(run, subject, holds));
}

function shownInstead(body: AgentBody, exchange: Exchange): Mismatch[] {
  const { metadata, spec } = (exchange.answer.json ?? {}) as Partial<AgentBody>;
  const isLeft = JSON.stringify([metadata, spec]).includes(REFUSED);
  const left = [{ expected: 'nothing of a refused update', actual: 'some of it', exchange }];
  return [...comesBack(body, exchange), ...(isLeft ? left : [])];
}

/** Whether the target has the inferred read of an agent, and shows there what an update has changed. */
export function isReadable(run: Run, subject: Subject): Promise<boolean> {
  return readability.get(run, subject.name, async () => {
    const body = bodyOf(subject, {}, { displayName: `Assay: ${run.newName()}` });
    if (!isSuccessful(await putBody(run, subject, body))) return false;
    if (!isSuccessful(await read(run, subject))) return false;
    return (
      comesBack(body, await readUntil(run, subject, (exchange) => comesBack(body, exchange).length === 0)).length === 0
    );
  });
}

/** By the inferred read of an agent. */
export const read = (run: Run, { name }: Subject): Promise<Exchange> =>
  run.client.call('getAgent', { path: { agentName: name } });

/** Reads may be behind updates for a while. */
export function readUntil(
  run: Run,
  subject: Subject,
  holds: (exchange: Exchange) => boolean,
  seconds = run.patienceSeconds,
): Promise<Exchange> {
  return eventually(() => read(run, subject), holds, seconds);
}
