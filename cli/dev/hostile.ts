/** `npm run hostile -- --requests 1000000`: sends hostile traffic of five kinds to a mock, while a second client measures it. */
import { integerBetween } from '../command-line/flag-values.ts';
import { devCommand } from './dev-command.ts';
import { runCampaign, type KindResult } from './hostile/campaign.ts';
import { brokenLimits, MAX_P99_MS, resultRow, resultTable } from './hostile/limits.ts';

const LAST_SEED = 2 ** 31 - 1;
const { requests, seed, from, maxP99 } = devCommand(
  'hostile',
  'sends invalid requests, malformed bytes, slow clients and pipelines to a mock, and measures it with a second client',
)
  .option('--requests <n>', 'how many to send; a fifth of each kind', integerBetween(5, 1_000_000_000), 50_000)
  .option('--seed <n>', 'the same seed gives the same requests', integerBetween(0, LAST_SEED), Date.now() % LAST_SEED)
  .option('--from <n>', 'how many requests to skip, to resume a run', integerBetween(0, 1_000_000_000), 0)
  .option('--max-p99 <ms>', 'for requests of the second client', integerBetween(1, 1_000_000), MAX_P99_MS)
  .parse()
  .opts<{ requests: number; seed: number; from: number; maxP99: number }>();

const commandFrom = (position: number): string =>
  `npm run hostile -- --requests ${requests} --seed ${seed} --from ${position}`;

let reached = from;
process.once('SIGINT', () => {
  process.stdout.write(`\nInterrupted. To resume:\n  ${commandFrom(reached)}\n`);
  process.exit(130);
});

const PROGRESS_EVERY_MS = 10_000;
let reported = 0;
function onProgress(kind: string, position: number): void {
  reached = position;
  if (Date.now() - reported < PROGRESS_EVERY_MS) return;
  reported = Date.now();
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${kind}: ${position} of ${requests} requests\n`);
}

const onResult = (result: KindResult) => void process.stdout.write(`${resultRow(result)}\n`);

async function report(): Promise<number> {
  process.stdout.write(`Seed ${seed}. To repeat: ${commandFrom(from)}\n`);
  try {
    const result = await runCampaign({ requests, seed, from, onProgress, onResult });
    process.stdout.write(`\n${resultTable(result)}\n`);
    const broken = brokenLimits(result, maxP99);
    for (const sentence of broken) process.stdout.write(`\n${sentence}\n`);
    for (const { kind, what, problem, at, command: sent } of result.violations)
      process.stdout.write(`\n${kind}, ${what}: ${problem}\n  ${sent}\n  ${commandFrom(at)}\n`);
    if (result.violations.length > 0)
      process.stdout.write('\nThe commands are for: npx --no assay mock --seed 1 --control-token hostile\n');
    if (broken.length === 0) process.stdout.write('\nNo limit was exceeded.\n');
    return broken.length === 0 ? 0 : 1;
  } catch (error) {
    process.stdout.write(`\n${describeError(error)}\nTo resume:\n  ${commandFrom(reached)}\n`);
    return 1;
  }
}

const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

// Without waiting for the connections that were reset: Node 24 waits for some of them forever.
process.exit(await report());
