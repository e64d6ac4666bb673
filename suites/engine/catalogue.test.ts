/** The catalogue and the cases: each rule has a case, and each value of a rule is read by one. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { requirements } from '../../spec/requirements/index.ts';

/** In a separate process, because suite files register their cases when they are loaded. */
function idsOfCases(): string[] {
  const script = `const { collectCases } = await import('./collect-cases.ts');
    process.stdout.write(JSON.stringify([...(await collectCases()).keys()]));`;
  const words = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, words, { cwd: import.meta.dirname, encoding: 'utf8' })) as string[];
}

const cases = idsOfCases();

test('every rule of the catalogue has a case', () => {
  expect(requirements.map(({ id }) => id).filter((id) => !cases.includes(id))).toEqual([]);
});

test('every value of a rule is read by a case', () => {
  const root = path.join(import.meta.dirname, '..');
  const sources = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });
  const code = sources.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
  const isRead = (key: string) =>
    new RegExp(String.raw`\.values\.${key}\b|\{[^{}]*\b${key}\b[^{}]*\} = [^;]*\.values\b`).test(code);
  const keys = requirements.flatMap((rule) => ('values' in rule ? Object.keys(rule.values) : []));
  expect([...new Set(keys)].filter((key) => !isRead(key))).toEqual([]);
});
