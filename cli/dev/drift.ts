/**
 * `npm run drift -- 60`: compares a mock with each of some deviations with a mock without any, as `assay compare` does. Prints
 * which deviations one sequence finds, what it was shrunk to, and whose rule it says is broken.
 */
import { deviationIds, requirementOf } from '../../mock/deviations/index.ts';
import { startMock } from '../../mock/start-mock.ts';
import type { Comparison } from '../../suites/compare/compare-targets.ts';
import { integerBetween, nonEmptyString } from '../command-line/flag-values.ts';
import { compareInProcess } from '../e2e/testing/compare-mocks.ts';
import { devCommand } from './dev-command.ts';
import { appendGlob, selectDeviations } from './teeth-selection.ts';

const command = devCommand('drift', 'compares the mock with itself with one deviation, for some deviations')
  .argument('[count]', 'how many deviations are drawn', integerBetween(1, 10_000), 60)
  .option('--only <glob>', 'deviations whose id matches; repeatable', appendGlob)
  .option('--seed <text>', 'decides which deviations are drawn', nonEmptyString, '1')
  .option('--sequence <n>', 'seed of the sequence', integerBetween(1, 2 ** 31 - 1), 1)
  .option('--requests <n>', 'length of the sequence', integerBetween(1, 100_000), 300)
  .parse();
const { only, seed, sequence, requests } = command.opts<{
  only?: string[];
  seed: string;
  sequence: number;
  requests: number;
}>();
const [count] = command.processedArgs as [number];

const drawn = selectDeviations(deviationIds, { ...(only && { only }), sample: count, seed });
const shrunk: { steps: number; requests: number }[] = [];
let [found, named, wrong] = [0, 0, 0];
for (const deviation of drawn) {
  const line = describe(deviation, await compareWith(deviation));
  process.stdout.write(`${line}\n`);
}
process.stdout.write(
  `${found} of ${drawn.length} found; ${named} with the broken rule; ${wrong} with a rule of the mock that has none; ` +
    `shrunk to ${median(shrunk.map((each) => each.steps))} steps (median, at most ${Math.max(0, ...shrunk.map((each) => each.steps))}) ` +
    `with ${median(shrunk.map((each) => each.requests))} requests (median)\n`,
);

async function compareWith(deviation: string): Promise<Comparison> {
  await using clean = await startMock();
  await using deviating = await startMock({ deviate: [deviation] });
  const files = { a: { ...clean.target, allow: 'destroy' }, b: { ...deviating.target, allow: 'destroy' } } as const;
  return await compareInProcess(files, { seed: sequence, requests, patienceSeconds: 1, shrinkCount: 1 }); // The mocks end afterwards.
}

function describe(deviation: string, { differences }: Comparison): string {
  const [first] = differences;
  if (first === undefined) return `missed  ${deviation}`;
  found += 1;
  shrunk.push({ steps: first.shrunk.steps.length, requests: first.shrunk.requests });
  if (differences.some(({ broken }) => broken.b.some((rule) => rule === requirementOf(deviation)))) named += 1;
  if (differences.some(({ broken }) => broken.a.length > 0)) wrong += 1;
  const { operation, context, at } = first;
  return `found   ${deviation}: ${operation} (${context}) ${at}; ${first.class}, ${first.shrunk.steps.length} steps`;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
