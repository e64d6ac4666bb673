/** `npm run bench`: measures performance as ratios within one run, and prints them next to their goals. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const groups = ['requests', 'start-up', 'memory', 'metrics', 'report', 'runs'];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !groups.includes(name));
if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. There are: ${groups.join(', ')}.`);
run('../cli/dev/build.ts');
// Each in its own process: code runs slower next to code that was loaded for something else.
for (const name of groups) if (wanted.length === 0 || wanted.includes(name)) run('group.ts', name);

function run(file: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, [path.join(import.meta.dirname, file), ...args], { stdio: 'inherit' });
}
