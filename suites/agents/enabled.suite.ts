/** agents.enabled.*: a disabled agent does not serve. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { waitUntilPublic, publishableAgent, unpublish } from '../kit/auth/publication.ts';
import type { Publishable } from '../kit/auth/publication.ts';
import { refusedUpdates, waitForEffect } from '../kit/auth/refused-updates.ts';
import { sharedValues } from '../engine/shared-values.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { agentToChange, servingAgentToChange } from '../kit/provision/agents.ts';
import type { Generation } from '../kit/provision/agents.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { servesAgain } from '../kit/provision/late-updates.ts';
import { createQueues } from '../target/queues.ts';
import { inNewThread } from '../kit/new-thread.ts';
import { brandClients } from '../kit/provision/caller-variants.ts';
import type { Client, Exchange } from '../target/client.ts';
import { bodyOf, kindOf, restoreAfter, needAccepted, needExists, put, putValid } from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { mayOmitRuntime, putWithoutRuntime } from '../kit/agents/without-runtime.ts';

/** How an agent is disabled and enabled again. */
interface Check {
  readonly agent: Generation;
  /** The runtime of every update. If it is omitted, updates have no runtime. */
  readonly runtime?: object;
  /** How often. The second time may behave differently. */
  readonly times?: number;
  /** Whether updates in between are refused, the first time. */
  readonly isRefused?: boolean;
}

const checks: readonly Check[] = [
  { agent: 'mk2', runtime: { minScale: 0 } },
  { agent: 'mk3', runtime: { minScale: 1 }, isRefused: true },
  { agent: 'mk2', runtime: { minScale: 1 }, times: 2, isRefused: true },
  { agent: 'mk2' },
];

conforms('agents.enabled.false-does-not-serve', async (run) => {
  // At the same time, because each may wait until an agent serves.
  const [mk3] = await Promise.all([publishableMk3(run), undefinedIfNotTried(servingAgentToChange(run))]);
  const tested = checks.filter(({ agent }) => agent === 'mk2' || mk3 !== undefined);
  const inTurn = createQueues();
  let isCertain = false;
  const check = async (each: Check): Promise<Mismatch[]> => {
    if (isCertain) return [];
    const found = await (each.agent === 'mk2' ? checkServing(run, each) : checkPublic(run, mk3!, each));
    isCertain ||= found.length > 0;
    return found;
  };
  // Of both agents at the same time, because each waits for deployments.
  await run.forEach(tested, (each) => inTurn(each.agent, () => check(each)), { concurrency: 2 });
});

async function publishableMk3(run: Run): Promise<Publishable | undefined> {
  const exists = (await undefinedIfNotTried(agentToChange(run, 'mk3'))) !== undefined;
  return exists ? undefinedIfNotTried(publishableAgent(run, 'mk3')) : undefined;
}

const checkServing = async (run: Run, check: Check): Promise<Mismatch[]> =>
  checkEnabled(run, { name: await servingAgentToChange(run), generation: 'mk2' }, check);

async function checkPublic(run: Run, agent: Publishable, check: Check): Promise<Mismatch[]> {
  try {
    return await checkEnabled(run, { name: agent.name, generation: 'mk3' }, check);
  } finally {
    await unpublish(run, agent);
  }
}

/** Disables and enables the agent; public if possible. */
async function checkEnabled(run: Run, testAgent: TestAgent, check: Check): Promise<Mismatch[]> {
  if (check.runtime === undefined && !(await mayOmitRuntime(run, testAgent))) return [];
  let found: Mismatch[] = [];
  await restoreAfter(run, testAgent, async () => {
    const mayBePublic = testAgent.generation === 'mk3' && isSuccessful(await put(run, testAgent, { public: true }));
    const common = await enabledSpec(run, testAgent, mayBePublic ? { public: true } : {});
    const queries = await acceptedQueries(run, testAgent, common);
    for (let time = 0; time < (check.times ?? 1) && found.length === 0; time += 1)
      found =
        check.runtime === undefined
          ? await disabledWithoutRuntime(run, testAgent, common, queries)
          : await disabledAndEnabled(
              run,
              testAgent,
              { ...common, runtime: check.runtime },
              { queries, callCount: time === 0 && !run.isQuick ? CALL_COUNT : queries.length },
              check.isRefused === true && time === 0,
            );
  });
  return found;
}

/** Enables the agent; without a trigger if the target refuses it. Returns the spec that was accepted. */
async function enabledSpec(run: Run, testAgent: TestAgent, spec: Spec): Promise<Spec> {
  const triggered = { ...spec, triggers: [{ id: 'assay', type: 'http', configuration: { path: '/assay' } }] };
  if (isSuccessful((await putValid(run, testAgent, { ...triggered, enabled: true })).exchange)) return triggered;
  await needAccepted(run, testAgent, { ...spec, enabled: true }, 'an enabling update');
  return spec;
}

