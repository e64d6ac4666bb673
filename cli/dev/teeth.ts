/** `npm run teeth`: every deliberate fault of the mock must be caught by the case of the rule it breaks; writes the kill matrix. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { deviationIds, requirementOf } from '../../mock/deviations/index.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { integerBetween } from '../command-line/flag-values.ts';
import { devCommand } from './dev-command.ts';
import { describeCoverage } from './describe-coverage.ts';
import { choiceSaid, chosenOf, oneMoreGlob } from './teeth-choice.ts';
import type { Choice } from './teeth-choice.ts';
import { writeTeeth } from './teeth-matrix.ts';
import { biteOf, isKilled, soundProblems, survivalOf, toothless } from './teeth-verdict.ts';
import type { Bite, Verdicts } from './teeth-verdict.ts';

/** Rules to be tried against a mock with that fault; without one, against a sound mock. */
export interface Trial {
  readonly deviation?: string;
  readonly rules: readonly string[];
}

const options = devCommand('teeth', 'tries every deliberate fault of the mock against the rule that it breaks')
  .option('--only <glob>', 'faults whose id fits; may be given several times', oneMoreGlob)
  .option('--each <n>', 'the first N faults of each rule', integerBetween(1, 1000))
  .option('--coverage', 'prints how many deviations there are by area, effect and condition, and exits')
  .option('--all-rules', 'try every rule against each deviation and print which others fail; takes hours')
  .parse()
  .opts<Choice & { allRules?: true; coverage?: true }>();

const mustRules = requirements.filter(({ level }) => level === 'must').map(({ id }) => id);
const chosen = chosenOf(deviationIds, options);
if (options.coverage) {
  process.stdout.write(describeCoverage(chosen));
  process.exit();
}
const choice = choiceSaid(options, deviationIds.length);
const failures: string[] = [];
const bites: Bite[] = [];

const sound: Trial = { rules: [...new Set(chosen.map(requirementOf))] };
const faulty = chosen.map((deviation) => ({
  deviation,
  rules: options.allRules ? mustRules : [requirementOf(deviation)],
}));
const trials: readonly Trial[] = [sound, ...faulty];
await inProcesses(trials, report);

failures.push(...toothless(mustRules).map((rule) => `${rule} has no deviation that would show the teeth of its case`));
for (const failure of failures) process.stdout.write(`✗ ${failure}\n`);
const rules = new Set(chosen.map(requirementOf)).size;
const killed = bites.filter(isKilled).length;
process.stdout.write(
  `${killed} of ${chosen.length} deviations of ${rules} rules killed by their own case, ${failures.length} problems${choice}.\n`,
);
process.stdout.write(`The matrix is in ${writeTeeth(bites, failures, choice)}.\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

function report({ deviation }: Trial, verdicts: Verdicts): void {
  if (deviation === undefined) {
    failures.push(...soundProblems(verdicts));
    return;
  }
  const bite = biteOf(deviation, verdicts);
  bites.push(bite);
  if (isKilled(bite)) process.stdout.write(`killed  ${deviation} (${bite.milliseconds} ms)\n`);
  else failures.push(survivalOf(bite));
}

/** Twice as many processes as cores, because cases wait for deployments. Each process takes the next trial when it is free. */
async function inProcesses(all: readonly Trial[], done: (trial: Trial, verdicts: Verdicts) => void): Promise<void> {
  const waiting = [...all];
  const work = async () => {
    const child = fork(path.join(import.meta.dirname, 'teeth-worker.ts'));
    const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`A teeth process ended with ${code}.`)));
    const output = () => Promise.race([once(child, 'message'), died]);
    await output();
    for (let trial = waiting.shift(); trial !== undefined; trial = waiting.shift()) {
      child.send(trial);
      const [verdicts] = (await output()) as [Verdicts];
      done(trial, verdicts);
    }
    child.removeAllListeners('exit').disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(2 * availableParallelism(), all.length) }, work));
}
