/** Checks the decisions: numbered without gaps, with the same sections, about rules that exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isRequirementId } from '../requirements/index.ts';

const folder = new URL('./', import.meta.url);
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .toSorted();

test('decisions are numbered from 001 without a gap', () => {
  expect(files.length).toBeGreaterThan(0);
  expect(files.map((file) => file.slice(0, 4))).toEqual(
    files.map((_, index) => `${String(index + 1).padStart(3, '0')}-`),
  );
});

test.each(files)('%s has a title, a question, a decision, a reason and rules', (file) => {
  const headings = [...readFileSync(new URL(file, folder), 'utf8').matchAll(/^(#+) (.+)$/gm)];
  expect(headings.map(([, level]) => level)).toEqual(['#', '##', '##', '##', '##']);
  expect(headings.slice(1).map(([, , text]) => text)).toEqual(['Question', 'Decision', 'Why', 'Rules']);
});

test.each(files)('%s refers to rules of the catalogue', (file) => {
  const [, rules = ''] = readFileSync(new URL(file, folder), 'utf8').split('## Rules\n');
  const ids = [...rules.matchAll(/^- (\S+)$/gm)].map(([, id = '']) => id);
  expect(ids).not.toEqual([]);
  expect(ids.filter((id) => !isRequirementId(id))).toEqual([]);
});
