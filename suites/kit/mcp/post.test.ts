import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openTestRun } from '../../testing/test-run.ts';
import { functionEndpoint } from './endpoints.ts';
import { request } from './post.ts';

test('the wait after a refusal (429) is no time in which the server could respond', async () => {
  let count = 0;
  const server = http.createServer((_, response) => {
    count += 1;
    if (count === 1) return void response.writeHead(429, { 'retry-after': '1' }).end();
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    return void setTimeout(() => response.end('{"jsonrpc": "2.0", "id": 1, "result": {}}'), 100);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const run = openTestRun({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const connection = { run, endpoint: functionEndpoint('tools'), headers: {} };
  const { message } = await request(connection, 1, { jsonrpc: '2.0', id: 1, method: 'ping' }, 0.8);
  expect(message?.result).toEqual({});
  server.close();
});
