/** A run with `allow: read` writes nothing, tried with the real command against a target that counts. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readReport } from '../../reports/read-report.ts';
import { newFolder, run, targetFile } from './testing/assay-process.ts';
import { changesOf, startRecordingMock } from './testing/recording-mock.ts';
import type { RecordedRequest } from './testing/recording-mock.ts';

const isWriting = ({ method }: RecordedRequest): boolean => /^(POST|PUT|PATCH|DELETE)$/.test(method);
const pathOf = ({ url }: RecordedRequest): string => url.replace(/\?.*/, '');
const isOfMcp = (passing: RecordedRequest): boolean => pathOf(passing).endsWith('/mcp'); // messages and sessions, no resources
/** Where resources and files live. */
const isOfState = (passing: RecordedRequest): boolean => /^\/(v0|sandbox)\//.test(pathOf(passing)) && !isOfMcp(passing);
const startsJobs = (passing: RecordedRequest): boolean => pathOf(passing).endsWith('/executions');

/** Only reads, and of all rules those that ask most. */
const skipped = ['--skip', 'metrics.{answer,buckets,cost,filters,group-by,parameters,roles,sums,usage}.*'];

test('no write is sent to the management API nor to a sandbox, no job starts, and the world stays as it was', async () => {
  const answered: RecordedRequest[] = [];
  const report = path.join(newFolder(), 'report');
  let hasLedger = false;
  const tell = (passing: RecordedRequest): void => {
    hasLedger ||= existsSync(path.join(report, 'ledger.ndjson'));
    if (passing.status !== undefined) answered.push(passing);
  };
  await using watched = await startRecordingMock(tell);
  const before = await watched.contents();
  const file = targetFile({ ...watched.target, allow: 'read' });
  const words = ['test', '--target', file, '--report', report, '--seed', '1', '--runs', '1', ...skipped];
  const { code } = await run(words);
  const { allow } = readReport(report).target;
  expect({ code, allow, hasLedger }).toEqual({ code: 0, allow: 'read', hasLedger: false });
  expect(answered.length).toBeGreaterThan(400);
  const writes = answered.filter(isWriting);
  expect(writes.filter(isOfState)).toEqual([]);
  expect(writes.filter(startsJobs)).toEqual([]);
  expect(changesOf(before, await watched.contents())).toEqual({ added: [], gone: [] });
});
