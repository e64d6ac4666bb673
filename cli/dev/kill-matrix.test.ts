/** Checks that the published score belongs to the current rules and deviations. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { deviationIds } from '../../mock/deviations/index.ts';
import { badge, BADGE_FILE, catalogueHash, killMatrix, KILL_MATRIX_FILE } from './kill-matrix.ts';
import { teethResultOf, type Verdicts } from './teeth-verdict.ts';

const root = path.join(import.meta.dirname, '../..');
const published = readFileSync(path.join(root, KILL_MATRIX_FILE), 'utf8');
const publishedBadge = readFileSync(path.join(root, BADGE_FILE), 'utf8');

const resultOf = (deviation: string, verdict: Verdicts[string]['verdict']) => {
  const [rule = ''] = deviation.split('/', 1);
  return teethResultOf(deviation, { [rule]: { verdict, reason: 'so', milliseconds: 7, exchanges: 1 } });
};
const killed = [
  'vpcs.create.answers-resource',
  'vpcs.create.answers-resource/returns-201-for-a-vpc-without-labels',
].map((id) => resultOf(id, 'failed'));
const survivor = resultOf('naming.name.immutable', 'passed');

test('docs/kill-matrix.md is of these rules and deviations; if not, run npm run teeth -- --publish', () => {
  expect(published).toContain(catalogueHash());
  expect(published).toContain(`${deviationIds.length} of ${deviationIds.length} deviations killed`);
  expect(publishedBadge).toContain(`>${deviationIds.length} / ${deviationIds.length}<`);
});

test('the page has the score by area and the survivors', () => {
  const page = killMatrix([...killed, survivor]);
  expect(page).toContain('**2 of 3 deviations killed.**');
  expect(page).toContain('| naming | 1 | 1 | 0 | 0 % |\n| vpcs | 1 | 2 | 2 | 100 % |\n| all | 2 | 3 | 2 | 66.6 % |');
  expect(page).toContain('- naming.name.immutable survived: passed so');
  expect(killMatrix(killed)).toContain('## Survivors\n\nNone.');
});

test('the badge is red as soon as a deviation survives', () => {
  expect(badge(killed)).toContain('#2e7d32');
  expect(badge([...killed, survivor])).toMatch(/aria-label="deviations killed: 2 \/ 3"[^]*#b71c1c/);
});
