import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bodyFindings } from '../../../spec/validators.ts';
import type { RequirementId } from '../../../spec/requirements/index.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { createOperations, plainMetadata, variedMetadata } from './creates.ts';

const runOf = (rule: RequirementId) => {
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const resources = { connection: 'demo-connection', mailIntegration: 'google-mail' };
  return openTestRun({ address: 'http://127.0.0.1:9', allow: 'write', ledgerFile, rule, target: { resources } });
};

const several = <T>(make: () => T): T[] => Array.from({ length: 12 }, make);
const displayNamesOf = (rule: RequirementId, metadata = plainMetadata) => {
  const run = runOf(rule);
  return several(() => metadata(run).displayName);
};

test('creates of a case have different display names, the same ones for the same seed', () => {
  const names = displayNamesOf('vpcs.create.answers-resource');
  expect(new Set(names).size).toBeGreaterThan(3);
  expect(displayNamesOf('vpcs.create.answers-resource')).toEqual(names);
  expect(displayNamesOf('naming.name.at-most-49')[0]).not.toBe(names[0]);
});

test.each([
  ['upper case', /[A-Z]{2}/],
  ['digits at the end', /0\d+$/],
  ['punctuation between words', /\w[.:_–] ?\w/],
  ['letters beyond ASCII', /[^\0-\x7f]/],
])('some have %s', (_, pattern) => {
  const names = displayNamesOf('vpcs.create.answers-resource', variedMetadata);
  expect(names.filter((name) => pattern.test(name))).not.toEqual([]);
});

test('they have different labels, and match the documents', () => {
  const run = runOf('vpcs.create.answers-resource');
  const metadata = several(() => variedMetadata(run));
  expect(new Set(metadata.map(({ labels }) => JSON.stringify(labels))).size).toBeGreaterThan(3);
  for (const { id, input } of createOperations(run))
    for (const each of metadata) expect(bodyFindings(id, input(each).body)).toEqual([]);
});
