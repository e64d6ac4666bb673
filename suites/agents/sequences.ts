/** agents.update.any-sequence-follows-the-model: updates of all kinds, one after another and at once, of one agent and of two. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { status, statusClass } from '../expect/status.ts';
import { agentToChange, agentUpdate, creationExchanges } from '../kit/provision/agents.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { forAllSequences } from '../engine/sequence.ts';
import type { InitialState, StepResult } from '../engine/sequence.ts';
import type { Exchange } from '../target/client.ts';
import { comesBack } from '../kit/agents/comes-back.ts';
import { faulty, marked, marksIn, mustBeRefused, parts } from './marked-update.ts';
import type { Marked, Part } from './marked-update.ts';
import { examplesFor, stepFor } from './sequence-steps.ts';
import type { Step, StepThat } from './sequence-steps.ts';
import { bodyOf, isReadable, putBody, readUntil, withSubject } from '../kit/agents/subject.ts';
import type { Subject } from '../kit/agents/subject.ts';
import { attachable } from './volumes.ts';
import type { Volumes } from './volumes.ts';

/** An agent, and the accepted updates one of which it is as: several where they were sent at once. */
interface Modelled {
  readonly subject: Subject;
  candidates: readonly Marked[];
}

interface Session {
  readonly run: Run;
  readonly readable: boolean;
  /** Those that the first agent takes, if any: no other has them, since one may be attached to one agent only. */
  readonly volumes: Volumes | undefined;
  /** Of the update sent last, over all sequences. */
  mark: number;
  /** How long a read is waited for: in full until one has failed, for each smaller counterexample fails as well. */
  seconds: number;
}

const SECONDS_AFTER_FAILURE = 0.5;

export async function checkSequences(run: Run): Promise<void> {
  await withSubject(run, 'mk2', async (first) => {
    if ((await undefinedIfNotTried(agentToChange(run, 'mk3'))) === undefined) return trySequences(run, [first]);
    return withSubject(run, 'mk3', (second) => trySequences(run, [first, second]));
  });
}

async function trySequences(run: Run, subjects: readonly [Subject, ...Subject[]]): Promise<void> {
  let readable = true;
  for (const subject of subjects) readable &&= await isReadable(run, subject);
  const volumes = await undefinedIfNotTried(attachable(run, subjects[0]));
  const session: Session = { run, readable, volumes, mark: 0, seconds: run.patienceSeconds };
  await forAllSequences<Step, Modelled[]>(run, {
    step: stepFor(subjects.length),
    examples: examplesFor(subjects.length),
    begin: () => begin(session, subjects),
    async runStep(model, step) {
      const taken = await takes[step.does](session, model, step as never);
      if (taken.mismatches.length > 0) return taken;
      const { exchanges, mismatches } = await readBack(session, model);
      return { exchanges: [...taken.exchanges, ...exchanges], mismatches };
    },
  });
}

async function begin(session: Session, subjects: readonly Subject[]): Promise<InitialState<Modelled[]>> {
  const model: Modelled[] = [];
  const exchanges: Exchange[] = [];
  for (const subject of subjects) {
    const { sent, exchange } = await update(session, subject, ['displayName']);
    session.run.need(isSuccessful(exchange), 'an agent that takes a valid update');
    model.push({ subject, candidates: [sent] });
    exchanges.push(...(await creationExchanges(session.run, subject.name)), exchange);
  }
  return { model, exchanges };
}

async function update(session: Session, subject: Subject, has: readonly Part[]) {
  const sent = marked(subject, has, (session.mark += 1));
  return { sent, exchange: await putBody(session.run, subject, sent.body) };
}

type Takes = {
  [Does in Step['does']]: (session: Session, model: readonly Modelled[], step: StepThat<Does>) => Promise<StepResult>;
};

