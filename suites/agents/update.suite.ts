/** agents.update.*: accepted updates, their responses, and their effects. */
import * as fc from 'fast-check';
import type { Scope } from '../../spec/operations.ts';
import { limits } from '../../spec/values.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { errorBody } from '../expect/error-body.ts';
import { fieldsOf, isFields } from '../json/fields.ts';
import { status } from '../expect/status.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { agentParts, allSizes } from '../kit/generators/agent-body.ts';
import type { AgentParts, Fragment, Sizes, Taken } from '../kit/generators/agent-body.ts';
import { agentToChange, agentUpdate } from '../kit/provision/agents.ts';
import type { Generation } from '../kit/provision/agents.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { removeByName } from '../kit/provision/removal.ts';
import { defaultVariant, variantAt } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import { isSettled } from '../kit/provision/writes.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Exchange } from '../target/client.ts';
import { roundTripMismatches } from '../kit/agents/round-trip.ts';
import { checkClosesByDefault, checkDefaults, checkServesByDefault } from './defaults.ts';
import { updateOfDeleted } from './update-of-deleted.ts';
import { checkDeployments } from './deployment.ts';
import { outcomeMismatches } from './idempotence.ts';
import { checkSequences } from './sequences.ts';
import {
  bodyOf,
  isReadable,
  sendBaseline,
  restoringPlain,
  put,
  putBody,
  refusedMetadata,
  refusedSpec,
  checkUnchanged,
  waysToUpdate,
  withEachSubject,
  withSubject,
} from '../kit/agents/subject.ts';
import type { AgentBody, Spec, Subject } from '../kit/agents/subject.ts';
import { putParts, acceptedSizes, acceptedFields } from './accepted-fields.ts';
import { checkWrongTypes } from './wrong-types.ts';

/** Each accepted update deploys something. */
const ACCEPTED_RUNS = 25;

conforms('agents.update.round-trip', async (run) => {
  await withEachSubject(run, async (subject) => {
    const accepted = await acceptedFields(run, subject);
    await run.forAll(
      { parts: agentParts(accepted) },
      async ({ parts }) => {
        const { body, exchange } = await putParts(run, subject, parts);
        return acceptanceMismatches(body, exchange);
      },
      { runs: Math.min(run.runs, ACCEPTED_RUNS), examples: examplesFor(accepted).map((parts) => ({ parts })) },
    );
    const richest = examplesFor(accepted).at(-1)!;
    run.check(await emptyingMismatches(run, subject, accepted, richest));
    for (const way of (await waysToUpdate(run, subject)).slice(1)) {
      const exchange = await put(run, subject, richest.spec, richest.metadata, way);
      run.check(acceptanceMismatches(bodyOf(subject, richest.spec, richest.metadata), exchange));
    }
  });
});

const acceptanceMismatches = (body: AgentBody, exchange: Exchange): Mismatch[] =>
  exchange.response.status === 200 ? roundTripMismatches(body, exchange) : status(exchange, 200);

/** Empty values remove the previous ones. The region stays, since volumes require one. */
async function emptyingMismatches(run: Run, subject: Subject, { fragments }: Taken, { spec, metadata }: AgentParts) {
  const lists = [lastWith(fragments, 'policies'), lastWith(fragments, 'volumes')];
  const all: Spec = Object.assign({}, spec, ...lists);
  const full = await put(run, subject, all, metadata);
  const none = {
    ...('region' in all && { region: all['region'] }),
    ...('volumes' in all && { volumes: [] }),
    policies: [],
    triggers: [],
    runtime: { envs: [] },
  };
  const empty = await put(run, subject, none);
  const mismatches = [
    ...acceptanceMismatches(bodyOf(subject, all, metadata), full),
    ...acceptanceMismatches(bodyOf(subject, none), empty),
  ];
  return mismatches.map((found) => (found.exchange === empty ? { ...found, before: [full] } : found));
}

const lastWith = (fragments: readonly Fragment[], field: string): Fragment =>
  fragments.findLast((fragment) => field in fragment) ?? {};

function examplesFor({ fragments, generation, sizes = allSizes }: Taken): AgentParts[] {
  const timeout = generation === 'mk3' ? { timeout: 900 } : {};
  const callbackUrl = 'https://example.com/assay/answers';
  const later = { path: '/assay/later', callbackUrl, retry: 3, ...timeout };
  return [
    ...fragments.map((spec) => ({ metadata: {}, spec })),
    {
      metadata: { displayName: 'x'.repeat(63), labels: {} },
      spec: { triggers: [], policies: [], runtime: { envs: [] } },
    },
    {
      metadata: {},
      spec: {
        triggers: Array.from({ length: 8 }, (_, at) => ({ type: 'http', configuration: { path: `/assay/${at}` } })),
        runtime: { envs: Array.from({ length: 12 }, (_, at) => ({ name: `ASSAY_${at}`, value: `value ${at}` })) },
      },
    },
    {
      metadata: {},
      spec: { runtime: { envs: jsonLookalikes.map((value, at) => ({ name: `ASSAY_${at}`, value })) } },
    },
    {
      metadata: { displayName: 'Démo 🚀 "one"', labels: { team: 'żółć', tier: 'gold & silver', constructor: '日本' } },
      spec: {
        enabled: false,
        ...longestSession(fragments),
        runtime: {
          envs: [
            { name: 'ASSAY_FIRST', value: '日本語 = "ü" \\n' },
            { name: 'ASSAY_KEY', value: 'not-a-real-key', secret: true },
            { name: 'ASSAY_LAST', value: 'x'.repeat(2000), secret: false },
          ],
          ...largest(sizes),
        },
        triggers: [
          { id: 'assay-ask', type: 'http', enabled: false, configuration: { path: '/assay/ask' } },
          { id: 'assay-later', type: 'http-async', enabled: true, configuration: later },
          { id: 'assay-weekly', type: 'cron', enabled: false, configuration: { schedule: '0 9 * * 1', tasks: [] } },
          { type: 'http', configuration: { path: '/assay/again' } },
        ],
      },
    },
  ];
}

