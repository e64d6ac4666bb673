import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startMock, type RunningMock } from '../start-mock.ts';

let mock: RunningMock;

beforeAll(async () => {
  mock = await startMock({
    world: { extends: 'default', limits: { requestSeconds: 1, incompleteBodyBytes: 2_000_000 } },
  });
});

afterAll(() => mock.close());

const JSON_TYPE = 'application/json';

async function send(method: string, path: string, body?: string, type = JSON_TYPE, to = mock) {
  const response = await fetch(to.addresses.host + path, {
    method,
    headers: { authorization: `Bearer ${to.target.credentials.admin.value}`, 'content-type': type },
    body: body ?? null,
  });
  return { status: response.status, text: await response.text() };
}

const agent = (spec: object) => JSON.stringify({ metadata: { name: 'demo-agent' }, spec });
const triggers = (count: number, trigger: object = {}) =>
  agent({ triggers: Array.from({ length: count }, () => ({ id: 'x', type: 'http', ...trigger })) });
const tasks = (count: number) => JSON.stringify({ tasks: Array.from({ length: count }, () => ({})) });
const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=1`).join('&');
const values = (count: number) => `{"x":[${Array.from({ length: count }, () => '1').join(',')}]}`;
const tree = (path: string) => JSON.stringify({ files: { [path]: 'x' } });
const pathOf = (names: number) => Array.from({ length: names }, () => 'a').join('/');

/** A call with one expected body: the body and the list of bodies are two more values. */
function expecting(call: 'verify' | 'faults' | 'responses', members: number): Parameters<typeof send> {
  const body = Object.fromEntries(Array.from({ length: members }, (_, index) => [`m${index}`, 0]));
  const bodies = {
    verify: { requests: [{ body, atMost: 1 }] },
    faults: { rules: [{ body, status: 500, operation: 'getAgent' }] },
    responses: { responses: [{ match: { body, operation: 'getAgent' }, sequence: [{ status: 200 }] }] },
  };
  return [call === 'verify' ? 'POST' : 'PUT', `/_mock/${call}`, JSON.stringify(bodies[call])];
}

const AGENT = '/v0/agents/demo-agent';
const EXECUTIONS = '/demo/jobs/demo-job/executions';
const TREE = '/sandbox/demo/demo-box/filesystem/tree/';
const WATCH = '/sandbox/demo/demo-box/watch/filesystem/app?ignore=';
const FORM = 'application/x-www-form-urlencoded';

test.each<[what: string, status: number, request: Parameters<typeof send>]>([
  ['500 triggers with the same id', 200, ['PUT', AGENT, triggers(500)]],
  ['501 triggers', 400, ['PUT', AGENT, triggers(501)]],
  [
    'a schedule of 257 characters',
    400,
    ['PUT', AGENT, triggers(1, { configuration: { schedule: `* * * * ${'1,'.repeat(125)}1` } })],
  ],
  [
    'a trigger path of 1025 characters',
    400,
    ['PUT', AGENT, triggers(1, { configuration: { path: '/'.repeat(1025) } })],
  ],
  ['a resource of more than a mebibyte', 413, ['PUT', AGENT, agent({ repository: { url: 'a'.repeat(2 ** 20) } })]],
  ['1000 tasks', 200, ['POST', EXECUTIONS, tasks(1000)]],
  ['1001 tasks', 400, ['POST', EXECUTIONS, tasks(1001)]],
  ['1000 form fields', 401, ['POST', '/oauth/token', fields(1000), FORM]],
  ['1001 form fields', 413, ['POST', '/oauth/token', fields(1001), FORM]],
  ['49,000 values', 200, ['POST', '/demo/models/demo-model', values(49_000)]],
  ['50,001 values', 413, ['POST', '/demo/models/demo-model', values(50_001)]],
  ['a million open brackets', 400, ['POST', '/demo/models/demo-model', '['.repeat(900_000)]],
  ['a path of 255 names', 200, ['PUT', TREE, tree(pathOf(255))]],
  ['a path of 257 names', 400, ['PUT', TREE, tree(pathOf(257))]],
  ['101 ignore patterns', 400, ['GET', `${WATCH}${Array.from({ length: 101 }, () => '*a').join(',')}`]],
  ['ignore patterns of 1025 characters', 400, ['GET', `${WATCH}${'*a'.repeat(513)}`]],
  [
    '101 fault rules',
    400,
    ['PUT', '/_mock/faults', JSON.stringify({ rules: Array.from({ length: 101 }, () => ({ status: 500 })) })],
  ],
  [
    'a wildcard of 257 characters',
    400,
    ['PUT', '/_mock/faults', JSON.stringify({ rules: [{ path: `/${'*'.repeat(256)}`, status: 500 }] })],
  ],
  [
    '101 expectations',
    400,
    ['POST', '/_mock/verify', JSON.stringify({ requests: Array.from({ length: 101 }, () => ({ atMost: 1 })) })],
  ],
  [
    'a method of 21 letters',
    400,
    ['POST', '/_mock/verify', JSON.stringify({ requests: [{ method: 'A'.repeat(21) }] })],
  ],
  ['a method of 21 letters', 400, ['GET', `/_mock/requests?method=${'A'.repeat(21)}`]],
  ...(['verify', 'faults', 'responses'] as const).flatMap((call): [string, number, Parameters<typeof send>][] => [
    [`${call} with bodies of 2000 values`, 200, expecting(call, 1999)],
    [`${call} with bodies of 2001 values`, 400, expecting(call, 2000)],
  ]),
])('%s: %i', async (_, status, request) => {
  expect(await send(...request)).toMatchObject({ status });
});

test('repeated trigger ids get suffixes in order', async () => {
  const { text } = await send('PUT', AGENT, triggers(4));
  const { spec } = JSON.parse(text) as { spec: { triggers: { id: string }[] } };
  expect(spec.triggers.map(({ id }) => id)).toEqual(['x', 'x-2', 'x-3', 'x-4']);
});

test('a body that does not arrive in time is 408', async () => {
  const socket = connect(Number(new URL(mock.addresses.host).port), '127.0.0.1');
  const start = performance.now();
  let received = '';
  socket.on('data', (data) => (received += String(data)));
  const token = mock.target.credentials.admin.value;
  socket.write(
    `PUT ${AGENT} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  await once(socket, 'close');
  expect(received).toMatch(/^HTTP\/1.1 408 [^]*did not arrive completely in time/);
  // After requestSeconds, and not after the deadline of node:http for headers, which is a minute.
  expect(performance.now() - start).toBeLessThan(40_000);
});

