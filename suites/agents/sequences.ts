/** agents.update.any-sequence-follows-the-model: sequential and concurrent updates of one and of two agents. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { status, statusClass } from '../expect/status.ts';
import { agentToChange, creationExchanges } from '../kit/provision/agents.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { forAllSequences } from '../engine/sequence.ts';
import type { InitialState, StepResult } from '../engine/sequence.ts';
import type { Exchange } from '../target/client.ts';
import { withAcceptedValues } from '../kit/agents/accepted-values.ts';
import { consistentRoundTripMismatches } from '../kit/agents/round-trip.ts';
import { makeInvalid, markedParts, markedUpdate, findMarks, mustBeRefused, parts } from './marked-update.ts';
import type { Marked, Part } from './marked-update.ts';
import { examplesFor, stepFor } from './sequence-steps.ts';
import type { Step, StepOf } from './sequence-steps.ts';
import {
  bodyOf,
  isReadable,
  kindOf,
  putValid,
  sendUpdate,
  readUntilUpdated,
  withTestAgent,
} from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { sharedValues } from '../engine/shared-values.ts';
import { attachableVolumes, specWithVolumes } from './volumes.ts';
import type { Volumes } from './volumes.ts';

/** An agent and the accepted updates it may correspond to: several after concurrent updates. */
interface ModelledAgent {
  readonly testAgent: TestAgent;
  candidates: readonly Marked[];
  /** Whether it was read after the last step. */
  isRead: boolean;
}

interface Session {
  readonly run: Run;
  readonly readable: boolean;
  /** Volumes that the first agent accepts, if any. A volume can be attached to one agent only. */
  readonly volumes: Volumes | undefined;
  /** The parts of an update that every agent accepts. */
  readonly accepted: readonly Part[];
  /** The mark of the last update, over all sequences. */
  mark: number;
  /** Patience of a read. Reduced after the first failure, since every smaller counterexample fails as well. */
  seconds: number;
}

const acceptedParts = sharedValues<readonly Part[]>();

const SECONDS_AFTER_FAILURE = 0.5;

export async function checkSequences(run: Run): Promise<void> {
  await withTestAgent(run, 'mk2', async (first) => {
    if ((await undefinedIfNotTried(agentToChange(run, 'mk3'))) === undefined) return runSequences(run, [first]);
    return withTestAgent(run, 'mk3', (second) => runSequences(run, [first, second]));
  });
}

async function runSequences(run: Run, subjects: readonly [TestAgent, ...TestAgent[]]): Promise<void> {
  let readable = true;
  for (const testAgent of subjects) readable &&= await isReadable(run, testAgent);
  const volumes = await undefinedIfNotTried(attachableVolumes(run, subjects[0]));
  const accepted = await acceptedBy(run, subjects);
  const session: Session = { run, readable, volumes, accepted, mark: 0, seconds: run.patienceSeconds };
  await forAllSequences<Step, ModelledAgent[]>(run, {
    step: stepFor(subjects.length),
    examples: examplesFor(subjects.length),
    start: () => start(session, subjects),
    async runStep(model, step) {
      // An accepted update hides the effects of earlier steps.
      const before = await readBack(session, overwrittenBy(step, model));
      if (before.mismatches.length > 0) return before;
      const { exchanges, mismatches } = await stepHandlers[step.action](session, model, step as never);
      // An update of one agent must not change another.
      for (const each of model) each.isRead = false;
      return { exchanges: [...before.exchanges, ...exchanges], mismatches };
    },
    end: (model) => readBack(session, model),
  });
}

function overwrittenBy(step: Step, model: readonly ModelledAgent[]): readonly ModelledAgent[] {
  if (step.action === 'update wrongly' || step.action === 'update unknown agent') return [];
  return [model[step.action === 'attach' ? 0 : step.agent]!];
}

async function start(session: Session, subjects: readonly TestAgent[]): Promise<InitialState<ModelledAgent[]>> {
  const model: ModelledAgent[] = [];
  const exchanges: Exchange[] = [];
  for (const testAgent of subjects) {
    const { sent, exchange } = await update(session, testAgent, ['displayName']);
    session.run.need(isSuccessful(exchange), 'an agent that accepts a valid update');
    model.push({ testAgent, candidates: [sent], isRead: true });
    exchanges.push(...(await creationExchanges(session.run, testAgent.name)), exchange);
  }
  return { model, exchanges };
}