/** Strings that a server may parse as other JSON values. */
const jsonLookalikes = ['true', 'null', '123', '0123', '1e3', '-0', '[]', '{}', '"text"'];

const longestSession = (fragments: readonly Fragment[]): object =>
  fragments.findLast(({ revision }) => revision !== undefined && 'stickySessionTtl' in revision) ?? {};

const largest = (sizes: Sizes): object =>
  Object.fromEntries(
    Object.entries(sizes)
      .filter(([, values]) => values.length > 0)
      .map(([field, values]) => [field, Math.max(...values)]),
  );

conforms('agents.update.unknown-404', async (run) => {
  const { sizes, ways } = await sizesAndWays(run);
  const unknownSubjects: Subject[] = [];
  const generation = generationAtHand(run);
  const unknownAgent = (word: string): Subject => ({ name: `${run.prefix}none-${word}`, generation });
  const longestWord = 'x'.repeat(limits.nameLength - `${run.prefix}none-`.length);
  const parts = agentParts({ generation, mayBePublic: false, fragments: [], sizes });
  await run.forAll(
    { word: fc.stringMatching(/^[a-z0-9]{1,12}$/), parts, way: fc.constantFrom(...ways) },
    async ({ word, parts: { metadata, spec }, way }) => {
      const subject = unknownAgent(word);
      unknownSubjects.push(subject);
      const update = () => put(run, subject, spec, metadata, way);
      const twoUpdates = [await update(), await update()];
      const found = [...twoUpdates.flatMap(unknownMismatches), ...(await absenceMismatches(run, subject))];
      if (found.length > 0) await removeByName(run, 'createAgent', { body: bodyOf(subject) });
      return found;
    },
    {
      runs: scaleRuns(run, 40),
      examples: ['x', longestWord].map((word) => ({ word, parts: { metadata: {}, spec: {} }, way: defaultVariant })),
    },
  );
  // An earlier request may take effect only now.
  for (const subject of unknownSubjects.slice(0, 10)) run.check(unknownMismatches(await put(run, subject)));
  // A target need not offer the generation.
  if (run.target.resources.mk3Agent !== undefined) {
    const unknownMk3: Subject = { name: `${run.prefix}none-mk3`, generation: 'mk3' };
    run.check(unknownMismatches(await put(run, unknownMk3)), await absenceMismatches(run, unknownMk3));
  }
  run.check(await unknownWithUpdateScope(run, unknownAgent('scoped')));
  const deleted = await updateOfDeleted(run);
  if (deleted !== undefined) run.check(unknownMismatches(deleted));
  await checkSimilarNames(run);
});

/** A target may not offer the other generation and may refuse it before it looks for the agent. */
const generationAtHand = ({ target: { resources } }: Run): Generation =>
  resources.agent === undefined && resources.mk3Agent !== undefined ? 'mk3' : 'mk2';

/** Skipped without a token whose only scope is agents:update. */
async function unknownWithUpdateScope(run: Run, subject: Subject): Promise<Mismatch[]> {
  const scope: Scope = 'agents:update';
  const name = await undefinedIfNotTried(agentToChange(run, subject.generation));
  if (name === undefined || run.target.credentials.scoped[scope] === undefined) return [];
  const update = (agent: Subject) =>
    run.as({ scoped: scope }).call('updateAgent', { ...agentUpdate(agent.name), body: bodyOf(agent) });
  if (!isSuccessful(await eventually(() => update({ ...subject, name }), isSettled, run.patienceSeconds))) return [];
  return unknownMismatches(await update(subject));
}

/** Unused names that a server would confuse with an agent of the run if it compared only a part of the name. */
async function checkSimilarNames(run: Run): Promise<void> {
  const name = await undefinedIfNotTried(agentToChange(run));
  // Only names with the run's prefix are certainly unused.
  if (!name?.startsWith(run.prefix) || !(await isReadable(run, { name, generation: 'mk2' }))) return;
  for (const similarName of [`${name}-0`, `${name}0`, name.slice(0, -1).replace(/-$/, '')]) {
    const subject: Subject = { name: similarName, generation: 'mk2' };
    if (similarName.length > limits.nameLength || (await absenceMismatches(run, subject)).length > 0) continue;
    const found = unknownMismatches(await put(run, subject));
    if (found.length > 0) await removeByName(run, 'createAgent', { body: bodyOf(subject) });
    run.check(found);
  }
}

