/** The reader of the output may exit early. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { Report } from '../../spec/verdicts.ts';
import { assay, newFolder, run, targetFile } from './testing/assay-process.ts';
import type { Options } from './testing/assay-process.ts';

const unreadOut: Options = { onStart: ({ stdout }) => stdout?.destroy() };
const unread: Options = { onStart: ({ stdout, stderr }) => [stdout, stderr].forEach((stream) => stream?.destroy()) };

test.each(['rules', 'rules --json', 'mock --list-deviations', 'test --help', 'lint --help'])(
  'assay %s exits without an error if nobody reads its output',
  async (words) => {
    expect(await run(words.split(' '), unreadOut)).toEqual({ code: 0, out: '' });
  },
);

test('a run completes if nobody reads its output', async () => {
  await using mock = await startMock();
  const folder = path.join(newFolder(), 'report');
  const words = ['test', '--target', targetFile(mock.target), '--report', folder, '--allow', 'write', '--runs', '1'];
  const { code } = await run([...words, '--only', 'versions.*'], unread);
  const { run: facts } = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as Report;
  const ledger = existsSync(path.join(folder, 'ledger.ndjson'));
  expect({ code, complete: facts.complete, ledger }).toEqual({ code: 0, complete: true, ledger: false });
});

test.runIf(existsSync('/dev/full'))('another output error is reported', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [assay, 'rules'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect(stderr).toContain('ENOSPC');
  expect(status).not.toBe(0);
});
