/** agents.runtime.*: generations, and undocumented bounds. */
import * as fc from 'fast-check';
import type { WhatOf } from '../../spec/observations/observation.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { conforms, observes } from '../engine/conforms.ts';
import { judges, refuses } from '../judge/judgement.ts';
import { generationIn, specIn } from '../kit/agents/seen-update.ts';
import { isAboutSomethingElse, isSuccess } from '../kit/resources/seen-resource.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { fieldsOf, isOmitted } from '../json/fields.ts';
import { isSuccessful } from '../target/eventually.ts';
import { status } from '../expect/status.ts';
import { nearGenerations, unknownWord } from '../generators/unknown-word.ts';
import type { Exchange } from '../target/client.ts';
import { observeDisabledAgent } from './disabled-usage.ts';
import { observeMountedVolume } from './mounted-volume.ts';
import { policyNames } from './policies.ts';
import { withRefusedUpdates } from '../kit/agents/each-update-refused.ts';
import { createTemporaryAgent } from '../kit/agents/temporary-agent.ts';
import {
  refusedText,
  isReadable,
  needAccepted,
  acceptsTogether,
  needAcceptedOnce,
  put,
  readAgent,
  refusedMetadata,
  withTestAgent,
} from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { eachTestAgent } from '../kit/agents/test-agents.ts';

const generations: readonly string[] = requirement('agents.runtime.generation-known').values.generations;

refuses('agents.runtime.generation-known', 'updateAgent', {
  isFlawed: ({ sent }) => {
    const generation = generationIn(specIn(sent));
    return typeof generation === 'string' && generation !== '' && !generations.includes(generation);
  },
  status: 400,
  unless: isAboutSomethingElse,
});

conforms('agents.runtime.generation-known', async (run) => {
  const others = specsWith(refusedText(run));
  /** By agent the specs that it refuses with a valid generation too. */
  const refused = new Map<TestAgent, readonly Spec[]>();
  const prepare = async (testAgent: TestAgent) => {
    const valid = specsWith('assay-taken');
    if (await acceptsTogether(run, testAgent, valid)) return;
    await needAcceptedOnce(run, testAgent, {}, 'a valid spec');
    const found: Spec[] = [];
    for (const [index, spec] of valid.entries())
      if (!(await acceptsTogether(run, testAgent, [spec]))) found.push(others[index]!);
    refused.set(testAgent, found);
  };
  await withRefusedUpdates(run, await eachTestAgent(run), { prepare }, async ({ check }) => {
    await check({
      inputs: { generation: unknownWord(run.rule.values.generations), spec: fc.constantFrom(...others) },
      examples: nearGenerations.map((generation, index) => ({ generation, spec: others[index % others.length]! })),
      async refusal(testAgent, { generation, spec }, variant) {
        const accepted = refused.get(testAgent)?.includes(spec) === true ? {} : spec;
        const body = { ...accepted, runtime: { ...accepted.runtime, generation } };
        return status(await put(run, testAgent, body, refusedMetadata(run), variant), 400);
      },
    });
  });
});

/** Specs that contain the text in a variable or in a trigger. */
const specsWith = (text: string): readonly Spec[] => [
  {},
  { enabled: false },
  { runtime: { envs: [{ name: 'ASSAY', value: text }] } },
  { triggers: [{ id: text, type: 'http', configuration: { path: `/${text}` } }] },
];

observes('agents.runtime.bounds', async (run) => {
  await withTestAgent(run, 'mk2', async (testAgent) => {
    await needAccepted(run, testAgent, {}, 'a valid update');
    const others = {
      'a secret variable': observeSecret,
      'a policy named twice': observeDuplicatePolicy,
      'a mounted volume': observeMountedVolume,
      'a disabled agent': observeDisabledAgent,
    };
    const descriptions = [...Object.keys(others), ...edgeCases.map(([description]) => description)];
    await run.forEach(descriptions, async (description) => {
      if (description in others) await others[description as keyof typeof others](run, testAgent);
      const [what, spec] = edgeCases.find(([each]) => each === description) ?? [];
      if (what === undefined || spec === undefined) return [];
      const exchange = await put(run, testAgent, spec);
      run.observe(what, observedRoundTrip(exchange, spec));
      if (isSuccessful(exchange)) await put(run, testAgent);
      return [];
    });
  });
});

