/** Holds the cases and the catalogue together. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { requirements } from '../../spec/requirements/index.ts';

/** In a process of its own: suite files register what they hold as they load. */
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