/** Sizes and ways that the target accepts: it may validate the body before it looks for the agent. */
async function sizesAndWays(run: Run): Promise<{ sizes: Sizes; ways: readonly CallerVariant[] }> {
  const name = await undefinedIfNotTried(agentToChange(run));
  if (name === undefined) return { sizes: { memory: [], minScale: [], maxScale: [] }, ways: [defaultVariant] };
  const subject: Subject = { name, generation: 'mk2' };
  const ways = await waysToUpdate(run, subject);
  const sizes: Sizes[] = [];
  await restoringPlain(run, subject, async () => void sizes.push(await acceptedSizes(run, subject)));
  return { sizes: sizes[0]!, ways };
}

const unknownMismatches = (exchange: Exchange): Mismatch[] =>
  exchange.response.status === 404 ? errorBody(exchange) : status(exchange, 404);

/** By the inferred read: any response except a success means that the agent does not exist. */
async function absenceMismatches(run: Run, { name }: Subject): Promise<Mismatch[]> {
  const exchange = await run.client.call('getAgent', { path: { agentName: name } });
  const exists = isSuccessful(exchange) && metadataIn(exchange.response.json)['name'] === name;
  return exists ? [{ expected: 'no such agent', actual: 'the agent exists', exchange }] : [];
}

conforms('agents.update.envelope-required', async (run) => {
  await withEachSubject(run, async (subject) => {
    const ways = await waysToUpdate(run, subject);
    const before = await sendBaseline(run, subject);
    // An offset per generation, so that each gets other combinations.
    const first = run.seed + (subject.generation === 'mk3' ? 2 : 0);
    for (const [index, body] of withoutEnvelope(subject).entries()) {
      const exchange = await putBody(run, subject, body, variantAt(ways, first + index));
      run.check(exchange.response.status === 400 ? errorBody(exchange) : status(exchange, 400));
    }
    run.check(await checkUnchanged(run, before));
  });
});

function withoutEnvelope(subject: Subject): unknown[] {
  const { metadata, spec } = bodyOf(subject, refusedSpec, refusedMetadata);
  const nonObjects = [null, [], 'text', 5, true];
  return [
    ...nonObjects,
    ['metadata', 'spec'],
    [{ metadata, spec }],
    JSON.stringify({ metadata, spec }),
    {},
    { agent: { metadata, spec } },
    { metadata },
    { metadata, status: 'DEPLOYED', events: [] },
    { metadata: { ...metadata, spec } },
    { spec },
    { ...metadata, spec },
    { spec: { ...spec, metadata } },
    ...nonObjects.flatMap((other) => [
      { metadata, spec: other },
      { metadata: other, spec },
    ]),
  ];
}

conforms('agents.update.wrong-type-400', checkWrongTypes);

conforms('agents.update.defaults', async (run) => {
  await withEachSubject(run, (subject) => checkDefaults(run, subject));
  await checkServesByDefault(run);
  await checkClosesByDefault(run);
});

conforms('agents.update.idempotent', async (run) => {
  await withEachSubject(run, async (subject) => {
    const accepted = await acceptedFields(run, subject);
    await run.forAll(
      { parts: agentParts(accepted) },
      async ({ parts }) => {
        const { body, exchange: first } = await putParts(run, subject, parts);
        run.need(isSuccessful(first), 'an agent that accepts valid updates');
        run.need(isFields(fieldsOf(first.response.json)?.['spec']), 'an agent update whose response contains the spec');
        const repeats = [await putBody(run, subject, body), await putBody(run, subject, body)];
        return repeats.flatMap((exchange) => outcomeMismatches(body, first, exchange));
      },
      { runs: Math.min(run.runs, ACCEPTED_RUNS), examples: examplesFor(accepted).map((parts) => ({ parts })) },
    );
  });
});

conforms('agents.update.triggers-deployment', async (run) => {
  const envs = [{ name: 'ASSAY_DEPLOYED', value: run.newName() }];
  await withSubject(run, 'mk2', async (subject) => {
    const runtimes = [{ envs }, largest(await acceptedSizes(run, subject))];
    run.check(
      await checkDeployments(
        run,
        subject,
        runtimes.map((runtime) => ({ runtime })),
      ),
    );
  });
  await undefinedIfNotTried(checkMk3Deploys(run, { runtime: { envs } }));
});

/** Updates with and without runtime. Throws NotTried if no mk3 agent accepts them. */
async function checkMk3Deploys(run: Run, spec: Spec): Promise<void> {
  const triggers = [{ type: 'http', configuration: { path: '/assay/deployed' } }];
  await withSubject(run, 'mk3', async (subject) =>
    run.check(await checkDeployments(run, subject, [spec, { ...spec, triggers }])),
  );
}

conforms('agents.update.any-sequence-follows-the-model', checkSequences);
