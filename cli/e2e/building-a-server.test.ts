/** What matters to somebody who builds a server: short output while a route is missing, and no waiting for lost state. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { onlyThese, run, targetFile } from './testing/assay-process.ts';

/** Instead of a screen full of progress, a terminal has one line. */
const withoutProgress = (out: string): string[] =>
  out
    .trim()
    .split('\n')
    .filter((line) => !/^\d+ s: /.test(line));

const METRICS = { operation: 'getAccountMetrics', route: 'GET /accounts/{accountId}/metrics', minRules: 50 } as const;
const UPDATE = { operation: 'updateAgent', route: 'PUT /agents/{agentName}', minRules: 20 } as const;

test.each([
  { ...METRICS, words: ['--operation', METRICS.operation] },
  { ...METRICS, words: [] },
  { ...UPDATE, words: ['--operation', UPDATE.operation] },
  { ...UPDATE, words: [] },
])('without $route, which at least $minRules rules wait for, a run has at most 20 lines: $words', async (row) => {
  const { operation, route, minRules, words } = row;
  await using mock = await startMock();
  await mock.faults.set([{ operation, status: 404 }]);
  const { client: __, addresses, credentials, ...target } = mock.target;
  // As a server has that is being built: most rules lack something.
  const file = targetFile({
    ...target,
    addresses: { management: addresses.management },
    credentials: { admin: credentials.admin },
    resources: { agent: 'demo-agent' },
    allow: 'write',
  });
  const { code, out } = await run(['test', '--quick', '--target', file, '--seed', '11', ...words]);
  const lines = withoutProgress(out);
  expect({ code, failed: lines.filter((line) => line.startsWith('failed ')) }).toEqual({
    code: 1,
    failed: [expect.stringContaining(`failed ${route} is not implemented (404): `)],
  });
  const [, ruleCount] = /: (\d+) rules wait for it$/m.exec(out) ?? [];
  expect(Number(ruleCount)).toBeGreaterThanOrEqual(minRules);
  expect(lines.length).toBeLessThanOrEqual(20);
});

test('with a list of operations in the target file, others are one line, and a listed one that is missing fails', async () => {
  await using mock = await startMock();
  const { client: _, ...target } = mock.target;
  const file = targetFile({ ...target, allow: 'read', operations: ['GET /accounts', 'listMetricsGroupBy'] });
  const runOfFile = () => run(['test', '--quick', '--target', file, '--seed', '11']);
  const others = /^not implemented: \d\d operations, \d+ rules$/gm;
  const complete = await runOfFile();
  expect(complete.code).toBe(0);
  expect(complete.out.match(others)).toHaveLength(1);
  await mock.faults.set([{ operation: 'listMetricsGroupBy', status: 404 }]);
  const { code, out } = await runOfFile();
  expect(code).toBe(1);
  expect(out.match(others)).toHaveLength(1);
  expect(out.match(/^failed .*/gm)).toEqual([
    expect.stringMatching(/^failed GET \S+\/enums\/group-by is not implemented \(404\): \d+ rules wait for it$/),
  ]);
});

/** Repeats each accepted update that has triggers without them, so that they are lost. */
async function losingTriggers(target: TargetFile) {
  const { port } = new URL(target.addresses.management);
  const server = http.createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const { 'transfer-encoding': _, 'content-length': __, ...others } = headers;
    const sendOn = (body: Buffer | string) =>
      new Promise<http.IncomingMessage>((resolve, reject) => {
        const length = body.length === 0 ? {} : { 'content-length': Buffer.byteLength(body) };
        const onward = http.request({ port, method, path: url, headers: { ...others, ...length } }, resolve);
        onward.on('error', reject).end(body);
      });
    try {
      const body = await buffer(request);
      const first = await sendOn(body);
      const withTriggers =
        method === 'PUT' && url.includes('/v0/agents/') && first.statusCode === 200
          ? (JSON.parse(body.toString()) as { spec: { triggers?: object[] } })
          : undefined;
      const { triggers, ...spec } = withTriggers?.spec ?? {};
      const last = triggers === undefined ? first : await sendOn(JSON.stringify({ ...withTriggers, spec }));
      if (last !== first) first.resume();
      response.writeHead(last.statusCode ?? 502, last.headers);
      last.pipe(response);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = `:${(server.address() as AddressInfo).port}`;
  return {
    target: JSON.parse(JSON.stringify(target).replaceAll(`:${port}`, own)) as TargetFile,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('a run of a rule that fails because state is lost takes hardly longer than one that passes', async () => {
  const rule = 'agents.update.any-sequence-follows-the-model';
  await using mock = await startMock({ sandboxUrls: 'path' });
  await using other = await startMock({ sandboxUrls: 'path' });
  using losing = await losingTriggers(other.target);
  const measure = async (target: TargetFile) => {
    const startMs = performance.now();
    const file = targetFile({ ...target, allow: 'write' });
    const { code, out } = await run(['test', '--target', file, '--seed', '11', ...onlyThese(rule)]);
    const [, ranSeconds] = /; (\d+\.\d) s, seed 11\.$/m.exec(out) ?? [];
    return { code, out, ranSeconds: Number(ranSeconds), seconds: (performance.now() - startMs) / 1000 };
  };
  // At the same time, so that whatever slows one down also slows the other.
  const [green, red] = await Promise.all([measure(mock.target), measure(losing.target)]);
  expect(green).toMatchObject({ code: 0, out: expect.stringContaining('1 passed, 0 failed') as string });
  expect(red).toMatchObject({ code: 1, out: expect.stringContaining(`failed ${rule}`) as string });
  // Without the start of both processes. The failing run sends less, so that only what it waits for may make it longer.
  expect(red.ranSeconds).toBeLessThan(green.ranSeconds + 3);
  expect(red.seconds).toBeLessThan(green.seconds * 1.5 + 3);
});
