/** A run that is interrupted ends in good order, tried with the real command. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../spec/verdicts.ts';
import { newFolder, run, targetFile } from './assay-process.ts';
import { changesOf, watchedMock } from './watched-mock.ts';
import type { Passing } from './watched-mock.ts';

const RULES = ['--runs', '1', '--only', 'versions.*', '--only', 'resources.shapes.*', '--skip', 'versions.header.*'];
const reportIn = (folder: string) => JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as Report;

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends the run, undoes it, and the report is not complete',
  async (signal) => {
    let child: ChildProcess | undefined;
    let creations = 0;
    const onRequest = ({ method, url, status }: Passing): void => {
      if (
        status === undefined &&
        method === 'POST' &&
        /\/v0\/(vpcs|agents|functions)$/.test(url) &&
        (creations += 1) === 2
      )
        child?.kill(signal);
    };
    await using watched = await watchedMock(onRequest);
    const before = await watched.contents();
    const folder = path.join(newFolder(), 'report');
    const words = ['test', '--target', targetFile(watched.target), '--report', folder, '--allow', 'write', ...RULES];
    const { code, out } = await run(words, { onStart: (started) => (child = started) });
    expect(out).toContain('ending in good order');
    expect({ code, complete: reportIn(folder).run.complete }).toEqual({ code: 3, complete: false });
    expect(changesOf(before, await watched.contents())).toEqual({ added: [], gone: [] });
    expect(existsSync(path.join(folder, 'ledger.ndjson'))).toBe(false);
  },
);

test('a signal from before the first case leaves a report that says so', async () => {
  let child: ChildProcess | undefined;
  let requests = 0;
  const onRequest = ({ status }: Passing): void => {
    if (status === undefined && (requests += 1) === 1) child?.kill('SIGTERM');
  };
  await using watched = await watchedMock(onRequest);
  const folder = path.join(newFolder(), 'report');
  const words = ['test', '--target', targetFile(watched.target), '--report', folder, ...RULES];
  const { code } = await run(words, { onStart: (started) => (child = started) });
  const { run: facts, summary } = reportIn(folder);
  expect({ code, complete: facts.complete, passed: summary.passed }).toEqual({ code: 3, complete: false, passed: 0 });
});

test('a second signal while the run is being undone ends it at once, and the ledger says what is left', async () => {
  let child: ChildProcess | undefined;
  const folder = path.join(newFolder(), 'report');
  const onRequest = ({ method, status }: Passing): void => {
    if (status === undefined && method === 'DELETE' && existsSync(path.join(folder, 'report.json')))
      child?.kill('SIGINT');
  };
  // Nothing can be removed there, so there is much to undo.
  await using watched = await watchedMock(onRequest, { onlyDocumented: true });
  const words = ['test', '--target', targetFile(watched.target), '--report', folder, '--rate', '20', '--runs', '1'];
  const selected = ['--allow', 'write', '--only', 'versions.listed.*', '--only', 'vpcs.*', '--only', 'functions.*'];
  const { code, out } = await run([...words, ...selected], { onStart: (started) => (child = started) });
  expect({ code, undone: out.includes('Not removed') }).toEqual({ code: 3, undone: false });
  expect(readFileSync(path.join(folder, 'ledger.ndjson'), 'utf8')).toContain('"removing":true');
});
