/** agents.update.defaults: an omitted field gets its default, whatever its previous value. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import {
  canBeJudged,
  waitUntilPrivate,
  notPrivateMismatches,
  waitUntilPublic,
  publish,
  publishableAgent,
  unpublish,
} from '../kit/auth/publication.ts';
import { eventually, consecutively, isSuccessful } from '../target/eventually.ts';
import { agentParts, triggerTypes } from '../kit/generators/agent-body.ts';
import type { TriggerType } from '../kit/generators/agent-body.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { sampleSchedule } from '../kit/provision/samples.ts';
import { queryAgent, servingAgentToChange } from '../kit/provision/agents.ts';
import type { Exchange } from '../target/client.ts';
import { restoreAfter, needAccepted, put } from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { acceptedFields, withoutRevisions } from './accepted-fields.ts';
import { mayOmitRuntime, putWithoutRuntime } from '../kit/agents/without-runtime.ts';

const RUNS = 25;

interface Trigger {
  readonly type: string;
  readonly enabled?: unknown;
}

export async function checkDefaults(run: Run, testAgent: TestAgent): Promise<void> {
  const accepted = withoutRevisions(await acceptedFields(run, testAgent));
  const opposite = { enabled: false, ...(accepted.mayBePublic && testAgent.generation === 'mk3' && { public: true }) };
  const all = (accepted.amounts?.types ?? triggerTypes).map((type) => triggerOf(run, type));
  await run.forAll(
    { parts: agentParts(accepted) },
    async ({ parts: { spec: generated } }) => {
      const { enabled: _enabled, public: _public, ...spec } = generated;
      const triggers = triggersOf(spec).map((trigger) => ({ ...trigger, enabled: false }));
      await needAccepted(run, testAgent, { ...spec, ...opposite, triggers }, 'a disabled agent');
      const exchange = await put(run, testAgent, spec);
      run.need(isSuccessful(exchange), 'an agent that accepts valid updates');
      return [...topLevelMismatches(exchange), ...triggerMismatches(spec, exchange)];
    },
    {
      runs: Math.min(run.runs, RUNS),
      examples: [
        { parts: { metadata: {}, spec: {} } },
        { parts: { metadata: {}, spec: { triggers: all } } },
        {
          parts: {
            metadata: {},
            spec: { triggers: all.map((each, at) => (at === 0 ? { ...each, enabled: false } : each)) },
          },
        },
      ],
    },
  );
  if (await mayOmitRuntime(run, testAgent)) run.check(await enabledWithoutRuntime(run, testAgent));
}

async function enabledWithoutRuntime(run: Run, testAgent: TestAgent): Promise<Mismatch[]> {
  await needAccepted(run, testAgent, { enabled: false }, 'a disabled agent');
  const exchange = await putWithoutRuntime(run, testAgent, {});
  return isSuccessful(exchange) ? topLevelMismatches(exchange) : [];
}

function triggerOf(run: Run, type: TriggerType): object {
  if (type === 'cron') return { type, configuration: { schedule: sampleSchedule(run) } };
  return { type, configuration: { path: `/assay/${type}` } };
}

const triggersOf = ({ triggers }: Spec): readonly Trigger[] =>
  Array.isArray(triggers) ? (triggers as readonly Trigger[]) : [];

const specIn = ({ response: { json } }: Exchange): Spec => (json as { spec?: Spec } | null | undefined)?.spec ?? {};

function topLevelMismatches(exchange: Exchange): Mismatch[] {
  const defaults = { enabled: true, public: false };
  return Object.entries(defaults)
    .map(([name, value]) => ({ name, value, returned: specIn(exchange)[name] }))
    .filter(({ value, returned }) => returned !== undefined && returned !== value)
    .map(({ name, value, returned }) => ({
      expected: `spec.${name}: ${value} or absent, because it was omitted`,
      actual: `spec.${name}: ${JSON.stringify(returned)}`,
      exchange,
    }));
}

/** Counts by type, since the server may assign the ids. */
function triggerMismatches(sent: Spec, exchange: Exchange): Mismatch[] {
  const returned = triggersOf(specIn(exchange));
  return triggerTypes.flatMap((type) => {
    const disabled = triggersOf(sent).filter((trigger) => trigger.type === type && trigger.enabled === false).length;
    const notEnabled = returned.filter(
      (trigger) => trigger.type === type && ![undefined, true].includes(trigger.enabled as undefined),
    );
    if (notEnabled.length === disabled) return [];
    const expected = `${disabled} disabled triggers of type ${type}`;
    return [{ expected, actual: `${notEnabled.length} of them`, exchange }];
  });
}

/** Skipped without an agent that serves. Enabled by default means that the agent serves. */
export async function checkServesByDefault(run: Run): Promise<void> {
  const name = await undefinedIfNotTried(servingAgentToChange(run));
  if (name === undefined) return;
  const testAgent: TestAgent = { name, generation: 'mk2' };
  await restoreAfter(run, testAgent, () => servesByDefault(run, testAgent));
}

async function servesByDefault(run: Run, testAgent: TestAgent): Promise<void> {
  const sendQuery = () => queryAgent(run, testAgent.name);
  await needAccepted(run, testAgent, { enabled: false }, 'a disabled agent');
  // An older deployment may still serve. agents.enabled.false-does-not-serve checks that it stops.
  const settled = await eventually(consecutively(sendQuery, isNotServed), isNotServed, run.patienceSeconds);
  if (!isNotServed(settled)) return;
  const update = await put(run, testAgent);
  if (!isSuccessful(update)) return;
  const exchange = await eventually(sendQuery, isSuccessful, run.patienceSeconds);
  if (isSuccessful(exchange)) return run.check([]);
  // If the agent needs more than `enabled`, the default cannot be checked.
  await put(run, testAgent, { enabled: true });
  if (!isSuccessful(await eventually(sendQuery, isSuccessful, run.patienceSeconds))) return;
  const expected = 'an agent that serves, because enabled was omitted';
  run.check([{ expected, actual: `status ${exchange.response.status}`, exchange, before: [update] }]);
}

const isNotServed = (exchange: Exchange): boolean => !isSuccessful(exchange);

/** Skipped without an agent that can be made public. Not public by default means that the agent closes. */
export async function checkClosesByDefault(run: Run): Promise<void> {
  const agent = await undefinedIfNotTried(publishableAgent(run, 'mk3'));
  if (agent === undefined) return;
  const { public: _public, ...spec } = agent.spec;
  try {
    await publish(run, agent, true);
    if (!isSuccessful(await waitUntilPublic(run, agent))) return;
    const update = await put(run, { name: agent.name, generation: 'mk3' }, spec);
    if (!isSuccessful(update)) return;
    const exchange = await waitUntilPrivate(run, agent);
    if (!(await canBeJudged(run, agent, exchange))) return;
    run.check(
      notPrivateMismatches(exchange, 'once public is omitted').map((found) => ({ ...found, before: [update] })),
    );
  } finally {
    await unpublish(run, agent);
  }
}
