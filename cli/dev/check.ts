/** `npm run check`: every check of the project one after the other, and one list of what failed. */
import { spawnSync } from 'node:child_process';

/** What to do about a failure that the output of the command does not explain. */
const remedies: Readonly<Record<string, string>> = {
  documents:
    'The generated files above differ from the index of Git. If the changes are right, git add these files, and run the check again.',
};

const checks: readonly (readonly [name: string, command: string])[] = [
  // Code that runs in a browser has its own configuration, in each folder named page.
  ['types', 'tsc -p tsconfig.json && tsc -p reports/html/page && tsc -p mock/server/console/page'],
  ['lint', 'oxlint --type-aware --deny-warnings'],
  ['format', 'oxfmt --check'],
  [
    'documents',
    'npm run --silent documents && git diff --exit-code --stat -- docs spec/generated spec/formats/generated spec/ruleset fixtures/bad-documents package-lock.json',
  ],
  ['tests', 'npm test --silent && npm run test:slow --silent'],
  ['teeth', 'npm run --silent teeth'],
];

const only = process.argv.slice(2);
const unknown = only.filter((name) => !checks.some(([known]) => known === name));
if (unknown.length > 0) {
  process.stderr.write(
    `check: "${unknown.join(', ')}" is unknown; allowed: ${checks.map(([name]) => name).join(', ')}.\n`,
  );
  process.exit(2);
}

const wanted = checks.filter(([name]) => only.length === 0 || only.includes(name));
const failed = wanted.filter(([name, command]) => {
  process.stdout.write(`\n── ${name}: ${command}\n`);
  return spawnSync(command, { shell: true, stdio: 'inherit' }).status !== 0;
});

for (const [name, command] of failed) {
  const remedy = remedies[name] === undefined ? '' : `  ${remedies[name]}\n`;
  process.stdout.write(`failed: ${name} (${command})\n${remedy}`);
}
process.stdout.write(failed.length === 0 ? `\nEvery check passed: ${wanted.map(([name]) => name).join(', ')}.\n` : '');
process.exitCode = failed.length === 0 ? 0 : 1;
