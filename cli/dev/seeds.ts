/**
 * `npm run seeds -- 1 20`: whole runs, started as a user would. Prints each run whose exit code is not 0. Takes up to
 * 20 minutes per seed.
 */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import type { StrangerOptions } from '../../fixtures/strangers/stranger.ts';
import { assay, run, targetFile } from '../e2e/testing/assay-process.ts';
import type { Ended } from '../e2e/testing/assay-process.ts';
import { integerBetween } from '../command-line/flag-values.ts';
import { devCommand } from './dev-command.ts';

const LAST_SEED = 2 ** 31 - 1;
const command = devCommand(
  'seeds',
  'makes whole runs with every seed from the first to the last, on the mock and on both strangers',
)
  .argument('[first]', 'the first seed', integerBetween(0, LAST_SEED), 1)
  .argument('[last]', 'the last seed (default: the first one)', integerBetween(0, LAST_SEED))
  .option('--mock', 'leaves the strangers out')
  .option('--strangers', 'leaves the mock out')
  .option('--concurrency <n>', 'requests that are sent at the same time', integerBetween(1, 1000))
  .option('--latency <ms>', 'the average round trip to the server', integerBetween(0, 10_000), 0)
  .option('--quick', 'only the first round of inputs')
  .parse();
const options = command.opts<{
  mock?: true;
  strangers?: true;
  concurrency?: number;
  latency: number;
  quick?: true;
}>();
const [first, last = first] = command.processedArgs as [number, number?];
if (last < first) command.error(`error: ${first} ${last}: expected the first and the last seed, such as 1 20.`);

using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-seeds-'));
let runs = 0;
/** Each run has its own folder, because resources that cannot be removed remain in its ledger. */
const trying = (seed: number): string[] => {
  const own = path.join(folder.path, String((runs += 1)));
  const { concurrency, quick } = options;
  return [
    'test',
    '--allow',
    'destroy',
    '--seed',
    String(seed),
    '--report',
    own,
    ...(concurrency === undefined ? [] : ['--concurrency', String(concurrency)]),
    ...(quick === true ? ['--quick'] : []),
  ];
};

const onMock = (seed: number): Promise<Ended> => {
  const mock = ['mock', '--port', '0', '--seed', String(seed), '--latency', String(options.latency)];
  return run([...mock, '--', process.execPath, assay, ...trying(seed)]);
};

async function onStranger(character: StrangerOptions['character'], seed: number): Promise<Ended> {
  await using stranger = await startStranger({ character, latencyMs: options.latency });
  return await run([...trying(seed), '--target', targetFile(stranger.target)]);
}

function report(what: string, { code, out }: Ended): void {
  const summary = /\d+ of \d+ must rules tried.*/.exec(out)?.[0] ?? 'no summary';
  process.stdout.write(`${what}: ${summary}\n`);
  if (code === 0) return;
  process.stdout.write(`${out}\n${what} ended with ${code}.\n`);
  process.exitCode = 1;
}

const servers: readonly (readonly [name: string, run: (seed: number) => Promise<Ended>])[] = [
  ...(options.strangers ? [] : [['mock', onMock] as const]),
  ...(options.mock
    ? []
    : (['strict', 'lenient'] as const).map(
        (character) => [`${character} stranger`, (seed: number) => onStranger(character, seed)] as const,
      )),
];
// At the same time: on the strangers, a run waits for most of its time.
for (let seed = first; seed <= last; seed += 1)
  await Promise.all(servers.map(async ([name, onServer]) => report(`seed ${seed}, ${name}`, await onServer(seed))));
