/** Holds the cases and the catalogue together. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { requirements } from '../spec/requirements/index.ts';

/** In a process of its own: suite files register what they hold as they load. */
function idsOfCases(): { id: string; level: string }[] {
  const script = `const { collectCases } = await import('./collect-cases.ts');
    const cases = [...(await collectCases()).values()].map(({ rule: { id, level } }) => ({ id, level }));
    process.stdout.write(JSON.stringify(cases));`;
  const words = ['--input-type=module', '--eval', script];
  return JSON.parse(
    execFileSync(process.execPath, words, { cwd: path.join(import.meta.dirname), encoding: 'utf8' }),
  ) as { id: string; level: string }[];
}

const cases = idsOfCases().map(({ id }) => id);

test('every rule of the catalogue has a case', () => {
  expect(requirements.map(({ id }) => id).filter((id) => !cases.includes(id))).toEqual([]);
});
