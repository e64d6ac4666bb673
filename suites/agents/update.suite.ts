/** agents.update.*: what an update takes, what it answers, and what it leaves. */
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
import { comesBack } from '../kit/agents/comes-back.ts';
import { checkClosesByDefault, checkDefaults, checkServesByDefault } from './defaults.ts';
import { updateOfDeleted } from './deleted.ts';
import { newDeployments } from './deployment.ts';
import { sameOutcome } from './same-outcome.ts';
import { checkSequences } from './sequences.ts';
import {
  bodyOf,
  isReadable,
  known,
  leavingPlain,
  put,
  putBody,
  refused,
  refusedSpec,
  stays,
  waysToUpdate,
  withEachSubject,
  withSubject,
} from '../kit/agents/subject.ts';
import type { AgentBody, Spec, Subject } from '../kit/agents/subject.ts';
import { putParts, sizesTakenBy, takenBy } from './taken.ts';
import { checkWrongTypes } from './wrong-types.ts';

/** Each accepted update deploys something. */
const ACCEPTED_RUNS = 25;

conforms('agents.update.round-trip', async (run) => {
  await withEachSubject(run, async (subject) => {
    const taken = await takenBy(run, subject);
    await run.forAll(
      { parts: agentParts(taken) },
      async ({ parts }) => {
        const { body, exchange } = await putParts(run, subject, parts);
        return isTaken(body, exchange);
      },
      { runs: Math.min(run.runs, ACCEPTED_RUNS), examples: examplesFor(taken).map((parts) => ({ parts })) },
    );
    const richest = examplesFor(taken).at(-1)!;
    run.check(await isEmptied(run, subject, taken, richest));
    for (const way of (await waysToUpdate(run, subject)).slice(1)) {
      const exchange = await put(run, subject, richest.spec, richest.metadata, way);
      run.check(isTaken(bodyOf(subject, richest.spec, richest.metadata), exchange));
    }
  });
});

const isTaken = (body: AgentBody, exchange: Exchange): Mismatch[] =>
  exchange.answer.status === 200 ? comesBack(body, exchange) : status(exchange, 200);