/** The parts of an update that every agent accepts: a plan may not include triggers, or limit the length of sessions. */
async function acceptedBy(run: Run, subjects: readonly TestAgent[]): Promise<readonly Part[]> {
  const lists: (readonly Part[])[] = [];
  for (const testAgent of subjects)
    lists.push(await acceptedParts.get(run, kindOf(run, testAgent), () => partsAcceptedBy(run, testAgent)));
  return parts.filter((part) => lists.every((list) => list.includes(part)));
}

/** All of them in one update, and one by one only if it is refused. */
async function partsAcceptedBy(run: Run, testAgent: TestAgent): Promise<readonly Part[]> {
  const isAccepted = async (included: readonly Part[], mark: number): Promise<boolean> =>
    isSuccessful((await putValid(run, testAgent, ...markedParts(included, mark))).exchange);
  // A plan may limit the length of sessions, which is the mark. A quick run has few marks.
  const hasManyMarks = (included: readonly Part[]): boolean => included.includes('revision') && !run.isQuick;
  const accepts = async (included: readonly Part[]): Promise<boolean> =>
    (await isAccepted(included, 1)) && (!hasManyMarks(included) || (await isAccepted(included, 1000)));
  if (await accepts(parts)) return parts;
  const accepted: Part[] = [];
  for (const part of parts) if (await accepts([part])) accepted.push(part);
  return accepted;
}

const nextMarked = (session: Session, testAgent: TestAgent, included: readonly Part[]): Marked =>
  markedUpdate(
    session.run,
    testAgent,
    included.filter((part) => session.accepted.includes(part)),
    (session.mark += 1),
  );

async function update(session: Session, testAgent: TestAgent, included: readonly Part[]) {
  const sent = nextMarked(session, testAgent, included);
  return { sent, exchange: await sendUpdate(session.run, testAgent, sent.body) };
}

type StepHandlers = {
  [Action in Step['action']]: (
    session: Session,
    model: readonly ModelledAgent[],
    step: StepOf<Action>,
  ) => Promise<StepResult>;
};

const stepHandlers: StepHandlers = {
  async update(session, model, { agent, included }) {
    const modelled = model[agent]!;
    const { sent, exchange } = await update(session, modelled.testAgent, included);
    modelled.candidates = [sent];
    return acceptedUpdate(session, modelled, exchange, sent);
  },

  async repeat(session, model, { agent }) {
    const modelled = model[agent]!;
    const sent = modelled.candidates.at(-1)!;
    modelled.candidates = [sent];
    return acceptedUpdate(session, modelled, await sendUpdate(session.run, modelled.testAgent, sent.body), sent);
  },

  async attach(session, model) {
    const modelled = model[0]!;
    const { mark, body } = nextMarked(session, modelled.testAgent, parts);
    const sent = { mark, body: { ...body, spec: { ...body.spec, ...markedVolume(session, mark) } } };
    modelled.candidates = [sent];
    return acceptedUpdate(session, modelled, await sendUpdate(session.run, modelled.testAgent, sent.body), sent);
  },

  async empty(session, model, { agent }) {
    const modelled = model[agent]!;
    const lists = { triggers: [], runtime: { envs: [] } };
    const sent = { mark: (session.mark += 1), body: bodyOf(session.run, modelled.testAgent, lists, { labels: {} }) };
    modelled.candidates = [sent];
    return acceptedUpdate(session, modelled, await sendUpdate(session.run, modelled.testAgent, sent.body), sent);
  },

  async 'update wrongly'(session, model, { agent, included, invalidity: fault }) {
    const { testAgent } = model[agent]!;
    if (!mustBeRefused(fault, testAgent)) return { exchanges: [], mismatches: [] };
    const { body } = nextMarked(session, testAgent, included);
    const exchange = await sendUpdate(session.run, testAgent, makeInvalid(body, fault));
    return { exchanges: [exchange], mismatches: status(exchange, 400) };
  },

  async 'update under another name'(session, model, { agent, included }) {
    const modelled = model[agent]!;
    const { run } = session;
    const sent = nextMarked(session, modelled.testAgent, included);
    const body = { ...sent.body, metadata: { ...sent.body.metadata, name: run.newName() } };
    // Not retried on a conflict, which may be about the name.
    const exchange = await run.client.call('updateAgent', { path: { agentName: modelled.testAgent.name }, body });
    if (!isSuccessful(exchange)) return { exchanges: [exchange], mismatches: statusClass(exchange, '4xx') };
    modelled.candidates = [sent];
    return { exchanges: [exchange], mismatches: candidateMismatches(session, modelled, exchange, [sent]) };
  },

  async 'update unknown agent'(session, _model, { included }) {
    const unknownAgent: TestAgent = { name: `${session.run.prefix}none-${session.mark}`, generation: 'mk2' };
    const { exchange } = await update(session, unknownAgent, included);
    return { exchanges: [exchange], mismatches: status(exchange, 404) };
  },

  async 'update at once'(session, model, { agent, each }) {
    const modelled = model[agent]!;
    const all = await Promise.all(each.map((included) => update(session, modelled.testAgent, included)));
    const result = all.filter(({ exchange }) => isSuccessful(exchange));
    if (result.length > 0) modelled.candidates = result.map(({ sent }) => sent);
    // The response to one update may already contain another one.
    const sent = all.map((one) => one.sent);
    const mismatches = result.flatMap(({ exchange }) => candidateMismatches(session, modelled, exchange, sent));
    return { exchanges: [all.map(({ exchange }) => exchange)], mismatches };
  },
};

