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
import { agentUpdates, triggerTypes } from '../kit/generators/agent-body.ts';
import type { TriggerType } from '../kit/generators/agent-body.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { sampleSchedule } from '../kit/provision/samples.ts';
import { queryAgent, servingAgentToChange } from '../kit/provision/agents.ts';
import { servesAgain } from '../kit/provision/late-updates.ts';
import type { Exchange } from '../target/client.ts';
import { isOmitted } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { isAcceptedUpdate, specIn as sentSpecIn } from '../kit/agents/seen-update.ts';
import { restoreAfter, needAccepted, put } from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import type { TestAgents } from '../kit/agents/test-agents.ts';
import { eachAcceptedFields, withoutOwnValues } from './accepted-fields.ts';
import { withVolumeNames } from './volumes.ts';
import { mayOmitRuntime, putWithoutRuntime } from '../kit/agents/without-runtime.ts';

interface Trigger {
  readonly type: string;
  readonly enabled?: unknown;
}

export async function checkDefaults(run: Run, agents: TestAgents): Promise<void> {
  const accepted = new Map(
    [...(await eachAcceptedFields(run, agents.all))].map(([generation, each]) => [generation, withoutOwnValues(each)]),
  );
  const examples = agents.generations.map((agent) => {
    const all = (accepted.get(agent)?.amounts?.types ?? triggerTypes).map((type) => triggerOf(run, type));
    const specs = [
      {},
      { triggers: all },
      { triggers: all.map((each, at) => (at === 0 ? { ...each, enabled: false } : each)) },
    ];
    return specs.map((spec) => ({ update: { agent, parts: { metadata: {}, spec } } }));
  });
  await run.forAll(
    { update: agentUpdates(accepted) },
    async ({ update: { agent, parts } }) => {
      const { enabled: _enabled, public: _public, ...spec } = await withVolumeNames(run, parts.spec);
      const triggers = triggersOf(spec).map((trigger) => ({ ...trigger, enabled: false }));
      const opposite = {
        enabled: false,
        ...(accepted.get(agent)?.mayBePublic === true && agent === 'mk3' && { public: true }),
      };
      const testAgent = agents.of(agent);
      await needAccepted(run, testAgent, { ...spec, ...opposite, triggers }, 'a disabled agent');
      const exchange = await put(run, testAgent, spec);
      run.need(isSuccessful(exchange), 'an agent that accepts valid updates');
      return [...topLevelMismatches(exchange), ...triggerMismatches(spec, exchange)];
    },
    {
      examples: (examples[0] ?? []).flatMap((_, at) => examples.map((each) => each[at]!)),
    },
  );
}

/** Empty if the effect of such an update is not known. */
export async function enabledWithoutRuntime(run: Run, { name }: Pick<TestAgent, 'name'>): Promise<Mismatch[]> {
  const testAgent: TestAgent = { name, generation: 'mk2' };
  if (!(await mayOmitRuntime(run, testAgent))) return [];
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

/** The members of the spec that were omitted. */
export function judgeDefaults(seen: Seen, facts: Facts): Judged {
  if (!isAcceptedUpdate(seen, facts)) return undefined;
  const sent = sentSpecIn(seen.sent);
  return [
    ...topLevelMismatches(seen.exchange, sent),
    ...(sent['triggers'] === undefined ? [] : triggerMismatches(sent, seen.exchange)),
  ];
}

function topLevelMismatches(exchange: Exchange, sent: Fields = {}): Mismatch[] {
  const defaults = { enabled: true, public: false };
  return Object.entries(defaults)
    .filter(([name]) => !Object.hasOwn(sent, name))
    .map(([name, value]) => ({ name, value, returned: specIn(exchange)[name] }))
    .filter(({ value, returned }) => !isOmitted(returned) && returned !== value)
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

/** Empty without an agent that serves. Enabled by default means that the agent serves. */
export async function servesByDefault(run: Run): Promise<Mismatch[]> {
  const name = await undefinedIfNotTried(servingAgentToChange(run));
  if (name === undefined) return [];
  const testAgent: TestAgent = { name, generation: 'mk2' };
  let found: Mismatch[] = [];
  await restoreAfter(run, testAgent, async () => {
    found = await notServedByDefault(run, testAgent);
  });
  return found;
}

async function notServedByDefault(run: Run, testAgent: TestAgent): Promise<Mismatch[]> {
  const sendQuery = () => queryAgent(run, testAgent.name);
  await needAccepted(run, testAgent, { enabled: false }, 'a disabled agent');
  // An older deployment may still serve. agents.enabled.false-does-not-serve checks that it stops.
  const settled = await eventually(consecutively(sendQuery, isNotServed), isNotServed, run.patienceSeconds);
  if (!isNotServed(settled)) return [];
  const update = await put(run, testAgent);
  if (!isSuccessful(update)) return [];
  const exchange = await eventually(sendQuery, isSuccessful, run.patienceSeconds);
  if (isSuccessful(exchange)) {
    await servesAgain(run, testAgent.name);
    return [];
  }
  // If the agent needs more than `enabled`, the default cannot be checked.
  await put(run, testAgent, { enabled: true });
  if (!isSuccessful(await eventually(sendQuery, isSuccessful, run.patienceSeconds))) return [];
  const expected = 'an agent that serves, because enabled was omitted';
  return [{ expected, actual: `status ${exchange.response.status}`, exchange, before: [update] }];
}

const isNotServed = (exchange: Exchange): boolean => !isSuccessful(exchange);

/** Empty without an agent that can be made public. Not public by default means that the agent closes. */
export async function closesByDefault(run: Run): Promise<Mismatch[]> {
  const agent = await undefinedIfNotTried(publishableAgent(run, 'mk3'));
  if (agent === undefined) return [];
  const { public: _public, ...spec } = agent.spec;
  try {
    await publish(run, agent, true);
    if (!isSuccessful(await waitUntilPublic(run, agent))) return [];
    const update = await put(run, { name: agent.name, generation: 'mk3' }, spec);
    if (!isSuccessful(update)) return [];
    const exchange = await waitUntilPrivate(run, agent);
    if (!(await canBeJudged(run, agent, exchange))) return [];
    return notPrivateMismatches(exchange, 'once public is omitted').map((found) => ({ ...found, before: [update] }));
  } finally {
    await unpublish(run, agent);
  }
}
