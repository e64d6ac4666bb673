/** An interrupted run shuts down gracefully; tested with the real command. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../spec/verdicts.ts';
import { assay, newFolder, onlyThese, run, targetFile } from './testing/assay-process.ts';
import { DUPLICATE_SIGNAL_MS } from '../command-line/signals.ts';
import { changesOf, startRecordingMock } from './testing/recording-mock.ts';
import type { RecordedRequest } from './testing/recording-mock.ts';

const RULES = ['--runs', '1', ...onlyThese('versions.*', 'resources.shapes.*'), '--skip', 'versions.header.*'];
const reportIn = (folder: string) => JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as Report;

/** Signals a process while a run behind `wrapping` writes. Returns the outcome. */
async function interrupted(wrapping: (target: string) => string[], tell: (child: ChildProcess) => void) {
  let child: ChildProcess | undefined;
  let creations = 0;
  const onRequest = ({ method, url, status }: RecordedRequest): void => {
    const isCreation = status === undefined && method === 'POST' && /\/v0\/(vpcs|agents|functions)$/.test(url);
    if (isCreation && (creations += 1) === 2 && child !== undefined) tell(child);
  };
  await using watched = await startRecordingMock(onRequest);
  const before = await watched.contents();
  const folder = path.join(newFolder(), 'report');
  const words = [...wrapping(targetFile(watched.target)), '--report', folder, '--allow', 'write', ...RULES];
  const { code, out } = await run(words, { detached: true, onStart: (started) => (child = started) });
  const { added, gone } = changesOf(before, await watched.contents());
  return {
    noticeCount: out.split('press Ctrl-C again').length - 1,
    code,
    complete: reportIn(folder).run.complete,
    changes: { added: added.filter((line) => !line.includes('/tmp/assay-')), gone }, // Files cannot be removed.
    ledger: existsSync(path.join(folder, 'ledger.ndjson')),
  };
}

const undone = { noticeCount: 1, code: 3, complete: false, changes: { added: [], gone: [] }, ledger: false };

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends the run, undoes it, and the report is not complete',
  async (signal) => {
    const found = await interrupted(
      (target) => ['test', '--target', target],
      (child) => child.kill(signal),
    );
    expect(found).toEqual(undone);
  },
);

const command = [process.execPath, assay];
/** A run behind two commands that pass signals on. */
const nested = (target: string): string[] => [
  'mock',
  '--',
  ...command,
  'proxy',
  '--target',
  target,
  '--',
  ...command,
  'test',
];

describe('a run inside assay mock -- assay proxy shuts down gracefully', () => {
  test('when a terminal signals the whole process group and npx forwards the signal as well', async () => {
    const found = await interrupted(nested, ({ pid }) => process.kill(-(pid as number), 'SIGINT'));
    expect(found).toEqual(undone);
  });

  test('when only the first process is signalled', async () => {
    const found = await interrupted(nested, (child) => child.kill('SIGTERM'));
    expect(found).toEqual(undone);
  });
});

test('a signal from before the first case leaves a report that says so', async () => {
  let child: ChildProcess | undefined;
  let requests = 0;
  const onRequest = ({ status }: RecordedRequest): void => {
    if (status === undefined && (requests += 1) === 1) child?.kill('SIGTERM');
  };
  await using watched = await startRecordingMock(onRequest);
  const folder = path.join(newFolder(), 'report');
  const words = ['test', '--target', targetFile(watched.target), '--report', folder, ...RULES];
  const { code } = await run(words, { onStart: (started) => (child = started) });
  const { run: facts, summary } = reportIn(folder);
  expect({ code, complete: facts.complete, passed: summary.passed }).toEqual({ code: 3, complete: false, passed: 0 });
});

test('rules that have ended keep their verdict, and so do those that have only finished their first inputs', async () => {
  let child: ChildProcess | undefined;
  let updates = 0;
  // The first inputs need 49 of 249 updates, and the other two rules need few requests.
  const onRequest = ({ method, status }: RecordedRequest): void => {
    if (status === undefined && method === 'PUT' && (updates += 1) === 120) child?.kill('SIGINT');
  };
  await using watched = await startRecordingMock(onRequest, { deviate: ['metrics.resolution.hourly-cap'] });
  const folder = path.join(newFolder(), 'report');
  const words = ['test', '--target', targetFile(watched.target), '--report', folder, '--allow', 'write'];
  const rules = ['agents.update.wrong-type-400', 'metrics.resolution.hourly-cap', 'vpcs.create.envelope-required'];
  const { code } = await run([...words, ...onlyThese(...rules)], { onStart: (started) => (child = started) });
  const { run: facts, summary } = reportIn(folder);
  const found = { code, complete: facts.complete, passed: summary.passed, failed: summary.failed };
  expect(found).toEqual({ code: 3, complete: false, passed: 2, failed: 1 });
});

test('what cannot be undone is in the report, its summary and its page', async () => {
  await using watched = await startRecordingMock(() => {}, { onlyDocumented: true });
  const folder = path.join(newFolder(), 'report');
  const words = ['test', '--target', targetFile(watched.target), '--report', folder, '--runs', '1', '--allow', 'write'];
  const { out } = await run([...words, '--only', 'vpcs.*']);
  const left = out.split('\n').filter((line) => line.startsWith('Not removed'));
  expect(left).not.toEqual([]);
  expect(reportIn(folder).left).toEqual(left);
  for (const file of ['summary.md', 'report.html'])
    expect(readFileSync(path.join(folder, file), 'utf8')).toContain(left[0]);
});

test('a second signal during the clean-up stops at once, and the ledger lists what remains', async () => {
  let child: ChildProcess | undefined;
  const folder = path.join(newFolder(), 'report');
  const onRequest = async ({ method, status }: RecordedRequest): Promise<void> => {
    if (status !== undefined || method !== 'DELETE' || !existsSync(path.join(folder, 'report.json'))) return;
    child?.kill('SIGINT');
    await setTimeout(DUPLICATE_SIGNAL_MS); // The next one is no copy of this one.
  };
  // Nothing can be removed there, so there is much to undo.
  await using watched = await startRecordingMock(onRequest, { onlyDocumented: true });
  const words = ['test', '--target', targetFile(watched.target), '--report', folder, '--runs', '1'];
  const selected = ['--allow', 'write', ...onlyThese('versions.listed.*', 'vpcs.*', 'functions.*')];
  const { code, out } = await run([...words, ...selected], { onStart: (started) => (child = started) });
  expect({ code, undone: out.includes('Not removed') }).toEqual({ code: 3, undone: false });
  expect(readFileSync(path.join(folder, 'ledger.ndjson'), 'utf8')).toContain('"removing":true');
});
