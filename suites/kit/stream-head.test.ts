import http from 'node:http';
import { expect, test } from 'vitest';
import { responseHead, headBeforeEvents } from './stream-head.ts';
import { listening } from '../testing/local-server.ts';
import { openTestRun } from '../testing/test-run.ts';

/** A server whose watches start with the first event; unknown callers are refused at once. */
async function lateServer() {
  const waiting: http.ServerResponse[] = [];
  const server = http.createServer(({ headers }, response) => {
    if (headers.authorization !== undefined) return void waiting.push(response);
    response.writeHead(401).flushHeaders();
    setTimeout(() => response.end('{"error": "who are you"}'), 20);
  });
  return {
    ...(await listening(server)),
    tell: async () => {
      for (const response of waiting.splice(0)) response.write('a.txt\n');
    },
  };
}

const watched = { path: { path: 'a' } };

test('a head that is sent with the first event arrives once an event is triggered', async () => {
  await using server = await lateServer();
  const { client } = openTestRun({ address: server.address });
  const { response } = await responseHead(client.open('watchDirectory', watched), server.tell);
  expect(response.status).toBe(200);
});

test('a refusal arrives completely without an event', async () => {
  await using server = await lateServer();
  const nobody = openTestRun({ address: server.address }).as('none');
  const heads = [
    await responseHead(nobody.open('watchDirectory', watched)),
    await headBeforeEvents(nobody, 'watchDirectory', watched),
  ];
  for (const head of heads) expect(head?.response).toMatchObject({ status: 401, json: { error: 'who are you' } });
});

test('a head that is sent with the first event is not there before', async () => {
  await using server = await lateServer();
  const { client } = openTestRun({ address: server.address });
  expect(await headBeforeEvents(client, 'watchDirectory', watched, 0.1)).toBeUndefined();
});

/** A server that refuses the first so many requests, and tells when the next one may be sent. */
async function busyServer(refusals: number) {
  let count = 0;
  const server = http.createServer((_, response) => {
    count += 1;
    if (count <= refusals) response.writeHead(429, { 'retry-after': '1' }).end();
    else response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders();
  });
  return listening(server);
}

test('the wait after a refusal does not count', async () => {
  await using server = await busyServer(1);
  const { client } = openTestRun({ address: server.address });
  const head = await headBeforeEvents(client, 'watchDirectory', watched, 0.5);
  expect(head?.response.status).toBe(200);
});

test('the wait for the rate limit does not count', async () => {
  await using server = await busyServer(0);
  const { client } = openTestRun({ address: server.address, target: { rate: 1 } });
  const heads = await Promise.all([1, 2].map(() => headBeforeEvents(client, 'watchDirectory', watched, 0.5)));
  expect(heads.map((head) => head?.response.status)).toEqual([200, 200]);
});

test('JSON arrives completely, also if it is sent in pieces after the head', async () => {
  const server = http.createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    setTimeout(() => response.write('{"result": '), 50);
    setTimeout(() => response.end('{}}'), 100);
  });
  await using local = await listening(server);
  const { client } = openTestRun({ address: local.address });
  const { response } = await responseHead(client.open('postFunctionMcp', { path: { serverName: 'a' }, body: {} }));
  expect(response.json).toEqual({ result: {} });
});

test('a failed opening is thrown', async () => {
  await expect(responseHead(Promise.reject(new Error('broken off')))).rejects.toThrow('broken off');
});
