/** agents.update.*: accepted updates, their responses, and their effects. */
import { checkUnknown404 } from './update-unknown.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { errorBody } from '../expect/error-body.ts';
import { fieldsOf, isFields } from '../json/fields.ts';
import { status } from '../expect/status.ts';
import { agentParts, allSizes } from '../kit/generators/agent-body.ts';
import type { AgentParts, Fragment, Sizes, Accepted } from '../kit/generators/agent-body.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { variantAt } from '../kit/provision/caller-variants.ts';
import type { Exchange } from '../target/client.ts';
import { roundTripMismatches } from '../kit/agents/round-trip.ts';
import { checkClosesByDefault, checkDefaults, checkServesByDefault } from './defaults.ts';
import { checkDeployments } from './deployment.ts';
import { outcomeMismatches } from './idempotence.ts';
import { checkSequences } from './sequences.ts';
import {
  bodyOf,
  sendBaseline,
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
async function emptyingMismatches(run: Run, subject: Subject, { fragments }: Accepted, { spec, metadata }: AgentParts) {
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

function examplesFor({ fragments, generation, sizes = allSizes }: Accepted): AgentParts[] {
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

conforms('agents.update.unknown-404', checkUnknown404);
