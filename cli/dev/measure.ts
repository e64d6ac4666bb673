/** `npm run measure`: counts the requests of rules for `assay test --plan`, in a run against the mock (takes minutes for all). */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { appendValue } from '../command-line/flag-values.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { measure } from '../plan/measure-run.ts';
import { measuredRun } from '../plan/measured-requests.ts';
import { mergeMeasured } from '../plan/merge-measured.ts';
import { selectRules } from '../run/select-rules.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { devCommand } from './dev-command.ts';

const FILE = path.join(import.meta.dirname, '../plan/measured-requests.json');

const command = devCommand(
  'measure',
  'Counts the requests of every rule for assay test --plan, and writes cli/plan/measured-requests.json',
)
  .option('--only <glob>', 'measures these rules, and keeps the numbers of the others (repeatable)', appendValue)
  .parse();
const selected = selectedRules(command.opts<{ only?: string[] }>().only);
const measured = await measure(selected ?? requirements.map(({ id }) => id), (line) =>
  process.stdout.write(`${line}\n`),
);
const whole = selected === undefined ? measured : mergeMeasured(measuredRun, measured);
writeFileSync(FILE, JSON.stringify(whole));
execFileSync('oxfmt', [FILE], { stdio: 'inherit' });
process.stdout.write(`${Object.keys(measured.rules).length} rules measured.\n`);

function selectedRules(only: readonly string[] | undefined) {
  try {
    return selectRules(only);
  } catch (error) {
    if (error instanceof UsageError) command.error(`error: ${error.message}`);
    throw error;
  }
}
