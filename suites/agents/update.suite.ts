/** agents.update.*: accepted updates, their responses, and their effects. */
import { checkUnknown404 } from './update-unknown.ts';
import * as fc from 'fast-check';
import { limits } from '../../spec/values.ts';
import { conforms } from '../engine/conforms.ts';
import { judges, refuses } from '../judge/judgement.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { errorBody } from '../expect/error-body.ts';
import { fieldsOf, isFields } from '../json/fields.ts';
import { status } from '../expect/status.ts';
import { agentUpdates, allAmounts, allSizes, smallerParts } from '../kit/generators/agent-body.ts';
import type {
  Accepted,
  AgentParts,
  AgentUpdate,
  Amounts,
  Fragment,
  Sizes,
  TriggerType,
} from '../kit/generators/agent-body.ts';
import { agentToChange } from '../kit/provision/agents.ts';
import { sharedValues } from '../engine/shared-values.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { plainDisplayName, unique } from '../kit/provision/creates.ts';
import { sampleCallbackUrl, sampleSchedule } from '../kit/provision/samples.ts';
import { consistentRoundTripMismatches } from '../kit/agents/round-trip.ts';
import { checkDefaults, closesByDefault, enabledWithoutRuntime, judgeDefaults, servesByDefault } from './defaults.ts';
import { checkDeployments } from './deployment.ts';
import { checkEnvelope } from './envelope.ts';
import { outcomeMismatches } from './idempotence.ts';
import { checkPolicies } from './policies.ts';
import { checkSequences } from './sequences.ts';
import { judged, kindOf, putValid, sendUpdate, withTestAgent } from '../kit/agents/test-agent.ts';
import type { Put, Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { commonUpdateVariants, rotateSenders, withTestAgents } from '../kit/agents/test-agents.ts';
import type { TestAgents } from '../kit/agents/test-agents.ts';
import { putParts, acceptedSizes, combine, eachAcceptedFields } from './accepted-fields.ts';
import { requiredValueMismatches } from './required-values.ts';
import { hasEnvelope, specIn } from '../kit/agents/seen-update.ts';
import { isAboutSomethingElse } from '../kit/resources/seen-resource.ts';
import { judgeRoundTrip } from './seen-round-trip.ts';
import { checkWrongTypes, hasWrongType } from './wrong-types.ts';
import { withVolumeNames } from './volumes.ts';

judges('agents.update.round-trip', 'updateAgent', judgeRoundTrip);
refuses('agents.update.envelope-required', 'updateAgent', {
  isFlawed: ({ sent }) => sent !== undefined && !hasEnvelope(sent),
  status: 400,
  response: ({ exchange }) => errorBody(exchange),
  unless: isAboutSomethingElse,
});
refuses('agents.update.wrong-type-400', 'updateAgent', {
  isFlawed: ({ sent }) => hasWrongType(specIn(sent)),
  status: 400,
  unless: isAboutSomethingElse,
});
judges('agents.update.defaults', 'updateAgent', judgeDefaults);

conforms('agents.update.round-trip', async (run) => {
  await withTestAgents(run, async (agents) => {
    const accepted = await eachAcceptedFields(run, agents.all);
    const examples = agents.all.map(({ generation }) => examplesFor(run, accepted.get(generation)!));
    for (const [index, testAgent] of agents.all.entries()) {
      const precedent = precedentIn(examples[index]!, accepted.get(testAgent.generation)!);
      run.check(
        await precedentsOfRun.get(run, kindOf(run, testAgent), () => precedentMismatches(run, testAgent, precedent)),
      );
      run.check(await requiredOfRun.get(run, kindOf(run, testAgent), () => requiredValueMismatches(run, testAgent)));
    }
    await run.forAll(
      { update: agentUpdates(accepted) },
      async ({ update: { agent, parts } }) => {
        const testAgent = agents.of(agent);
        return acceptanceMismatches(run, testAgent, await putParts(run, testAgent, parts));
      },
      { examples: updatesOf(agents, examples) },
    );
    const richest = new Map(agents.all.map((each, index) => [each.generation, examples[index]!.at(-1)!]));
    const variants = await commonUpdateVariants(run, agents.all);
    const others = variants.slice(1).map(() => ({ isEmptied: false }));
    const items = rotateSenders(agents.all, variants.slice(1), [{ isEmptied: true }, ...others]).map((item) => {
      const parts = richest.get(item.agent)!;
      return { ...item, parts: item.isEmptied ? withLists(parts, accepted.get(item.agent)!) : parts };
    });
    await run.forEach(
      items,
      async ({ agent, variant, isEmptied, parts }) => {
        const testAgent = agents.of(agent);
        if (isEmptied) return emptyingMismatches(run, testAgent, parts);
        return acceptanceMismatches(
          run,
          testAgent,
          await putValid(run, testAgent, parts.spec, parts.metadata, variant),
        );
      },
      { smaller: (item) => smallerParts(item.parts).map((parts) => ({ ...item, parts })) },
    );
  });
});

/** Sent once per run and kind of agent. */
const precedentsOfRun = sharedValues<Mismatch[]>();
const requiredOfRun = sharedValues<Mismatch[]>();

/** Empty and default values. Their response shows what the target keeps (decision 039). */
const precedentIn = (examples: readonly AgentParts[], { fragments }: Accepted): AgentParts =>
  examples[fragments.length]!;

async function precedentMismatches(run: Run, testAgent: TestAgent, precedent: AgentParts): Promise<Mismatch[]> {
  return acceptanceMismatches(run, testAgent, await putParts(run, testAgent, precedent));
}

/** Examples of each agent in turn. */
const updatesOf = (
  { generations }: TestAgents,
  examples: readonly (readonly AgentParts[])[],
): { update: AgentUpdate }[] =>
  Array.from({ length: Math.max(...examples.map(({ length }) => length)) }, (_, index) =>
    generations.flatMap((agent, at) => {
      const parts = examples[at]?.[index];
      return parts === undefined ? [] : [{ update: { agent, parts } }];
    }),
  ).flat();

const acceptanceMismatches = (run: Run, testAgent: TestAgent, sent: Put): Mismatch[] =>
  judged(run, sent, (exchange) =>
    exchange.response.status === 200
      ? consistentRoundTripMismatches(run, kindOf(run, testAgent), sent.body, exchange)
      : status(exchange, 200),
  );

/** With policies and volumes, if the target accepts any. */
function withLists({ spec, metadata }: AgentParts, { fragments }: Accepted): AgentParts {
  const lists = [lastWith(fragments, 'policies'), lastWith(fragments, 'volumes')];
  return { metadata, spec: Object.assign({}, spec, ...lists) as Fragment };
}

/** Empty values remove the previous ones. The region stays, since volumes require one. */
async function emptyingMismatches(run: Run, testAgent: TestAgent, { spec: sent, metadata }: AgentParts) {
  const spec = await withVolumeNames(run, sent);
  const full = await putValid(run, testAgent, spec, metadata);
  const none = {
    ...('region' in spec && { region: spec['region'] }),
    ...('volumes' in spec && { volumes: [] }),
    policies: [],
    triggers: [],
    runtime: { envs: [] },
  };
  const empty = await putValid(run, testAgent, none);
  const mismatches = [...acceptanceMismatches(run, testAgent, full), ...acceptanceMismatches(run, testAgent, empty)];
  return mismatches.map((found) => (found.exchange === empty.exchange ? { ...found, before: [full.exchange] } : found));
}

const lastWith = (fragments: readonly Fragment[], field: string): Fragment =>
  fragments.findLast((fragment) => field in fragment) ?? {};

const examplesFor = (run: Run, accepted: Accepted): AgentParts[] =>
  allExamples(run, accepted).map(({ metadata, spec }) => ({
    metadata,
    spec: within(accepted.amounts ?? allAmounts, spec),
  }));

/** Without the triggers and variables that a target does not accept. */
function within({ triggers: count, types, envs }: Amounts, spec: Spec): Spec {
  const { triggers, runtime } = spec as { triggers?: { type: TriggerType }[]; runtime?: { envs?: unknown[] } };
  return {
    ...spec,
    ...(triggers && { triggers: triggers.filter(({ type }) => types.includes(type)).slice(0, count) }),
    ...(runtime?.envs && { runtime: { ...runtime, envs: runtime.envs.slice(0, envs) } }),
  };
}

function allExamples(run: Run, accepted: Accepted): AgentParts[] {
  const { fragments, generation, mayBePublic, sizes = allSizes } = accepted;
  const timeout = generation === 'mk3' ? { timeout: limits.triggerTimeoutSeconds } : {};
  const oddTimeout = generation === 'mk3' ? { timeout: ODD_TIMEOUT_SECONDS } : {};
  const zero = sizes.minScale.includes(0) ? { minScale: 0 } : {};
  const callbackUrl = sampleCallbackUrl(run, 'https://example.com/assay/answers');
  const later = { path: '/assay/later', callbackUrl, retry: 3, ...timeout };
  return [
    ...fragments.map((spec) => ({ metadata: {}, spec })),
    {
      metadata: { displayName: unique(run, 'x'.repeat(limits.displayNameLength)), labels: {} },
      spec: { enabled: true, triggers: [], policies: [], runtime: { envs: [], ...zero } },
    },
    {
      metadata: {},
      spec: {
        enabled: true,
        ...(mayBePublic && generation === 'mk3' && { public: true }),
        policies: [],
        runtime: { envs: [], ...zero, ...odd(sizes) },
        triggers: [{ type: 'http', configuration: { path: '/assay/zero' } }],
      },
    },
    {
      metadata: {},
      spec: {
        triggers: Array.from({ length: 8 }, (_, at) => ({ type: 'http', configuration: { path: `/assay/${at}` } })),
        runtime: {
          envs: Array.from({ length: 12 }, (_, at) => ({
            name: at === 0 ? 'ASSAY_API_TOKEN' : `ASSAY_${at}`,
            value: `Value=${at}=`,
          })),
        },
      },
    },
    {
      metadata: {},
      spec: { runtime: { envs: jsonLookalikes.map((value, at) => ({ name: `ASSAY_${at}`, value })) } },
    },
    {
      metadata: {},
      spec: {
        runtime: { envs: spacedValues.map((value, at) => ({ name: `ASSAY_${at}`, value })) },
        triggers: [{ type: 'http-async', configuration: { path: '/assay/odd', ...oddTimeout } }],
      },
    },
    ...combine(accepted).map((spec) => ({ metadata: {}, spec })),
    {
      metadata: {
        displayName: unique(run, 'Démo 漢字 "one"'),
        labels: { team: 'żółć', tier: 'gold & silver', constructor: '日本' },
      },
      spec: {
        enabled: false,
        ...longestSession(fragments),
        runtime: {
          envs: [
            { name: 'ASSAY_FIRST', value: '日本語 = "ü" 🚀 \\n' },
            { name: 'ASSAY_KEY', value: 'not-a-real-key', secret: true },
            { name: 'ASSAY_LAST', value: 'x'.repeat(2000), secret: false },
          ],
          ...largest(sizes),
        },
        triggers: [
          { id: 'assay-ask', type: 'http', enabled: false, configuration: { path: '/assay/ask' } },
          { id: 'assay-later', type: 'http-async', enabled: true, configuration: later },
          {
            id: 'assay-weekly',
            type: 'cron',
            enabled: false,
            configuration: { schedule: sampleSchedule(run), tasks: [] },
          },
          { type: 'http', configuration: { path: '/assay/again' } },
        ],
      },
    },
  ];
}

/** Would change if a server rounded it to tens or minutes. */
const ODD_TIMEOUT_SECONDS = 77;

/** Would change if a server trimmed them or joined their spaces. */
const spacedValues = [' padded ', 'two  spaces', 'two\nlines', 'a\ttab'];

/** Strings that a server may parse as other JSON values. */
const jsonLookalikes = ['true', 'null', '123', '0123', '1e3', '-0', '[]', '{}', '"text"', '1.50', '{"a": [1, 2]}'];

const longestSession = (fragments: readonly Fragment[]): object =>
  fragments.findLast(({ revision }) => revision !== undefined && 'stickySessionTtl' in revision) ?? {};

/** Would change if a server rounded them. */
const odd = ({ memory, maxScale }: Sizes): object => {
  const size = memory.find((each) => each % 1024 !== 0);
  return { ...(size !== undefined && { memory: size }), ...(maxScale.includes(10) && { maxScale: 7 }) };
};

const largest = (sizes: Sizes): object =>
  Object.fromEntries(
    Object.entries(sizes)
      .filter(([, values]) => values.length > 0)
      .map(([field, values]) => [field, Math.max(...values)]),
  );

conforms('agents.update.envelope-required', checkEnvelope);
conforms('agents.update.wrong-type-400', checkWrongTypes);

conforms('agents.update.defaults', async (run) => {
  await withTestAgents(run, (agents) => checkDefaults(run, agents));
  const checks = {
    'serves by default': servesByDefault,
    'enabled without a runtime': async () => enabledWithoutRuntime(run, { name: await agentToChange(run) }),
    'closes by default': closesByDefault,
  };
  const names = Object.keys(checks) as (keyof typeof checks)[];
  await run.forEach(names, (name) => checks[name](run));
});

conforms('agents.update.idempotent', async (run) => {
  await withTestAgents(run, async (agents) => {
    const accepted = await eachAcceptedFields(run, agents.all);
    const examples = agents.all.map(({ generation }) => examplesFor(run, accepted.get(generation)!));
    await run.forAll(
      { update: agentUpdates(accepted), repeats: fc.constantFrom<number[]>(1, 1, 2) },
      async ({ update: { agent, parts }, repeats }) => {
        const testAgent = agents.of(agent);
        const { body, exchange: first, missing } = await putParts(run, testAgent, parts);
        if (missing !== undefined) return run.skipInput(missing);
        run.need(isSuccessful(first), 'an agent that accepts valid updates');
        run.need(isFields(fieldsOf(first.response.json)?.['spec']), 'an agent update whose response contains the spec');
        const repeated = [];
        for (let time = 0; time < repeats; time += 1) repeated.push(await sendUpdate(run, testAgent, body));
        return repeated.flatMap((exchange) => outcomeMismatches(body, first, exchange));
      },
      {
        examples: updatesOf(agents, examples.map(someOf)).map((each, index) => ({ ...each, repeats: 1 + (index % 2) })),
      },
    );
  });
});

/** Another rule sends all of them. The last one has most fields. */
const someOf = <T>(examples: readonly T[]): T[] =>
  examples.filter((_, index) => index % 4 === 1 || index === examples.length - 1);

conforms('agents.update.triggers-deployment', async (run) => {
  const envs = [{ name: 'ASSAY_DEPLOYED', value: run.newName() }];
  await withTestAgent(run, 'mk2', async (testAgent) => {
    const scaled = { runtime: largest(await acceptedSizes(run, testAgent)) };
    const labelled = { spec: scaled, metadata: { labels: { assay: 'deployed' } } };
    run.check(await checkDeployments(run, testAgent, [{ spec: { runtime: { envs } } }, { spec: scaled }, labelled]));
  });
  await undefinedIfNotTried(checkMk3Deploys(run, { runtime: { envs } }));
});

/** Updates with and without runtime. Throws NotTried if no mk3 agent accepts them. */
async function checkMk3Deploys(run: Run, spec: Spec): Promise<void> {
  const displayed = { spec, metadata: { displayName: plainDisplayName(run) } };
  const triggered = { spec: { ...spec, triggers: [{ type: 'http', configuration: { path: '/assay/deployed' } }] } };
  await withTestAgent(run, 'mk3', async (testAgent) =>
    run.check(await checkDeployments(run, testAgent, [{ spec }, displayed, triggered])),
  );
}

conforms('agents.update.policies-sent-only', checkPolicies);

conforms('agents.update.any-sequence-follows-the-model', checkSequences);

conforms('agents.update.unknown-404', checkUnknown404);
