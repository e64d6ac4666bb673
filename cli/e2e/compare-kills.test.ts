/** What a comparison leaves behind that was killed is undone by `assay sweep` on both targets, tried with the real commands. */
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder, run, targetFile } from './testing/assay-process.ts';
import { changesOf, startRecordingMock, type RecordedRequest } from './testing/recording-mock.ts';
import { sampleSize } from './testing/sample-size.ts';

/** Of writing requests to the first target; the sequence sends about sixty. */
const WRITES = 60;
const all = Array.from({ length: 30 }, (_, index) => 1 + Math.floor((index * WRITES) / 30));
const kills = sampleSize(2, all.length) === all.length ? all : [all[7]!, all[22]!];

test.each(kills)('a comparison that is killed at write %s is undone on both targets', async (nth) => {
  let child: ChildProcess | undefined;
  let writes = 0;
  const onRequest = ({ method, status }: RecordedRequest): void => {
    if (method !== 'GET' && status === undefined && (writes += 1) === nth) child?.kill('SIGKILL');
  };
  await using a = await startRecordingMock(onRequest);
  await using b = await startRecordingMock();
  const before = [await a.contents(), await b.contents()];
  const files = [a, b].map(({ target }, index) => targetFile({ ...target, name: 'ab'[index]!, allow: 'write' }));
  const report = path.join(newFolder(), 'report');
  const words = ['compare', ...files, '--seed', '3', '--requests', '150', '--report', report];
  const killed = await run(words, { onStart: (started) => (child = started) });
  expect(killed.code).toBeNull();
  for (const [index, side] of ['a', 'b'].entries()) {
    const { code, out } = await run([
      'sweep',
      '--target',
      files[index]!,
      '--force',
      '--report',
      path.join(report, side),
    ]);
    expect({ code, out }).toEqual({ code: 0, out: expect.any(String) });
  }
  const after = [await a.contents(), await b.contents()];
  const changes = before.map((each, index) => changesOf(each, after[index]!));
  // Files of a sandbox and executions of jobs cannot be removed.
  const left = changes.map(({ added, gone }) => ({
    added: added.filter((line) => !/\/tmp\/assay-|\/executions"/.test(line)),
    gone,
  }));
  expect(left).toEqual([
    { added: [], gone: [] },
    { added: [], gone: [] },
  ]);
});
