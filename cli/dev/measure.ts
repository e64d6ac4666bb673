/** `npm run measure`: counts the requests of every rule for `assay test --plan`, in a run against the mock (takes minutes). */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { measureAll } from '../plan/measure-run.ts';
import { devCommand } from './dev-command.ts';

const FILE = path.join(import.meta.dirname, '../plan/measured-requests.json');

devCommand(
  'measure',
  'Counts the requests of every rule for assay test --plan, and writes cli/plan/measured-requests.json',
).parse();
const { capacities, rules } = await measureAll();
const lines = Object.entries(rules).map(([id, rule]) => `${JSON.stringify(id)}: ${JSON.stringify(rule)}`);
writeFileSync(FILE, `{"capacities": ${JSON.stringify(capacities)}, "rules": {\n${lines.join(',\n')}\n}}\n`);
process.stdout.write(`${lines.length} rules measured.\n`);
