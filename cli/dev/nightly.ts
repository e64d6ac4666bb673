/** `npm run nightly`: the slow tests, and the checks of which the tests run a sample. Takes hours. */
import { spawnSync } from 'node:child_process';
import { devCommand } from './dev-command.ts';

devCommand('nightly', 'runs every check that takes minutes: slow tests, kills, deviations, seeds and profiles').parse();

const steps: readonly (readonly string[])[] = [
  ['npm', 'run', 'test:slow'],
  ['vitest', 'run', 'cli/e2e/secret-outputs.test.ts'],
  ['npm', 'run', 'test:package'],
  ['npm', 'run', 'teeth'],
  ['npm', 'run', 'teeth', '--', '--quick'],
  ['npm', 'run', 'seeds', '--', '1', '5'],
  ['npm', 'run', 'seeds', '--', '1', '2', '--strangers', '--concurrency', '1'],
  ['npm', 'run', 'seeds', '--', '1', '2', '--strangers', '--concurrency', '64'],
  ['npm', 'run', 'profiles'],
  ['npm', 'run', 'mcp-servers'],
  ['npm', 'run', 'oauth-servers'],
  ['npm', 'run', 'clients'],
  ['npm', 'run', 'chat-clients'],
  ['npm', 'run', 'report-readers'],
  ['npm', 'run', 'hostile', '--', '--requests', '1000000'],
];

const failed: string[] = [];
for (const [command = '', ...words] of steps) {
  const line = [command, ...words].join(' ');
  process.stdout.write(`\n── ${line}\n`);
  const { status } = spawnSync(command, words, { stdio: 'inherit', env: { ...process.env, ASSAY_NIGHTLY: '1' } });
  if (status !== 0) failed.push(line);
}
process.stdout.write(failed.length === 0 ? '\nEvery check passed.\n' : `\nFailed:\n${failed.join('\n')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
