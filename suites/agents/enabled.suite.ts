/** agents.enabled.*: an agent that is not enabled does not serve. */
import { headerNames } from '../../spec/brand.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { opened, publishableAgent, withdraw } from '../kit/auth/publication.ts';
import type { Publishable } from '../kit/auth/publication.ts';
import { refusedUpdates, secondsToShow } from '../kit/auth/refused-updates.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { agentToChange, servingAgentToChange } from '../kit/provision/agents.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { brandClients } from '../kit/provision/caller-variants.ts';
import type { Client, Exchange } from '../target/client.ts';
import { bodyOf, leavingPlain, needAccepted, put } from '../kit/agents/subject.ts';
import type { Spec, Subject } from '../kit/agents/subject.ts';
import { mayLeaveOut, putWithoutRuntime } from '../kit/agents/without-runtime.ts';

conforms('agents.enabled.false-does-not-serve', async (run) => {
  const mk2 = await servingAgentToChange(run);
  const isThere = (await undefinedIfNotTried(agentToChange(run, 'mk3'))) !== undefined;
  const mk3 = isThere ? await undefinedIfNotTried(publishableAgent(run, 'mk3')) : undefined;
  // Beside each other, since each waits for deployments; and both to their end.
  const ends = await Promise.allSettled([
    // Twice: the second time may be another matter.
    checkEnabled(run, 'mk2', mk2, [{ minScale: 0 }, { minScale: 1 }]),
    ...(mk3 === undefined ? [] : [checkPublic(run, mk3)]),
  ]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
});

async function checkPublic(run: Run, agent: Publishable): Promise<void> {
  try {
    await checkEnabled(run, 'mk3', agent.name, [{ minScale: 1 }]);
  } finally {
    await withdraw(run, agent);
  }
}

/** Off and on, once with each runtime; public where the agent may be. */
async function checkEnabled(
  run: Run,
  generation: Subject['generation'],
  name: string,
  runtimes: readonly object[],
): Promise<void> {
  const subject: Subject = { name, generation };
  await leavingPlain(run, subject, async () => {
    const mayBePublic = generation === 'mk3' && isSuccessful(await put(run, subject, { public: true }));
    const common: Spec = {
      ...(mayBePublic && { public: true }),
      triggers: [{ id: 'assay', type: 'http', configuration: { path: '/assay' } }],
    };
    const ways = await servingWays(run, subject, common);
    for (const runtime of runtimes) {
      await needAccepted(run, subject, { ...common, enabled: false, runtime }, 'to be disabled');
      const since = performance.now();
      run.check(quiet(await eventually(() => firstServed(ways), isNotServed, run.patienceSeconds)));
      const tookSeconds = (performance.now() - since) / 1000;
      const isFirst = runtime === runtimes[0];
      if (isFirst)
        run.check(await staysOff(run, subject, { ...common, enabled: true, runtime }, { ways, tookSeconds }));
      await needAccepted(run, subject, { ...common, enabled: true, runtime }, 'to be enabled');
      run.check(serving(await eventually(() => ask(run, name), isSuccessful, run.patienceSeconds), 'again'));
      if (isFirst) run.check(await staysOn(run, subject, { ...common, enabled: false, runtime }, tookSeconds));
    }
    if (await mayLeaveOut(run, subject)) run.check(await restsWithoutRuntime(run, subject, common, ways));
  });
}

type Way = () => Promise<Exchange>;

interface Off {
  readonly ways: readonly Way[];
  /** How long an update took to show. */
  readonly tookSeconds: number;
}

/** Of updates that would enable it and are refused none does, given twice the time that an accepted one took. */
async function staysOff(run: Run, subject: Subject, spec: Spec, { ways, tookSeconds }: Off): Promise<Mismatch[]> {
  const before = await refusedUpdates(run, subject.name, bodyOf(subject, spec).spec);
  if (before.length === 0) return [];
  await eventually(() => firstServed(ways), isSuccessful, secondsToShow(run, tookSeconds));
  // An old revision may answer once more.
  const exchange = await eventually(() => firstServed(ways), isNotServed, run.patienceSeconds);
  return quiet(exchange).map((found) => ({ ...found, before }));
}

/** Disabled by an update without `runtime`, where that is accepted; left enabled. */
async function restsWithoutRuntime(
  run: Run,
  subject: Subject,
  common: Spec,
  ways: readonly Way[],
): Promise<Mismatch[]> {
  const update = await putWithoutRuntime(run, subject, { ...common, enabled: false });
  if (!isSuccessful(update)) return [];
  const exchange = await eventually(() => firstServed(ways), isNotServed, run.patienceSeconds);
  await needAccepted(run, subject, { ...common, enabled: true }, 'to be enabled');
  await eventually(() => ask(run, subject.name), isSuccessful, run.patienceSeconds);
  return quiet(exchange).map((found) => ({ ...found, before: [update] }));
}

/** Nor does it rest for good because of refused updates that would disable it. */
async function staysOn(run: Run, subject: Subject, spec: Spec, tookSeconds: number): Promise<Mismatch[]> {
  const before = await refusedUpdates(run, subject.name, bodyOf(subject, spec).spec);
  if (before.length === 0) return [];
  await eventually(() => ask(run, subject.name), isNotServed, secondsToShow(run, tookSeconds));
  const exchange = await eventually(() => ask(run, subject.name), isSuccessful, run.patienceSeconds);
  return serving(exchange, 'still').map((found) => ({ ...found, before }));
}

function ask(run: Run, agent: string, client: Client = run.client, headers = {}): Promise<Exchange> {
  return client.call('queryAgent', { path: { agent }, body: { inputs: 'hello' }, headers });
}

const CALLERS = ['apiKey', 'workspaceAdmin', 'member'] as const;

/** The ways of asking that are answered while the agent is enabled. */
async function servingWays(run: Run, { name, generation }: Subject, spec: Spec): Promise<Way[]> {
  const { credentials, brand } = run.target;
  const thread = { [headerNames(brand).threadId]: run.newName() };
  await needAccepted(run, { name, generation }, { ...spec, enabled: true }, 'to be enabled');
  await eventually(() => ask(run, name), isSuccessful, run.patienceSeconds);
  if (spec['public'] === true) await opened(run, { name, spec });
  const ways: Way[] = [
    () => ask(run, name, run.client, thread),
    ...CALLERS.filter((caller) => credentials[caller] !== undefined).map(
      (caller) => () => ask(run, name, run.as(caller)),
    ),
    ...brandClients(run).map((client) => () => ask(run, name, client)),
    () => ask(run, name, run.as('none')),
    () =>
      run.client.call('queryAgentTrigger', {
        path: { agent: name, triggerPath: 'assay' },
        body: { inputs: 'hello' },
      }),
  ];
  const answered: Way[] = [() => ask(run, name)];
  for (const way of ways) if (isSuccessful(await way())) answered.push(way);
  return answered;
}

/** Calls in a row, every way in turn: one that still serves now and then is to be met. */
const CALLS = 24;

/** The first answer that is a success, else the last one. */
async function firstServed(ways: readonly Way[]): Promise<Exchange> {
  let exchange = await ways[0]!();
  for (let call = 1; call < CALLS && isNotServed(exchange); call += 1) exchange = await ways[call % ways.length]!();
  return exchange;
}

const isNotServed = (exchange: Exchange): boolean => !isSuccessful(exchange);

function quiet(exchange: Exchange): Mismatch[] {
  if (isNotServed(exchange)) return [];
  return [{ expected: 'no success, for enabled is false', actual: `status ${exchange.answer.status}`, exchange }];
}

function serving(exchange: Exchange, since: 'again' | 'still'): Mismatch[] {
  if (isSuccessful(exchange)) return [];
  const expected = `an agent that serves, for enabled is true ${since}`;
  return [{ expected, actual: `status ${exchange.answer.status}`, exchange }];
}