test('calls that wait for requests share a limit', async () => {
  const world = await mock.newWorld({ id: 'waiting' });
  const controller = new AbortController();
  const waitFor = (seconds: number) =>
    fetch(`${world.addresses.host}/_mock/requests?method=PATCH&wait=${seconds}`, { signal: controller.signal });
  const waiting = Array.from({ length: 50 }, () => waitFor(60).catch(() => undefined));
  const refusal = async () => {
    const response = await waitFor(1);
    return [response.status, await response.text()];
  };
  await expect.poll(refusal, { timeout: 30_000 }).toEqual([400, expect.stringContaining('at most 50')]);
  await world.close();
  controller.abort();
  await Promise.all(waiting);
});

test('bodies that are being received share a limit', async () => {
  // With time to receive them, however slow the machine is.
  await using patient = await startMock({ world: { extends: 'default', limits: { incompleteBodyBytes: 2_000_000 } } });
  const held = http.request(`${patient.addresses.host}${TREE}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${patient.target.credentials.admin.value}`, 'content-type': JSON_TYPE },
  });
  held.on('error', () => {}).write(`{"files":{"x":"${'a'.repeat(1_600_000)}`);
  const other = tree('b').replace('"x"', `"${'x'.repeat(600_000)}"`);
  // Accepted until the mock has received most of the first body.
  await vi.waitFor(
    async () =>
      expect(await send('PUT', TREE, other, JSON_TYPE, patient)).toEqual({
        status: 429,
        text: expect.stringContaining('limits.incompleteBodyBytes of 2000000'),
      }),
    { timeout: 10_000 },
  );
  held.destroy();
});

test('a body far beyond the limit is refused before it was sent', async () => {
  const request = http.request(
    `${mock.addresses.host}/sandbox/demo/demo-box/filesystem-multipart/x/part?partNumber=1`,
    {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${mock.target.credentials.admin.value}`,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': 540_000_000,
      },
    },
  );
  request.on('error', () => {}).write('x');
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  request.destroy();
  expect(response.statusCode).toBe(413);
});
