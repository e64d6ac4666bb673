import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runOnChanges } from './run-on-changes.ts';

test('a server that restarts during every run is tested twice, and twice again when a file has changed', async () => {
  const server = createServer();
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'server.ts');
  writeFileSync(file, '1');
  const interrupted = new AbortController();
  let runCount = 0;
  const running = runOnChanges(
    { paths: [file], server: `http://127.0.0.1:${port}`, ignored: '/nowhere' },
    interrupted.signal,
    async () => {
      runCount += 1;
      await wait(300); // until it is known that the server listens
      await new Promise((resolve) => server.close(resolve));
      await wait(300);
      await listen(port);
      await wait(300);
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
  server.close();
});