/** The mount path contains the mark, unless the target accepts only others. */
function markedVolume({ run, volumes }: Session, mark: number): Spec {
  if (volumes === undefined) return {};
  const { region, volumes: attached } = specWithVolumes(volumes);
  const [first] = attached.map((volume) => ({ ...volume, mountPath: `/mnt/assay-m${mark}-x` }));
  return withAcceptedValues(run, { region, volumes: [first] });
}

/** Reads the agents that were not read after the last step, if the target has the inferred read. */
async function readBack(session: Session, model: readonly ModelledAgent[]): Promise<StepResult> {
  const exchanges: Exchange[] = [];
  for (const each of session.readable ? model.filter(({ isRead }) => !isRead) : []) {
    const { testAgent, candidates } = each;
    each.isRead = true;
    const differences = (exchange: Exchange) => candidateMismatches(session, each, exchange, candidates);
    const matchesModel = (exchange: Exchange): boolean => differences(exchange).length === 0;
    const exchange = await readUntilUpdated(
      session.run,
      testAgent,
      candidates.at(-1)!.body,
      matchesModel,
      session.seconds,
    );
    exchanges.push(exchange);
    if (matchesModel(exchange)) continue;
    session.seconds = Math.min(session.seconds, SECONDS_AFTER_FAILURE);
    return { exchanges, mismatches: differences(exchange) };
  }
  return { exchanges, mismatches: [] };
}

function acceptedUpdate(session: Session, modelled: ModelledAgent, exchange: Exchange, sent: Marked): StepResult {
  const isAccepted = exchange.response.status === 200;
  const mismatches = isAccepted ? candidateMismatches(session, modelled, exchange, [sent]) : status(exchange, 200);
  return { exchanges: [exchange], mismatches };
}

/** Empty if the response contains exactly one of these updates. */
function candidateMismatches(
  { run }: Session,
  { testAgent }: Pick<ModelledAgent, 'testAgent'>,
  exchange: Exchange,
  candidates: readonly Marked[],
): Mismatch[] {
  // A read need not contain what the response of an update contains.
  const source = `${kindOf(run, testAgent)}${exchange.request.method === 'GET' ? ', read' : ''}`;
  const found = candidates.map((candidate) => [
    ...consistentRoundTripMismatches(run, source, candidate.body, exchange),
    ...staleMismatches(exchange, candidate),
  ]);
  return found.some((mismatches) => mismatches.length === 0) ? [] : (found.at(-1) ?? []);
}

function staleMismatches(exchange: Exchange, { mark, body }: Marked): Mismatch[] {
  const { metadata, spec } = (exchange.response.json ?? {}) as { metadata?: object; spec?: { enabled?: unknown } };
  const others = Object.entries({ metadata, spec }).flatMap(([part, members = {}]) =>
    Object.entries(members)
      .filter(([, value]) => findMarks(value).some((each) => each !== mark))
      .map(([name]) => `${part}.${name}`),
  );
  const [expected, actual] = ['only values of this update', `values of other updates in ${others.join(', ')}`];
  const isDisabled = spec?.enabled === false && body.spec['enabled'] !== false;
  return [
    ...(others.length === 0 ? [] : [{ expected, actual, exchange }]),
    ...(isDisabled ? [{ expected: 'enabled, because it was omitted', actual: 'enabled: false', exchange }] : []),
  ];
}