/** What is sent empty is gone, whatever there was before: beside a region, since the document asks for one beside volumes. */
async function isEmptied(run: Run, subject: Subject, { fragments }: Taken, { spec, metadata }: AgentParts) {
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
  const left = [...isTaken(bodyOf(subject, all, metadata), full), ...isTaken(bodyOf(subject, none), empty)];
  return left.map((found) => (found.exchange === empty ? { ...found, before: [full] } : found));
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
      spec: { runtime: { envs: likeJson.map((value, at) => ({ name: `ASSAY_${at}`, value })) } },
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

/** Texts that say something else to whoever reads them again. */
const likeJson = ['true', 'null', '123', '0123', '1e3', '-0', '[]', '{}', '"text"'];

const longestSession = (fragments: readonly Fragment[]): object =>
  fragments.findLast(({ revision }) => revision !== undefined && 'stickySessionTtl' in revision) ?? {};

const largest = (sizes: Sizes): object =>
  Object.fromEntries(
    Object.entries(sizes)
      .filter(([, values]) => values.length > 0)
      .map(([field, values]) => [field, Math.max(...values)]),
  );

conforms('agents.update.unknown-404', async (run) => {
  const { sizes, ways } = await takenBySome(run);
  const asked: Subject[] = [];
  const generation = generationAtHand(run);
  const nobody = (word: string): Subject => ({ name: `${run.prefix}none-${word}`, generation });
  const longest = 'x'.repeat(limits.nameLength - `${run.prefix}none-`.length);
  const parts = agentParts({ generation, mayBePublic: false, fragments: [], sizes });
  await run.forAll(
    { word: fc.stringMatching(/^[a-z0-9]{1,12}$/), parts, way: fc.constantFrom(...ways) },
    async ({ word, parts: { metadata, spec }, way }) => {
      const subject = nobody(word);
      asked.push(subject);
      const update = () => put(run, subject, spec, metadata, way);
      const twice = [await update(), await update()];
      const found = [...twice.flatMap(isUnknown), ...(await isAbsent(run, subject))];
      if (found.length > 0) await removeByName(run, 'createAgent', { body: bodyOf(subject) });
      return found;
    },
    {
      runs: scaleRuns(run, 40),
      examples: ['x', longest].map((word) => ({ word, parts: { metadata: {}, spec: {} }, way: defaultVariant })),
    },
  );
  // What an earlier request has made may be there only now.
  for (const subject of asked.slice(0, 10)) run.check(isUnknown(await put(run, subject)));
  // A target need not offer the generation.
  if (run.target.resources.mk3Agent !== undefined) {
    const ofMk3: Subject = { name: `${run.prefix}none-mk3`, generation: 'mk3' };
    run.check(isUnknown(await put(run, ofMk3)), await isAbsent(run, ofMk3));
  }
  run.check(await isUnknownToWhoMayOnlyUpdate(run, nobody('scoped')));
  const deleted = await updateOfDeleted(run);
  if (deleted !== undefined) run.check(isUnknown(deleted));
  await namesLikeAnothers(run);
});

/** A target need not offer the other one, and may refuse it before it looks for the agent. */
const generationAtHand = ({ target: { resources } }: Run): Generation =>
  resources.agent === undefined && resources.mk3Agent !== undefined ? 'mk3' : 'mk2';

/** Where the target names a token whose only scope is that of updates, and an agent is updated with it. */
async function isUnknownToWhoMayOnlyUpdate(run: Run, subject: Subject): Promise<Mismatch[]> {
  const scope: Scope = 'agents:update';
  const name = await undefinedIfNotTried(agentToChange(run, subject.generation));
  if (name === undefined || run.target.credentials.scoped[scope] === undefined) return [];
  const update = (agent: Subject) =>
    run.as({ scoped: scope }).call('updateAgent', { ...agentUpdate(agent.name), body: bodyOf(agent) });
  if (!isSuccessful(await eventually(() => update({ ...subject, name }), isSettled, run.patienceSeconds))) return [];
  return isUnknown(await update(subject));
}

/** Names of nobody that whoever compares less than the whole takes for the name of an agent of the run's own. */
async function namesLikeAnothers(run: Run): Promise<void> {
  const name = await undefinedIfNotTried(agentToChange(run));
  // Somebody's agent may well have a name that is near to another's.
  if (!name?.startsWith(run.prefix) || !(await isReadable(run, { name, generation: 'mk2' }))) return;
  for (const near of [`${name}-0`, `${name}0`, name.slice(0, -1).replace(/-$/, '')]) {
    const subject: Subject = { name: near, generation: 'mk2' };
    if (near.length > limits.nameLength || (await isAbsent(run, subject)).length > 0) continue;
    const found = isUnknown(await put(run, subject));
    if (found.length > 0) await removeByName(run, 'createAgent', { body: bodyOf(subject) });
    run.check(found);
  }
}

/** What an agent of the target takes, and from whom: it may judge a body before it looks for the agent. */
async function takenBySome(run: Run): Promise<{ sizes: Sizes; ways: readonly CallerVariant[] }> {
  const name = await undefinedIfNotTried(agentToChange(run));
  if (name === undefined) return { sizes: { memory: [], minScale: [], maxScale: [] }, ways: [defaultVariant] };
  const subject: Subject = { name, generation: 'mk2' };
  const ways = await waysToUpdate(run, subject);
  const sizes: Sizes[] = [];
  await leavingPlain(run, subject, async () => void sizes.push(await sizesTakenBy(run, subject)));
  return { sizes: sizes[0]!, ways };
}

const isUnknown = (exchange: Exchange): Mismatch[] =>
  exchange.answer.status === 404 ? errorBody(exchange) : status(exchange, 404);

/** Where the target has the inferred read: any other answer than a success says that it is not there. */
async function isAbsent(run: Run, { name }: Subject): Promise<Mismatch[]> {
  const exchange = await run.client.call('getAgent', { path: { agentName: name } });
  const isThere = isSuccessful(exchange) && metadataIn(exchange.answer.json)['name'] === name;
  return isThere ? [{ expected: 'no such agent', actual: 'the agent is there', exchange }] : [];
}

conforms('agents.update.envelope-required', async (run) => {
  await withEachSubject(run, async (subject) => {
    const ways = await waysToUpdate(run, subject);
    const before = await known(run, subject);
    // Of several bodies that lack the same in a row, one generation gets what the other does not.
    const first = run.seed + (subject.generation === 'mk3' ? 2 : 0);
    for (const [index, body] of withoutEnvelope(subject).entries()) {
      const exchange = await putBody(run, subject, body, variantAt(ways, first + index));
      run.check(exchange.answer.status === 400 ? errorBody(exchange) : status(exchange, 400));
    }
    run.check(await stays(run, before));
  });
});

function withoutEnvelope(subject: Subject): unknown[] {
  const { metadata, spec } = bodyOf(subject, refusedSpec, refused);
  const noObjects = [null, [], 'text', 5, true];
  return [
    ...noObjects,
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
    ...noObjects.flatMap((other) => [
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
    const taken = await takenBy(run, subject);
    await run.forAll(
      { parts: agentParts(taken) },
      async ({ parts }) => {
        const { body, exchange: first } = await putParts(run, subject, parts);
        run.need(isSuccessful(first), 'an agent that takes valid updates');
        run.need(isFields(fieldsOf(first.answer.json)?.['spec']), 'an agent update whose answer shows the spec');
        const again = [await putBody(run, subject, body), await putBody(run, subject, body)];
        return again.flatMap((exchange) => sameOutcome(body, first, exchange));
      },
      { runs: Math.min(run.runs, ACCEPTED_RUNS), examples: examplesFor(taken).map((parts) => ({ parts })) },
    );
  });
});

conforms('agents.update.triggers-deployment', async (run) => {
  const envs = [{ name: 'ASSAY_DEPLOYED', value: run.newName() }];
  await withSubject(run, 'mk2', async (subject) => {
    const runtimes = [{ envs }, largest(await sizesTakenBy(run, subject))];
    run.check(
      await newDeployments(
        run,
        subject,
        runtimes.map((runtime) => ({ runtime })),
      ),
    );
  });
  await undefinedIfNotTried(deploysMk3(run, { runtime: { envs } }));
});

/** Whatever is updated, the runtime or not. Throws NotTried where there is no such agent, or none that takes such an update. */
async function deploysMk3(run: Run, spec: Spec): Promise<void> {
  const triggers = [{ type: 'http', configuration: { path: '/assay/deployed' } }];
  await withSubject(run, 'mk3', async (subject) =>
    run.check(await newDeployments(run, subject, [spec, { ...spec, triggers }])),
  );
}

conforms('agents.update.any-sequence-follows-the-model', checkSequences);