const edgeCases: readonly (readonly [WhatOf<'agents.runtime.bounds'>, Spec])[] = [
  ...([-1, 0, 1, 3000] as const).map((memory) => [`memory ${memory}`, { runtime: { memory } }] as const),
  ['minScale 2 above maxScale 1', { runtime: { minScale: 2, maxScale: 1 } }],
  ['minScale -1', { runtime: { minScale: -1 } }],
  ['maxScale 0', { runtime: { maxScale: 0 } }],
  ...([-1, 101] as const).map(
    (canaryPercent) => [`canaryPercent ${canaryPercent}`, { revision: { canaryPercent } }] as const,
  ),
  ...([-1, 101] as const).map((traffic) => [`traffic ${traffic}`, { revision: { traffic } }] as const),
  ['stickySessionTtl -1', { revision: { stickySessionTtl: -1 } }],
  ['an unknown field of the spec', { assayUnknown: 'text' }],
  ['an unknown field of runtime', { runtime: { assayUnknown: 'text' } }],
  ['two variables of one name', { runtime: { envs: ['a', 'b'].map((value) => ({ name: 'ASSAY_TWICE', value })) } }],
];

/** The status, and whether the sent values are returned. */
function observedRoundTrip(exchange: Exchange, spec: Spec) {
  const { status: code, json } = exchange.response;
  if (!isSuccessful(exchange)) return { status: code };
  const returned = (json as { spec?: Spec } | undefined)?.spec;
  const [[name, sent] = ['', undefined]] = Object.entries(spec);
  return { status: code, returned: contains(returned?.[name], sent) };
}

/** Whether the returned value contains every sent member. */
function contains(returned: unknown, sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null) return returned === sent;
  if (typeof returned !== 'object' || returned === null) return false;
  return Object.entries(sent).every(([name, value]) => contains((returned as Record<string, unknown>)[name], value));
}

/** Skipped without a policy that the agent accepts. The order of policies has no meaning, so that the second one adds nothing. */
async function observeDuplicatePolicy(run: Run, testAgent: TestAgent): Promise<void> {
  const [policy] = await policyNames(run);
  if (policy === undefined || !isSuccessful(await put(run, testAgent, { policies: [policy] }))) return;
  const spec = { policies: [policy, policy] };
  run.observe('a policy named twice', observedRoundTrip(await put(run, testAgent, spec), spec));
  await put(run, testAgent, { policies: [] });
}

async function observeSecret(run: Run, testAgent: TestAgent): Promise<void> {
  const value = `assay-secret-${run.newName()}`;
  const envs = [{ name: 'ASSAY_SECRET', value, secret: true }];
  const exchange = await put(run, testAgent, { runtime: { envs } });
  const { status: code, text } = exchange.response;
  const returned = isSuccessful(exchange) ? { returned: text.includes(value) } : {};
  run.observe('a secret variable', { status: code, ...returned });
}

judges('agents.runtime.empty-generation', 'updateAgent', (seen) => {
  if (generationIn(specIn(seen.sent)) !== '' || !(isSuccess(seen) || seen.status === 400)) return undefined;
  if (seen.json === undefined) return undefined;
  return unknownGeneration(seen.exchange);
});

conforms('agents.runtime.empty-generation', async (run) => {
  const { testAgent, remove } = await createTemporaryAgent(run);
  try {
    const exchange = await put(run, testAgent, { runtime: { generation: '' } });
    const isAccepted = isSuccessful(exchange);
    run.check(isAccepted ? unknownGeneration(exchange) : []);
    if (isAccepted && (await isReadable(run, testAgent))) {
      await put(run, testAgent, { runtime: { generation: '' } });
      run.check(unknownGeneration(await readAgent(run, testAgent)));
    }
  } finally {
    await remove();
  }
});

function unknownGeneration(exchange: Exchange): Mismatch[] {
  const runtime = fieldsOf(fieldsOf(fieldsOf(exchange.response.json)?.['spec'])?.['runtime']);
  const generation = runtime?.['generation'];
  if (isOmitted(generation) || generations.some((each) => each === generation)) return [];
  const expected = `generation ${generations.join(' or ')}, or none`;
  return [{ expected, actual: `generation ${JSON.stringify(generation)}`, exchange }];
}
