import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { limits } from '../../../spec/values.ts';
import { bodyFindings } from '../../../spec/validators.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { createOperations, nameOfLength, plainMetadata, withNewName, richMetadata } from './creates.ts';

const ledgerFile = () => path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
const runWith = (resources: object) =>
  openTestRun({ address: 'http://127.0.0.1:9', allow: 'write', ledgerFile: ledgerFile(), target: { resources } });

const run = runWith({ connection: 'demo-connection', mailIntegration: 'google-mail' });

test('every documented create of a resource with metadata is included', () => {
  expect(createOperations(run).map(({ id }) => id)).toEqual(
    expect.arrayContaining(['createVpc', 'createIntegrationConnection', 'createFunction']),
  );
});

test('a create is omitted if the target lacks a name that its spec needs', () => {
  expect(createOperations(runWith({ mailIntegration: 'google-mail' })).map(({ id }) => id)).not.toContain(
    'createFunction',
  );
  expect(createOperations(runWith({})).map(({ id }) => id)).toEqual(['createVpc']);
});

test.each(createOperations(run))('plain and rich bodies of $id match the documents', ({ id, input }) => {
  for (const metadata of [plainMetadata(run), richMetadata(run)])
    expect(bodyFindings(id, input(metadata).body)).toEqual([]);
});

test('rich metadata has the maximum length', () => {
  const { name, displayName } = richMetadata(run);
  expect([name.length, displayName.length]).toEqual([limits.nameLength, limits.displayNameLength]);
});

test.each([20, 36, 48, 49, 50, 300])(
  'a name of %i characters is new and has the same form as shorter ones',
  (length) => {
    const name = nameOfLength(run, length);
    expect(name).toHaveLength(length);
    expect(name).toMatch(/^assay-test-[a-z0-9]+(-[a-z0-9]+)+$/);
    expect(nameOfLength(run, length)).not.toBe(name);
  },
);

test('withNewName changes only the name, and keeps its length at the maximum', () => {
  for (const { input } of createOperations(run)) {
    const rich = input(richMetadata(run));
    const { metadata, spec } = withNewName(run, rich).body as {
      metadata: { name: string; labels: object };
      spec: object;
    };
    const before = rich.body as { metadata: { name: string; labels: object }; spec: object };
    expect(metadata.name).not.toBe(before.metadata.name);
    expect(metadata.name).toHaveLength(limits.nameLength);
    expect([metadata.labels, spec]).toEqual([before.metadata.labels, before.spec]);
  }
});
