import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { bearer, everythingPath } from '../../testing/mcp-client.ts';

const suite = new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url)
  .pathname;

/** A proxy that adds credentials to each request, because the suite does not support them. */
async function withCredential(mock: RunningMock) {
  const to = mock.addresses.host + everythingPath;
  const proxy = http.createServer((req, res) => {
    const headers = { ...req.headers, ...bearer(mock) };
    const onward = http.request(to, { method: req.method ?? 'GET', headers }, (response) => {
      res.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(res);
    });
    onward.on('error', () => res.destroy());
    res.on('close', () => onward.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', () => resolve()));
  const close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`, [Symbol.dispose]: close };
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** The checks of every scenario, as the suite wrote them down. */
async function checksIn(directory: string): Promise<Check[]> {
  const scenarios = await readdir(directory);
  const texts = scenarios.map((scenario) => readFile(join(directory, scenario, 'checks.json'), 'utf8'));
  return (await Promise.all(texts)).flatMap((text) => JSON.parse(text) as Check[]);
}

test('the function everything passes the official conformance suite for servers', async () => {
  await using mock = await startMock({ seed: 3, clock: 'frozen' });
  using proxy = await withCredential(mock);
  const results = await mkdtemp(join(tmpdir(), 'assay-mcp-'));
  try {
    const run = promisify(execFile)(process.execPath, [suite, 'server', '--url', proxy.url, '-o', results]);
    const { stdout } = await run.catch((failed: { stdout: string }) => failed);
    const checks = await checksIn(results);
    const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    expect({ failed, summary: /Total: .*/.exec(stdout)?.[0] }).toEqual({
      failed: [],
      summary: `Total: ${checks.filter(({ status }) => status === 'SUCCESS').length} passed, 0 failed`,
    });
    // The 30 scenarios of the active suite.
    expect(await readdir(results)).toHaveLength(30);
  } finally {
    await rm(results, { recursive: true });
  }
});
