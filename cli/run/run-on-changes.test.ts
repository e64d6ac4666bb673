import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TargetUnreachableError } from '../command-line/find-target.ts';
import { INTERRUPTED } from '../command-line/interruption.ts';
import { runOnChanges } from './run-on-changes.ts';
import { NO_SERVER } from './watch-changes.ts';

const newFile = (): string => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'server.ts');
  writeFileSync(file, '1');
  return file;
};

test('a server that restarts during every run is tested twice, and twice again when a file has changed', async () => {
  const server = createServer();
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const file = newFile();
  const interrupted = new AbortController();
  let runCount = 0;
  const stopped: boolean[] = [];
  const running = runOnChanges(
    { paths: [file], server: { address: () => `http://127.0.0.1:${port}` }, ignored: '/nowhere' },
    interrupted.signal,
    async (changed) => {
      runCount += 1;
      await wait(300); // until it is known that the server listens
      await new Promise((resolve) => server.close(resolve));
      await wait(300);
      await listen(port);
      await wait(300);
      stopped.push(changed.aborted);
      return 1;
    },
  );
  await wait(6000);
  expect(runCount).toBe(2);
  writeFileSync(file, '2');
  await wait(4000);
  expect(runCount).toBe(4);
  interrupted.abort();
  expect(await running).toBe(1);
  // By the restarts.
  expect(stopped).toEqual([false, false, false, false]);
  server.close();
});

/** A run that waits until it is stopped, or until the test ends it. */
interface PendingRun {
  readonly changed: AbortSignal;
  readonly end: (code: number) => void;
}

function watchFile(file: string, { beforeRun = (): void => {}, codeOnChange = INTERRUPTED } = {}) {
  const runs: PendingRun[] = [];
  const interrupted = new AbortController();
  const watched = { paths: [file], server: NO_SERVER, ignored: '/nowhere' };
  const running = runOnChanges(watched, interrupted.signal, (changed) => {
    beforeRun();
    const { promise, resolve: end } = Promise.withResolvers<number>();
    runs.push({ changed, end });
    changed.addEventListener('abort', () => end(codeOnChange));
    interrupted.signal.addEventListener('abort', () => end(INTERRUPTED));
    return promise;
  });
  return { runs, running, interrupt: () => interrupted.abort() };
}

/** Longer than it takes until a change is noticed. */
const NOTICED_MS = 500;

test('a change of a file stops the run in progress, but not the run after that', async () => {
  const file = newFile();
  const { runs, running, interrupt } = watchFile(file);
  writeFileSync(file, '2');
  await expect.poll(() => runs.length).toBe(2);
  expect(runs[0]?.changed.aborted).toBe(true);
  writeFileSync(file, '3');
  await wait(NOTICED_MS);
  expect([runs.length, runs[1]?.changed.aborted]).toEqual([2, false]);
  // It was tested before the change.
  runs[1]?.end(1);
  await expect.poll(() => runs.length).toBe(3);
  writeFileSync(file, '4');
  await expect.poll(() => runs.length).toBe(4);
  interrupt();
  expect([await running, runs.length]).toEqual([INTERRUPTED, 4]);
});

test('a run that has its verdicts before a change is not a stopped one', async () => {
  const file = newFile();
  const { runs, running, interrupt } = watchFile(file, { codeOnChange: 1 });
  writeFileSync(file, '2');
  await expect.poll(() => runs.length).toBe(2);
  writeFileSync(file, '3');
  await expect.poll(() => runs.length).toBe(3);
  expect(runs[1]?.changed.aborted).toBe(true);
  interrupt();
  expect(await running).toBe(INTERRUPTED);
});

test('a change while the target does not respond stops no run', async () => {
  const file = newFile();
  let isUp = false;
  const beforeRun = (): void => {
    if (!isUp) throw new TargetUnreachableError('Nothing listens.');
  };
  const { runs, running, interrupt } = watchFile(file, { beforeRun });
  writeFileSync(file, '2');
  await wait(NOTICED_MS);
  isUp = true;
  await expect.poll(() => runs.length).toBe(1);
  await wait(NOTICED_MS);
  expect([runs.length, runs[0]?.changed.aborted]).toEqual([1, false]);
  interrupt();
  expect(await running).toBe(INTERRUPTED);
});
