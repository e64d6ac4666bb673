/** agents.enabled.*: a disabled agent does not serve. */
import { headerNames } from '../../spec/brand.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { waitUntilPublic, publishableAgent, unpublish } from '../kit/auth/publication.ts';
import type { Publishable } from '../kit/auth/publication.ts';
import { refusedUpdates, secondsToShow } from '../kit/auth/refused-updates.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { agentToChange, servingAgentToChange } from '../kit/provision/agents.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { brandClients } from '../kit/provision/caller-variants.ts';
import type { Client, Exchange } from '../target/client.ts';
import { bodyOf, restoreAfter, needAccepted, put } from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { mayOmitRuntime, putWithoutRuntime } from '../kit/agents/without-runtime.ts';

conforms('agents.enabled.false-does-not-serve', async (run) => {
  const mk2 = await servingAgentToChange(run);
  const exists = (await undefinedIfNotTried(agentToChange(run, 'mk3'))) !== undefined;
  const mk3 = exists ? await undefinedIfNotTried(publishableAgent(run, 'mk3')) : undefined;
  // In parallel, since each waits for deployments; and both to their end.
  const ends = await Promise.allSettled([
    // Twice, since the second time may behave differently.
    checkEnabled(run, 'mk2', mk2, [{ minScale: 0 }, { minScale: 1 }]),
    ...(mk3 === undefined ? [] : [checkPublic(run, mk3)]),
  ]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
});

async function checkPublic(run: Run, agent: Publishable): Promise<void> {
  try {
    await checkEnabled(run, 'mk3', agent.name, [{ minScale: 1 }]);
  } finally {
    await unpublish(run, agent);
  }
}

/** Disables and enables the agent once with each runtime; public if possible. */
async function checkEnabled(
  run: Run,
  generation: TestAgent['generation'],
  name: string,
  runtimes: readonly object[],
): Promise<void> {
  const testAgent: TestAgent = { name, generation };
  await restoreAfter(run, testAgent, async () => {
    const mayBePublic = generation === 'mk3' && isSuccessful(await put(run, testAgent, { public: true }));
    const common: Spec = {
      ...(mayBePublic && { public: true }),
      triggers: [{ id: 'assay', type: 'http', configuration: { path: '/assay' } }],
    };
    const queries = await acceptedQueries(run, testAgent, common);
    for (const runtime of runtimes) {
      await needAccepted(run, testAgent, { ...common, enabled: false, runtime }, 'a disabling update');
      const since = performance.now();
      run.check(servedMismatches(await eventually(() => firstServed(queries), isNotServed, run.patienceSeconds)));
      const updateSeconds = (performance.now() - since) / 1000;
      const isFirst = runtime === runtimes[0];
      if (isFirst)
        run.check(
          await remainsDisabled(run, testAgent, { ...common, enabled: true, runtime }, { queries, updateSeconds }),
        );
      await needAccepted(run, testAgent, { ...common, enabled: true, runtime }, 'an enabling update');
      run.check(
        notServedMismatches(await eventually(() => queryAgent(run, name), isSuccessful, run.patienceSeconds), 'again'),
      );
      if (isFirst)
        run.check(await remainsEnabled(run, testAgent, { ...common, enabled: false, runtime }, updateSeconds));
    }
    if (await mayOmitRuntime(run, testAgent)) run.check(await disabledWithoutRuntime(run, testAgent, common, queries));
  });
}

type SendQuery = () => Promise<Exchange>;

interface DisabledAgent {
  readonly queries: readonly SendQuery[];
  /** How long the last update took to have an effect. */
  readonly updateSeconds: number;
}

/** Refused updates must not enable the agent within twice the time that an accepted one took. */
async function remainsDisabled(
  run: Run,
  testAgent: TestAgent,
  spec: Spec,
  { queries, updateSeconds }: DisabledAgent,
): Promise<Mismatch[]> {
  const before = await refusedUpdates(run, testAgent.name, bodyOf(testAgent, spec).spec);
  if (before.length === 0) return [];
  await eventually(() => firstServed(queries), isSuccessful, secondsToShow(run, updateSeconds));
  // An old revision may respond once more.
  const exchange = await eventually(() => firstServed(queries), isNotServed, run.patienceSeconds);
  return servedMismatches(exchange).map((found) => ({ ...found, before }));
}

/** An accepted update without `runtime` disables the agent. Leaves it enabled. */
async function disabledWithoutRuntime(
  run: Run,
  testAgent: TestAgent,
  common: Spec,
  queries: readonly SendQuery[],
): Promise<Mismatch[]> {
  const update = await putWithoutRuntime(run, testAgent, { ...common, enabled: false });
  if (!isSuccessful(update)) return [];
  const exchange = await eventually(() => firstServed(queries), isNotServed, run.patienceSeconds);
  await needAccepted(run, testAgent, { ...common, enabled: true }, 'an enabling update');
  await eventually(() => queryAgent(run, testAgent.name), isSuccessful, run.patienceSeconds);
  return servedMismatches(exchange).map((found) => ({ ...found, before: [update] }));
}

/** Refused updates must not disable the agent. */
async function remainsEnabled(run: Run, testAgent: TestAgent, spec: Spec, updateSeconds: number): Promise<Mismatch[]> {
  const before = await refusedUpdates(run, testAgent.name, bodyOf(testAgent, spec).spec);
  if (before.length === 0) return [];
  await eventually(() => queryAgent(run, testAgent.name), isNotServed, secondsToShow(run, updateSeconds));
  const exchange = await eventually(() => queryAgent(run, testAgent.name), isSuccessful, run.patienceSeconds);
  return notServedMismatches(exchange, 'still').map((found) => ({ ...found, before }));
}

function queryAgent(run: Run, agent: string, client: Client = run.client, headers = {}): Promise<Exchange> {
  return client.call('queryAgent', { path: { agent }, body: { inputs: 'hello' }, headers });
}

const CALLERS = ['apiKey', 'workspaceAdmin', 'member'] as const;

/** The queries that are accepted while the agent is enabled. */
async function acceptedQueries(run: Run, { name, generation }: TestAgent, spec: Spec): Promise<SendQuery[]> {
  const { credentials, brand } = run.target;
  const thread = { [headerNames(brand).threadId]: run.newName() };
  await needAccepted(run, { name, generation }, { ...spec, enabled: true }, 'an enabling update');
  await eventually(() => queryAgent(run, name), isSuccessful, run.patienceSeconds);
  if (spec['public'] === true) await waitUntilPublic(run, { name, spec });
  const queries: SendQuery[] = [
    () => queryAgent(run, name, run.client, thread),
    ...CALLERS.filter((caller) => credentials[caller] !== undefined).map(
      (caller) => () => queryAgent(run, name, run.as(caller)),
    ),
    ...brandClients(run).map((client) => () => queryAgent(run, name, client)),
    () => queryAgent(run, name, run.as('none')),
    () =>
      run.client.call('queryAgentTrigger', {
        path: { agent: name, triggerPath: 'assay' },
        body: { inputs: 'hello' },
      }),
  ];
  const accepted: SendQuery[] = [() => queryAgent(run, name)];
  for (const query of queries) if (isSuccessful(await query())) accepted.push(query);
  return accepted;
}

/** Consecutive calls, rotating the queries, to detect an agent that serves intermittently. */
const CALL_COUNT = 24;

/** The first successful response, otherwise the last one. */
async function firstServed(queries: readonly SendQuery[]): Promise<Exchange> {
  let exchange = await queries[0]!();
  for (let call = 1; call < CALL_COUNT && isNotServed(exchange); call += 1)
    exchange = await queries[call % queries.length]!();
  return exchange;
}

const isNotServed = (exchange: Exchange): boolean => !isSuccessful(exchange);

function servedMismatches(exchange: Exchange): Mismatch[] {
  if (isNotServed(exchange)) return [];
  return [{ expected: 'no success, because enabled is false', actual: `status ${exchange.response.status}`, exchange }];
}

function notServedMismatches(exchange: Exchange, since: 'again' | 'still'): Mismatch[] {
  if (isSuccessful(exchange)) return [];
  const expected = `an agent that serves, because enabled is true ${since}`;
  return [{ expected, actual: `status ${exchange.response.status}`, exchange }];
}
