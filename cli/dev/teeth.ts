/** `npm run teeth`: every deliberate fault of the mock must be caught by the case of the rule it breaks; writes the kill matrix. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { deviationIds, requirementOf } from '../../mock/deviations/index.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { Verdict } from '../../spec/verdicts.ts';
import { writeTeeth } from './teeth-matrix.ts';
import type { Bite } from './teeth-matrix.ts';

/** Rules to be tried against a mock with that fault; without one, against a sound mock. */
export interface Trial {
  readonly deviation?: string;
  readonly rules: readonly string[];
}

export type Verdicts = Record<string, { verdict: Verdict; reason: string; milliseconds: number }>;

/**
 * `--only GLOB` takes the faults whose id fits; `--each N` the first N of each rule; `--all-rules` tries every rule
 * against each and shows which else turn red.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '*' },
    each: { type: 'string', default: 'Infinity' },
    'all-rules': { type: 'boolean', default: false },
  },
});

const withCase = requirements.filter(({ level }) => level === 'must').map(({ id }) => id);
const fitting = deviationIds.filter(
  (id) => path.matchesGlob(id, options.only) || path.matchesGlob(id, `${options.only}/*`),
);
const chosen = [...Map.groupBy(fitting, requirementOf).values()].flatMap((ids) => ids.slice(0, Number(options.each)));
const failures: string[] = [];
const bites: Bite[] = [];

const sound: Trial = { rules: [...new Set(chosen.map(requirementOf))] };
const faulty = chosen.map((deviation) => ({
  deviation,
  rules: options['all-rules'] ? withCase : [requirementOf(deviation)],
}));
const trials: readonly Trial[] = [sound, ...faulty];
await inProcesses(trials, report);

const toothless = withCase.filter((rule) => !deviationIds.some((id) => requirementOf(id) === rule));
failures.push(...toothless.map((rule) => `${rule} has a case and no deviation that would show its teeth`));
for (const failure of failures) process.stdout.write(`✗ ${failure}\n`);
const rules = new Set(chosen.map(requirementOf)).size;
const killed = bites.filter(({ verdict }) => verdict === 'failed').length;
process.stdout.write(
  `${killed} of ${chosen.length} deviations of ${rules} rules killed by their own case, ${failures.length} problems.\n`,
);
process.stdout.write(`The matrix is in ${writeTeeth(bites, failures)}.\n`);
process.exitCode = failures.length === 0 && chosen.length > 0 ? 0 : 1;

function report({ deviation }: Trial, verdicts: Verdicts): void {
  const red = Object.keys(verdicts).filter((rule) => verdicts[rule]?.verdict !== 'passed');
  if (deviation === undefined) {
    failures.push(
      ...red.map((rule) => `${rule} is ${verdicts[rule]?.verdict} on a sound mock: ${verdicts[rule]?.reason}`),
    );
    return;
  }
  const rule = requirementOf(deviation);
  const own = verdicts[rule];
  const others = red.filter((each) => each !== rule);
  bites.push({
    deviation,
    rule,
    verdict: own?.verdict ?? 'no case',
    reason: own?.reason ?? '',
    milliseconds: own?.milliseconds ?? 0,
    alsoRed: others,
  });
  const beside = others.length === 0 ? '' : `; also red: ${others.join(', ')}`;
  if (own?.verdict === 'failed') process.stdout.write(`killed  ${deviation} (${own.milliseconds} ms)${beside}\n`);
  else
    failures.push(
      `${deviation} survived: ${own === undefined ? 'its rule has no case' : `${own.verdict} ${own.reason}`}${beside}`,
    );
}

/** Twice as many processes as there are cores, for cases wait for deployments; each takes the next trial when it is done with one. */
async function inProcesses(all: readonly Trial[], done: (trial: Trial, verdicts: Verdicts) => void): Promise<void> {
  const waiting = [...all];
  const work = async () => {
    const child = fork(path.join(import.meta.dirname, 'teeth-worker.ts'));
    const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`A teeth process ended with ${code}.`)));
    const said = () => Promise.race([once(child, 'message'), died]);
    await said();
    for (let trial = waiting.shift(); trial !== undefined; trial = waiting.shift()) {
      child.send(trial);
      const [verdicts] = (await said()) as [Verdicts];
      done(trial, verdicts);
    }
    child.removeAllListeners('exit').disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(2 * availableParallelism(), all.length) }, work));
}
