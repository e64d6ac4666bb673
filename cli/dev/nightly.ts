/** `npm run nightly`: the slow tests, and the checks of which the tests run a sample. Takes hours. */
import { spawnSync } from 'node:child_process';
import { Argument } from 'commander';
import { devCommand } from './dev-command.ts';

const steps: Readonly<Record<string, readonly string[]>> = {
  'slow-tests': ['npm', 'run', 'test:slow'],
  'secret-outputs': ['vitest', 'run', 'cli/e2e/secret-outputs.test.ts'],
  package: ['npm', 'run', 'test:package'],
  teeth: ['npm', 'run', 'teeth'],
  'quick-teeth': ['npm', 'run', 'teeth', '--', '--quick'],
  seeds: ['npm', 'run', 'seeds', '--', '1', '5'],
  'one-at-a-time': ['npm', 'run', 'seeds', '--', '1', '2', '--strangers', '--concurrency', '1'],
  'many-at-once': ['npm', 'run', 'seeds', '--', '1', '2', '--strangers', '--concurrency', '64'],
  profiles: ['npm', 'run', 'profiles'],
  'mcp-servers': ['npm', 'run', 'mcp-servers'],
  'oauth-servers': ['npm', 'run', 'oauth-servers'],
  clients: ['npm', 'run', 'clients'],
  'chat-clients': ['npm', 'run', 'chat-clients'],
  'public-documents': ['npm', 'run', 'public-documents'],
  'report-readers': ['npm', 'run', 'report-readers'],
  hostile: ['npm', 'run', 'hostile', '--', '--requests', '1000000'],
};

const command = devCommand('nightly', 'runs every check that takes minutes: slow tests, deviations, seeds and profiles')
  .addArgument(new Argument('[checks...]', 'only these').choices(Object.keys(steps)).default(Object.keys(steps), 'all'))
  .parse();
const [selected] = command.processedArgs as [string[]];

const outcomes = selected.map((name) => {
  const [program = '', ...words] = steps[name]!;
  process.stdout.write(`\n── ${name}: ${[program, ...words].join(' ')}\n`);
  const start = performance.now();
  const { status } = spawnSync(program, words, { stdio: 'inherit', env: { ...process.env, ASSAY_NIGHTLY: '1' } });
  return { name, passed: status === 0, seconds: Math.round((performance.now() - start) / 1000) };
});
for (const { name, passed, seconds } of outcomes)
  process.stdout.write(`${passed ? 'passed' : 'failed'}  ${name} (${seconds} s)\n`);
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;
