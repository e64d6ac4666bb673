import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

function run(line: string): { status: number | null; out: string } {
  const [command, ...words] = line.split(' ');
  const file = path.join(import.meta.dirname, `${command}.ts`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], { encoding: 'utf8' });
  return { status, out: stdout + stderr };
}

/** By the words that are refused: what is said of them. */
const refused: Readonly<Record<string, string>> = {
  'teeth --each x': `'--each <n>' argument 'x' is invalid: expected an integer from 1`,
  'seeds --stranger': "unknown option '--stranger'",
  'measure --only no.such': '"no.such" matches no rule.',
  'stranger rude': "argument value 'rude' is invalid for argument 'character'. Allowed choices are strict, lenient.",
  'seeds 3 1': '3 1: expected the first and the last seed, such as 1 20.',
};

test.for(Object.entries(refused))('%s is rejected with the allowed values', ([line, sentence]) => {
  const { status, out } = run(line);
  expect(out).toContain(sentence);
  expect(out).toMatch(/\nAllowed: .*\. See npm run \w+ -- --help\.\n$/);
  expect(out).not.toContain('    at ');
  expect(status).toBe(2);
});

test('help tells how the command is called, and is no failure', () => {
  const { status, out } = run('seeds --help');
  expect(out).toContain('Usage: npm run seeds -- [options] [first] [last]');
  expect(status).toBe(0);
});
