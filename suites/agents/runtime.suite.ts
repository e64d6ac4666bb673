/** agents.runtime.*: generations, and what the document says nothing about. */
import * as fc from 'fast-check';
import { conforms, observes } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { status } from '../expect/status.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { nearGenerations, unknownWord } from '../generators/unknown-word.ts';
import { rotateVariants } from '../kit/provision/caller-variants.ts';
import type { Exchange } from '../target/client.ts';
import {
  REFUSED,
  known,
  needAccepted,
  put,
  refused,
  stays,
  waysToUpdate,
  withEachSubject,
  withSubject,
} from '../kit/agents/subject.ts';
import type { Spec, Subject } from '../kit/agents/subject.ts';

/** Of 100, besides the near misses. */
const REFUSED_RUNS = 60;

conforms('agents.runtime.generation-known', async (run) => {
  const { generations } = run.rule.values;
  await withEachSubject(run, async (subject) => {
    for (const spec of specsWith('assay-taken')) await needAccepted(run, subject, spec, 'a valid spec');
    const ways = await waysToUpdate(run, subject);
    const before = await known(run, subject);
    const others = specsWith(REFUSED);
    await run.forAll(
      { generation: unknownWord(generations), spec: fc.constantFrom(...others), way: fc.constantFrom(...ways) },
      async ({ generation, spec, way }) => {
        const asked = { ...spec, runtime: { ...spec.runtime, generation } };
        return status(await put(run, subject, asked, refused, way), 400);
      },
      {
        runs: scaleRuns(run, REFUSED_RUNS),
        examples: rotateVariants(
          ways,
          nearGenerations.map((generation, index) => ({ generation, spec: others[index % others.length]! })),
        ),
      },
    );
    run.check(await stays(run, before));
  });
});

/** A variable and a trigger of these hold the text. */
const specsWith = (text: string): readonly Spec[] => [
  {},
  { enabled: false },
  { runtime: { envs: [{ name: 'ASSAY', value: text }] } },
  { triggers: [{ id: text, type: 'http', configuration: { path: `/${text}` } }] },
];

observes('agents.runtime.bounds', async (run) => {
  await withSubject(run, 'mk2', async (subject) => {
    await needAccepted(run, subject, {}, 'a valid update');
    for (const [what, spec] of outOfTheOrdinary) {
      run.observe(what, seen(await put(run, subject, spec), spec));
      await put(run, subject);
    }
    await observeSecret(run, subject);
  });
});

const outOfTheOrdinary: readonly (readonly [string, Spec])[] = [
  ...[-1, 0, 1, 3000].map((memory) => [`memory ${memory}`, { runtime: { memory } }] as const),
  ['minScale 2 above maxScale 1', { runtime: { minScale: 2, maxScale: 1 } }],
  ['minScale -1', { runtime: { minScale: -1 } }],
  ['maxScale 0', { runtime: { maxScale: 0 } }],
  ...[-1, 101].map((canaryPercent) => [`canaryPercent ${canaryPercent}`, { revision: { canaryPercent } }] as const),
  ...[-1, 101].map((traffic) => [`traffic ${traffic}`, { revision: { traffic } }] as const),
  ['stickySessionTtl -1', { revision: { stickySessionTtl: -1 } }],
  ['an unknown field of the spec', { assayUnknown: 'text' }],
  ['an unknown field of runtime', { runtime: { assayUnknown: 'text' } }],
  ['two variables of one name', { runtime: { envs: ['a', 'b'].map((value) => ({ name: 'ASSAY_TWICE', value })) } }],
];

/** What became of the values that were sent. */
function seen(exchange: Exchange, spec: Spec): string {
  const { status: code, json } = exchange.answer;
  if (!isSuccessful(exchange)) return `${code}`;
  const shown = (json as { spec?: Spec } | undefined)?.spec;
  const [[name, sent] = ['', undefined]] = Object.entries(spec);
  const isThere = contains(shown?.[name], sent);
  return `${code}, ${isThere ? 'and comes back' : 'and does not come back as sent'}`;
}

/** Whether everything that was sent is among what is shown. */
function contains(shown: unknown, sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null) return shown === sent;
  if (typeof shown !== 'object' || shown === null) return false;
  return Object.entries(sent).every(([name, value]) => contains((shown as Record<string, unknown>)[name], value));
}

async function observeSecret(run: Run, subject: Subject): Promise<void> {
  const value = `assay-secret-${run.newName()}`;
  const envs = [{ name: 'ASSAY_SECRET', value, secret: true }];
  const exchange = await put(run, subject, { runtime: { envs } });
  const { status: code, text } = exchange.answer;
  const comes = text.includes(value) ? 'its value comes back' : 'its value does not come back';
  run.observe('a secret variable', isSuccessful(exchange) ? `${code}, ${comes}` : `${code}`);
}