async function disabledAndEnabled(
  run: Run,
  testAgent: TestAgent,
  spec: Spec,
  { queries, callCount }: Calls,
  isRefused: boolean,
): Promise<Mismatch[]> {
  const disabled = await needDisabled(run, testAgent, { ...spec, enabled: false });
  const since = performance.now();
  const stopped = await eventually(() => firstServed(queries, callCount), isNotServed, run.patienceSeconds);
  if (!isNotServed(stopped)) return servedMismatches(stopped);
  const updateSeconds = (performance.now() - since) / 1000;
  const enabled = { ...disabled, enabled: true };
  const served = isRefused ? await remainsDisabled(run, testAgent, enabled, { queries, updateSeconds }) : [];
  if (served.length > 0) return served;
  await needAccepted(run, testAgent, enabled, 'an enabling update');
  const again = await eventually(() => queryAgent(run, testAgent.name), isSuccessful, run.patienceSeconds);
  if (!isSuccessful(again)) return notServedMismatches(run, testAgent, again, 'again');
  await servesAgain(run, testAgent.name);
  return isRefused ? remainsEnabled(run, testAgent, disabled, updateSeconds) : [];
}

/** Disables the agent; without warm instances if the target refuses these. Returns the spec that was accepted. */
async function needDisabled(run: Run, testAgent: TestAgent, disabled: Spec): Promise<Spec> {
  if (isSuccessful((await putValid(run, testAgent, disabled)).exchange)) return disabled;
  // A plan may have none, and a disabled agent may need none.
  const withoutWarm = { ...disabled, runtime: {} };
  await needAccepted(run, testAgent, withoutWarm, 'a disabling update');
  return withoutWarm;
}

type SendQuery = () => Promise<Exchange>;

/** Queries that are sent in turn, so many in total. */
interface Calls {
  readonly queries: readonly SendQuery[];
  readonly callCount: number;
}

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
  const before = await refusedUpdates(run, testAgent.name, bodyOf(run, testAgent, spec).spec);
  if (before.length === 0) return [];
  await waitForEffect(run, updateSeconds);
  // An old revision may respond once more. A quick run sends one query: an enabled agent would respond to each of them.
  const each = () => firstServed(queries, run.isQuick ? 1 : queries.length);
  const exchange = await eventually(each, isNotServed, run.patienceSeconds);
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
  const before = await refusedUpdates(run, testAgent.name, bodyOf(run, testAgent, spec).spec);
  if (before.length === 0) return [];
  await waitForEffect(run, updateSeconds);
  const exchange = await eventually(() => queryAgent(run, testAgent.name), isSuccessful, run.patienceSeconds);
  const found = await notServedMismatches(run, testAgent, exchange, 'still');
  return found.map((each) => ({ ...each, before }));
}

function queryAgent(run: Run, agent: string, client: Client = run.client, headers = {}): Promise<Exchange> {
  return client.call('queryAgent', { path: { agent }, body: { inputs: 'hello' }, headers });
}

/** Of the queries of an agent, which are accepted while it is enabled. */
const acceptedPlaces = sharedValues<readonly boolean[]>();

const CALLERS = ['apiKey', 'workspaceAdmin', 'member'] as const;

/** The queries that are accepted while the agent is enabled. */
async function acceptedQueries(run: Run, { name, generation }: TestAgent, spec: Spec): Promise<SendQuery[]> {
  const { credentials } = run.target;
  const thread = inNewThread(run);
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
  const accepted = await acceptedPlaces.get(run, kindOf(run, { name, generation }), async () => {
    const exchanges = await Promise.all(queries.map((query) => query()));
    return exchanges.map(isSuccessful);
  });
  return [() => queryAgent(run, name), ...queries.filter((_, index) => accepted[index])];
}

/** Calls, rotating the queries, to detect an agent that serves intermittently. Several at once, because most wait for the network. */
const CALL_COUNT = 13;
const CALLS_AT_ONCE = 6;

/** The first successful response, otherwise the last one. */
async function firstServed(queries: readonly SendQuery[], callCount = CALL_COUNT): Promise<Exchange> {
  let exchange = await queries[0]!();
  for (let call = 1; call < callCount && isNotServed(exchange); call += CALLS_AT_ONCE) {
    const count = Math.min(CALLS_AT_ONCE, callCount - call);
    const exchanges = await Promise.all(
      Array.from({ length: count }, (_, index) => queries[(call + index) % queries.length]!()),
    );
    exchange = exchanges.find(isSuccessful) ?? exchanges.at(-1)!;
  }
  return exchange;
}

const isNotServed = (exchange: Exchange): boolean => !isSuccessful(exchange);

function servedMismatches(exchange: Exchange): Mismatch[] {
  if (isNotServed(exchange)) return [];
  return [{ expected: 'no success, because enabled is false', actual: `status ${exchange.response.status}`, exchange }];
}

async function notServedMismatches(
  run: Run,
  { name }: TestAgent,
  exchange: Exchange,
  since: 'again' | 'still',
): Promise<Mismatch[]> {
  if (isSuccessful(exchange)) return [];
  await needExists(run, name);
  const expected = `an agent that serves, because enabled is true ${since}`;
  return [{ expected, actual: `status ${exchange.response.status}`, exchange }];
}
