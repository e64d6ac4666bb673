/** agents.update.defaults: what holds where an update leaves it out, whatever held before. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { canBeJudged, closed, isClosed, opened, publish, publishableAgent, withdraw } from '../kit/auth/publication.ts';
import { eventually, consecutively, isSuccessful } from '../target/eventually.ts';
import { agentParts } from '../kit/generators/agent-body.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { queryAgent, servingAgentToChange } from '../kit/provision/agents.ts';
import type { Exchange } from '../target/client.ts';
import { leavingPlain, needAccepted, put } from '../kit/agents/subject.ts';
import type { Spec, Subject } from '../kit/agents/subject.ts';
import { takenBy, withoutRevisions } from './taken.ts';
import { mayLeaveOut, putWithoutRuntime } from '../kit/agents/without-runtime.ts';

const RUNS = 25;

interface Trigger {
  readonly type: string;
  readonly enabled?: unknown;
}

export async function checkDefaults(run: Run, subject: Subject): Promise<void> {
  const taken = withoutRevisions(await takenBy(run, subject));
  const opposite = { enabled: false, ...(taken.mayBePublic && subject.generation === 'mk3' && { public: true }) };
  const all = ['http', 'http-async', 'cron'].map((type) => triggerOf(type));
  await run.forAll(
    { parts: agentParts(taken) },
    async ({ parts: { spec: drawn } }) => {
      const { enabled: _enabled, public: _public, ...spec } = drawn;
      const triggers = triggersOf(spec).map((trigger) => ({ ...trigger, enabled: false }));
      await needAccepted(run, subject, { ...spec, ...opposite, triggers }, 'an agent that is not enabled');
      const exchange = await put(run, subject, spec);
      run.need(isSuccessful(exchange), 'an agent that takes valid updates');
      return [...topLevel(exchange), ...inTriggers(spec, exchange)];
    },
    {
      runs: Math.min(run.runs, RUNS),
      examples: [
        { parts: { metadata: {}, spec: {} } },
        { parts: { metadata: {}, spec: { triggers: all } } },
        { parts: { metadata: {}, spec: { triggers: [{ ...all[0], enabled: false }, all[1], all[2]] } } },
      ],
    },
  );
  if (await mayLeaveOut(run, subject)) run.check(await enabledWithoutRuntime(run, subject));
}

async function enabledWithoutRuntime(run: Run, subject: Subject): Promise<Mismatch[]> {
  await needAccepted(run, subject, { enabled: false }, 'an agent that is not enabled');
  const exchange = await putWithoutRuntime(run, subject, {});
  return isSuccessful(exchange) ? topLevel(exchange) : [];
}

function triggerOf(type: string): object {
  if (type === 'cron') return { type, configuration: { schedule: '0 9 * * 1' } };
  return { type, configuration: { path: `/assay/${type}` } };
}

const triggersOf = ({ triggers }: Spec): readonly Trigger[] =>
  Array.isArray(triggers) ? (triggers as readonly Trigger[]) : [];

const specIn = ({ answer: { json } }: Exchange): Spec => (json as { spec?: Spec } | null | undefined)?.spec ?? {};

function topLevel(exchange: Exchange): Mismatch[] {
  const standard = { enabled: true, public: false };
  return Object.entries(standard)
    .map(([name, value]) => ({ name, value, shown: specIn(exchange)[name] }))
    .filter(({ value, shown }) => shown !== undefined && shown !== value)
    .map(({ name, value, shown }) => ({
      expected: `spec.${name}: ${value} or absent, for it was left out`,
      actual: `spec.${name}: ${JSON.stringify(shown)}`,
      exchange,
    }));
}

/** Counted by type: what else identifies a trigger may be the server's. */
function inTriggers(sent: Spec, exchange: Exchange): Mismatch[] {
  const shown = triggersOf(specIn(exchange));
  return ['http', 'http-async', 'cron'].flatMap((type) => {
    const disabled = triggersOf(sent).filter((trigger) => trigger.type === type && trigger.enabled === false).length;
    const notEnabled = shown.filter(
      (trigger) => trigger.type === type && ![undefined, true].includes(trigger.enabled as undefined),
    );
    if (notEnabled.length === disabled) return [];
    const expected = `${disabled} triggers of type ${type} that are not enabled`;
    return [{ expected, actual: `${notEnabled.length} of them`, exchange }];
  });
}

/** Where there is an agent that answers: enabled by default means that it serves. */
export async function checkServesByDefault(run: Run): Promise<void> {
  const name = await undefinedIfNotTried(servingAgentToChange(run));
  if (name === undefined) return;
  const subject: Subject = { name, generation: 'mk2' };
  await leavingPlain(run, subject, () => servesByDefault(run, subject));
}

async function servesByDefault(run: Run, subject: Subject): Promise<void> {
  const ask = () => queryAgent(run, subject.name);
  await needAccepted(run, subject, { enabled: false }, 'an agent that is not enabled');
  // What was deployed before would answer still; one that never rests is for agents.enabled.false-does-not-serve.
  const resting = await eventually(consecutively(ask, isNotServed), isNotServed, run.patienceSeconds);
  if (!isNotServed(resting)) return;
  const update = await put(run, subject);
  if (!isSuccessful(update)) return;
  const exchange = await eventually(ask, isSuccessful, run.patienceSeconds);
  if (isSuccessful(exchange)) return run.check([]);
  // One that needs more than to be enabled says nothing of the default.
  await put(run, subject, { enabled: true });
  if (!isSuccessful(await eventually(ask, isSuccessful, run.patienceSeconds))) return;
  const expected = 'an agent that serves, for enabled was left out';
  run.check([{ expected, actual: `status ${exchange.answer.status}`, exchange, before: [update] }]);
}

const isNotServed = (exchange: Exchange): boolean => !isSuccessful(exchange);

/** Where an agent opens when it is made public: not public by default means that it closes. */
export async function checkClosesByDefault(run: Run): Promise<void> {
  const agent = await undefinedIfNotTried(publishableAgent(run, 'mk3'));
  if (agent === undefined) return;
  const { public: _public, ...spec } = agent.spec;
  try {
    await publish(run, agent, true);
    if (!isSuccessful(await opened(run, agent))) return;
    const update = await put(run, { name: agent.name, generation: 'mk3' }, spec);
    if (!isSuccessful(update)) return;
    const exchange = await closed(run, agent);
    if (!(await canBeJudged(run, agent, exchange))) return;
    run.check(isClosed(exchange, 'once public is left out').map((found) => ({ ...found, before: [update] })));
  } finally {
    await withdraw(run, agent);
  }
}