const takes: Takes = {
  async update(session, model, { agent, has }) {
    const modelled = model[agent]!;
    const { sent, exchange } = await update(session, modelled.subject, has);
    modelled.candidates = [sent];
    return accepted(exchange, sent);
  },

  async repeat({ run }, model, { agent }) {
    const modelled = model[agent]!;
    const sent = modelled.candidates.at(-1)!;
    modelled.candidates = [sent];
    return accepted(await putBody(run, modelled.subject, sent.body), sent);
  },

  async attach(session, model) {
    const modelled = model[0]!;
    const { mark, body } = marked(modelled.subject, parts, (session.mark += 1));
    const sent = { mark, body: { ...body, spec: { ...body.spec, ...markedVolume(session, mark) } } };
    modelled.candidates = [sent];
    return accepted(await putBody(session.run, modelled.subject, sent.body), sent);
  },

  async empty(session, model, { agent }) {
    const modelled = model[agent]!;
    const lists = { triggers: [], runtime: { envs: [] } };
    const sent = { mark: (session.mark += 1), body: bodyOf(modelled.subject, lists, { labels: {} }) };
    modelled.candidates = [sent];
    return accepted(await putBody(session.run, modelled.subject, sent.body), sent);
  },

  async 'update wrongly'(session, model, { agent, has, fault }) {
    const { subject } = model[agent]!;
    if (!mustBeRefused(fault, subject)) return { exchanges: [], mismatches: [] };
    const { body } = marked(subject, has, (session.mark += 1));
    const exchange = await putBody(session.run, subject, faulty(body, fault));
    return { exchanges: [exchange], mismatches: status(exchange, 400) };
  },

  async 'update under another name'(session, model, { agent, has }) {
    const modelled = model[agent]!;
    const { run } = session;
    const sent = marked(modelled.subject, has, (session.mark += 1));
    const body = { ...sent.body, metadata: { ...sent.body.metadata, name: run.newName() } };
    // Not asked again where it is in conflict: that may be for the name.
    const exchange = await run.client.call('updateAgent', { ...agentUpdate(modelled.subject.name), body });
    if (!isSuccessful(exchange)) return { exchanges: [exchange], mismatches: statusClass(exchange, '4xx') };
    modelled.candidates = [sent];
    return { exchanges: [exchange], mismatches: unlikeAny(exchange, [sent]) };
  },

  async 'update nobody'(session, _model, { has }) {
    const nobody: Subject = { name: `${session.run.prefix}none-${session.mark}`, generation: 'mk2' };
    const { exchange } = await update(session, nobody, has);
    return { exchanges: [exchange], mismatches: status(exchange, 404) };
  },

  async 'update at once'(session, model, { agent, each }) {
    const modelled = model[agent]!;
    const all = await Promise.all(each.map((has) => update(session, modelled.subject, has)));
    const taken = all.filter(({ exchange }) => isSuccessful(exchange));
    if (taken.length > 0) modelled.candidates = taken.map(({ sent }) => sent);
    // The answer to one may already show another.
    const sent = all.map((one) => one.sent);
    const mismatches = taken.flatMap(({ exchange }) => unlikeAny(exchange, sent));
    return { exchanges: [all.map(({ exchange }) => exchange)], mismatches };
  },
};

/** Mounted where the mark tells it from the same one of another update. */
function markedVolume({ volumes }: Session, mark: number): object {
  if (volumes === undefined) return {};
  const { region, names } = volumes;
  return { region, volumes: [{ name: names[0], mountPath: `/mnt/assay-m${mark}-x`, readOnly: true }] };
}

/** Every agent, where the target has the inferred read: an update of one changes no other. */
async function readBack(session: Session, model: readonly Modelled[]): Promise<StepResult> {
  const exchanges: Exchange[] = [];
  for (const { subject, candidates } of session.readable ? model : []) {
    const isAsModelled = (exchange: Exchange): boolean => unlikeAny(exchange, candidates).length === 0;
    const exchange = await readUntil(session.run, subject, isAsModelled, session.seconds);
    exchanges.push(exchange);
    if (isAsModelled(exchange)) continue;
    session.seconds = Math.min(session.seconds, SECONDS_AFTER_FAILURE);
    return { exchanges, mismatches: unlikeAny(exchange, candidates) };
  }
  return { exchanges, mismatches: [] };
}

function accepted(exchange: Exchange, sent: Marked): StepResult {
  const mismatches = exchange.answer.status === 200 ? unlikeAny(exchange, [sent]) : status(exchange, 200);
  return { exchanges: [exchange], mismatches };
}

/** Nothing where the answer shows one of these updates, and nothing of any other one. */
function unlikeAny(exchange: Exchange, candidates: readonly Marked[]): Mismatch[] {
  const found = candidates.map((candidate) => [...comesBack(candidate.body, exchange), ...stale(exchange, candidate)]);
  return found.some((mismatches) => mismatches.length === 0) ? [] : (found.at(-1) ?? []);
}

function stale(exchange: Exchange, { mark, body }: Marked): Mismatch[] {
  const { metadata, spec } = (exchange.answer.json ?? {}) as { metadata?: unknown; spec?: { enabled?: unknown } };
  const others = marksIn([metadata, spec]).filter((each) => each !== mark);
  const [expected, actual] = ['nothing of another update', `marks of others: ${others.join(', ')}`];
  const isDisabled = spec?.enabled === false && body.spec['enabled'] !== false;
  return [
    ...(others.length === 0 ? [] : [{ expected, actual, exchange }]),
    ...(isDisabled ? [{ expected: 'enabled, for that was left out', actual: 'enabled: false', exchange }] : []),
  ];
}
