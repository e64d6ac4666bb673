import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { newFolder, run, targetFile } from './testing/assay-process.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readKnownFailures } from '../run/read-known-failures.ts';

const RULE = 'metrics.resolution.hourly-cap';

function listFile(text: string): string {
  const file = path.join(newFolder(), 'known.yaml');
  writeFileSync(file, text);
  return file;
}

test('a list is YAML or JSON', () => {
  const entry = { id: RULE, reason: 'old gateway', ticket: 'GW-7', expires: '2026-12-31' };
  expect(readKnownFailures(listFile(JSON.stringify([entry])))).toEqual([entry]);
  const yaml = `- id: ${RULE}\n  reason: old gateway\n  ticket: GW-7\n  expires: 2026-12-31\n`;
  expect(readKnownFailures(listFile(yaml))).toEqual([entry]);
  expect(readKnownFailures(listFile('[]'))).toEqual([]);
});

test.each([
  ['an unknown key', `[{id: ${RULE}, reason: r, until: 2026-12-31}]`, '"until"'],
  ['an unknown rule', '[{id: metrics.no.such, reason: r}]', '"metrics.no.such" is not the id of a must rule'],
  ['an observe rule', '[{id: metrics.pagination.order, reason: r}]', 'only observed'],
  ['a repeated rule', `[{id: ${RULE}, reason: r}, {id: ${RULE}, reason: s}]`, 'not unique'],
  ['no reason', `[{id: ${RULE}}]`, '"reason"'],
  ['no id', '[{reason: r}]', '"id"'],
  ['a day that does not exist', `[{id: ${RULE}, reason: r, expires: 2026-02-30}]`, '"2026-02-30"'],
  ['a day in another format', `[{id: ${RULE}, reason: r, expires: 31.12.2026}]`, '"31.12.2026"'],
  ['an object', `{id: ${RULE}}`, 'an array'],
  ['invalid YAML', '[', 'not readable'],
])('%s is rejected with a message that names it', (_, text, message) => {
  const file = listFile(text);
  expect(() => readKnownFailures(file)).toThrow(UsageError);
  expect(() => readKnownFailures(file)).toThrow(message);
});

test('a missing file is rejected', () => {
  expect(() => readKnownFailures('gone.yaml')).toThrow('--known-failures "gone.yaml": The file does not exist.');
});

test('the exit code is 0 for listed failures, 1 for stale or expired entries, 2 for an invalid list', async () => {
  await using mock = await startMock({ deviate: [RULE] });
  const words = ['test', '--target', targetFile(mock.target), '--runs', '5', '--only', RULE];
  const codeOf = async (text: string, ...more: string[]) =>
    (await run([...words, ...more, '--known-failures', listFile(text)])).code;
  expect(await codeOf(`[{id: ${RULE}, reason: r, expires: 2999-12-31}]`)).toBe(0);
  expect(await codeOf(`[{id: ${RULE}, reason: r, expires: 2020-12-31}]`)).toBe(1);
  const other = 'metrics.resolution.daily-cap';
  expect(await codeOf(`[{id: ${RULE}, reason: r}, {id: ${other}, reason: r}]`)).toBe(0);
  expect(await codeOf(`[{id: ${RULE}, reason: r}, {id: ${other}, reason: r}]`, '--only', other)).toBe(1);
  expect(await codeOf('[{}]')).toBe(2);
});

test('an operation covers no failure of a rule that names others, whose id covers it', async () => {
  const rule = 'auth.management.credential-required';
  // Its getIntegration answers without a credential.
  await using mock = await startMock({ deviate: [rule] });
  const words = ['test', '--target', targetFile({ ...mock.target, allow: 'read' }), '--quick', '--only', rule];
  const codeWith = async (id: string) =>
    (await run([...words, '--known-failures', listFile(JSON.stringify([{ id, reason: 'later' }]))])).code;
  expect(requirement(rule).operations).toEqual(expect.arrayContaining(['getIntegration', 'createVpc']));
  expect(await codeWith('getIntegration')).toBe(1);
  expect(await codeWith('POST /vpcs')).toBe(1);
  expect(await codeWith(rule)).toBe(0);
});
