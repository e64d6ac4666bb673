/** `npm run teeth`: every deviation of the mock must be caught by the case of the rule it breaks; writes the kill matrix. */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Option } from 'commander';
import { deviationIds, requirementOf } from '../../mock/deviations/index.ts';
import { counted } from '../../spec/counted.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { integerBetween, nonEmptyString } from '../command-line/flag-values.ts';
import { devCommand } from './dev-command.ts';
import { collectCases } from '../../suites/engine/collect-cases.ts';
import { judgements } from '../../suites/judge/judgement.ts';
import { describeCoverage } from './describe-coverage.ts';
import { KILL_MATRIX_FILE, publish } from './kill-matrix.ts';
import { describeSelection, selectDeviations, appendGlob } from './teeth-selection.ts';
import type { Selection } from './teeth-selection.ts';
import { writeTeeth } from './teeth-matrix.ts';
import { teethResultOf, isKilled, baselineProblems, describeSurvivor, rulesWithoutDeviation } from './teeth-verdict.ts';
import type { TeethResult, Verdicts } from './teeth-verdict.ts';

/** Rules to run against a mock with that deviation, or against a conforming mock if there is none. */
export interface Trial {
  readonly deviation?: string;
  readonly rules: readonly string[];
  /** Only the first round of inputs. */
  readonly isQuick: boolean;
  /** Whether the rule judges the exchanges of its case, and the case itself does not count. */
  readonly isJudged?: boolean;
}

const PROCESSES_PER_CORE = 3;
type Options = Selection & {
  allRules?: true;
  coverage?: true;
  publish?: true;
  quick?: true;
  judge?: true;
};
const given = devCommand('teeth', 'runs every deviation of the mock against the case of the rule it breaks')
  .option('--only <glob>', 'deviations whose id matches; repeatable', appendGlob)
  .option('--each <n>', 'the first N deviations of each rule', integerBetween(1, 1000))
  .option('--sample <n>', 'N deviations drawn from all areas; with --each, in addition', integerBetween(1, 10_000))
  .option('--seed <text>', 'decides what --sample draws (default: the hash of the tree of HEAD)', nonEmptyString)
  .addOption(
    new Option('--publish', `runs all deviations and writes the score to ${KILL_MATRIX_FILE}`).conflicts([
      'only',
      'each',
      'sample',
      'coverage',
    ]),
  )
  .option('--coverage', 'prints how many deviations there are by area, effect and condition, and exits')
  .option('--quick', 'tests only the first round of inputs, as `assay test --quick` does')
  .option('--judge', 'judges what the cases send as `assay judge` does; only rules that judge exchanges')
  .option('--all-rules', 'runs every rule against each deviation and records which other rules fail; takes hours')
  .parse()
  .opts<Options>();
const options: Options = given.sample === undefined ? given : { seed: treeHash(), ...given };

const mustRules = requirements.filter(({ level }) => level === 'must').map(({ id }) => id);
const judged = options.judge ? await judgedRules() : undefined;
const selected = selectDeviations(deviationIds, options).filter((id) => judged?.has(requirementOf(id)) ?? true);
if (options.coverage) {
  process.stdout.write(describeCoverage(selected));
  process.exit();
}
const selection = describeSelection(options, deviationIds.length);
const failures: string[] = [];
const results: TeethResult[] = [];

const mode = {
  isQuick: options.quick === true,
  ...(options.judge && { isJudged: true }),
};
const baseline: Trial = { ...mode, rules: [...new Set(selected.map(requirementOf))] };
const deviating = selected.map((deviation) => ({
  ...mode,
  deviation,
  rules: options.allRules ? mustRules : [requirementOf(deviation)],
}));
const trials: readonly Trial[] = [baseline, ...deviating];
await inProcesses(trials.map((trial) => async (judge) => report(trial, await judge(trial))));
failures.push(...rulesWithoutDeviation(mustRules).map((rule) => `${rule} has no deviation`));
for (const failure of failures) process.stdout.write(`✗ ${failure}\n`);
const rules = new Set(selected.map(requirementOf)).size;
const killed = results.filter(isKilled).length;
process.stdout.write(
  `${killed} of ${selected.length} deviations of ${counted(rules, 'rule')} killed by their own case, ${counted(failures.length, 'problem')}${selection}.\n`,
);
process.stdout.write(
  `The outcome of each deviation is in ${writeTeeth(results, failures, selection)}, and as JSON next to it.\n`,
);
const survivors = results.filter((result) => !isKilled(result)).length;
if (options.publish && failures.length > survivors) {
  process.stdout.write('Nothing was published, because there are problems other than survivors.\n');
} else if (options.publish) {
  publish(results);
  process.stdout.write(`The score is in ${KILL_MATRIX_FILE}.\n`);
}
process.exitCode = failures.length === 0 ? 0 : 1;

async function judgedRules(): Promise<ReadonlySet<string>> {
  await collectCases();
  return new Set(judgements.keys());
}

/** The same for the same files, whatever their history. */
function treeHash(): string {
  return execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { encoding: 'utf8' }).trim();
}

function report({ deviation }: Trial, verdicts: Verdicts): void {
  if (deviation === undefined) {
    failures.push(...baselineProblems(verdicts));
    return;
  }
  const result = teethResultOf(deviation, verdicts);
  results.push(result);
  if (isKilled(result)) process.stdout.write(`killed  ${deviation} (${result.milliseconds} ms)\n`);
  else failures.push(describeSurvivor(result));
}

type Judge = (trial: Trial) => Promise<Verdicts>;

/** More processes than cores, because cases wait for deployments. An idle process gets the next task. */
async function inProcesses(tasks: readonly ((judge: Judge) => Promise<void>)[]): Promise<void> {
  const waiting = [...tasks];
  const work = async () => {
    const child = fork(path.join(import.meta.dirname, 'teeth-worker.ts'));
    const died = once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`A worker process exited with code ${code}.`)),
    );
    const output = () => Promise.race([once(child, 'message'), died]);
    await output();
    const judge: Judge = async (trial) => {
      child.send(trial);
      const [verdicts] = (await output()) as [Verdicts];
      return verdicts;
    };
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await task(judge);
    child.removeAllListeners('exit').disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(PROCESSES_PER_CORE * availableParallelism(), tasks.length) }, work));
}
