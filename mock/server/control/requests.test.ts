import { afterEach, beforeAll, afterAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { callManagement, callControl, changeMock } from '../../testing/control-client.ts';

interface JournalReply {
  count: number;
  received: number;
  requests: { number: number; method: string; path: string; operation: string | null; status: number | null }[];
}

let mock: RunningMock;
let token: string;
const journal = async (query = '') =>
  (await callControl(mock.addresses.host, 'GET', `/requests${query}`)).body as JournalReply;
const manageIt = (method: string, path: string) => callManagement(mock.addresses.host, token, method, path);

beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen', now: Date.UTC(2026, 3, 16) });
  token = mock.target.credentials.admin.value;
});
afterEach(() => changeMock(mock.addresses.host, 'POST', '/reset'));
afterAll(() => mock.close());

test('a request is recorded with operation and status, without its credential', async () => {
  await manageIt('GET', '/agents/demo-agent?x=1&access_token=hush');
  const { requests } = await journal();
  expect(requests).toEqual([
    {
      number: 1,
      time: '2026-04-16T00:00:00.000Z',
      method: 'GET',
      path: '/v0/agents/demo-agent',
      query: [
        ['x', '1'],
        ['access_token', '[redacted]'],
      ],
      headers: expect.objectContaining({ authorization: '[redacted]', host: expect.any(String) }),
      body: null,
      operation: 'getAgent',
      status: 200,
      answer: { text: expect.stringContaining('"name":"demo-agent"'), cut: false },
    },
  ]);
  expect(JSON.stringify(requests)).not.toContain(token);
});

test('filters match method, path, status and operation, and all must match', async () => {
  await manageIt('GET', '/agents/demo-agent');
  await manageIt('GET', '/agents/nobody');
  await manageIt('GET', '/nothing');
  await manageIt('DELETE', '/agents/demo-agent');
  const counts = async (...queries: string[]) =>
    Promise.all(queries.map(async (query) => (await journal(query)).count));
  expect(await counts('', '?method=delete', '?path=/v0/agents/*', '?path=/v0/agents', '?status=404')).toEqual([
    4, 1, 3, 0, 2,
  ]);
  expect(await counts('?status=4xx&operation=getAgent', '?operation=getAgent')).toEqual([1, 2]);
  expect((await callControl(mock.addresses.host, 'DELETE', '/requests?status=4xx')).body).toEqual({ deleted: 2 });
  expect((await journal()).requests.map(({ number }) => number)).toEqual([1, 4]);
  expect((await callControl(mock.addresses.host, 'DELETE', '/requests')).body).toEqual({ deleted: 2 });
  expect(await journal()).toMatchObject({ count: 0, received: 4 });
});

test('filters match the query, request headers and the body, which are JSON', async () => {
  await manageIt('GET', '/agents?limit=2&cursor=abc');
  await manageIt('GET', '/agents?cursor=a%2Cb');
  await manageIt('GET', '/agents');
  await callManagement(mock.addresses.host, token, 'POST', '/vpcs', { metadata: { name: 'net' }, spec: {} });
  const count = async (filters: Record<string, unknown>) => {
    const parameters = Object.entries(filters).map(([name, value]): [string, string] => [name, JSON.stringify(value)]);
    return (await journal(`?${new URLSearchParams(parameters).toString()}`)).count;
  };
  expect(await count({ query: { cursor: '*' } })).toBe(2);
  expect(await count({ query: { cursor: 'a,b' } })).toBe(1);
  expect(await count({ query: { cursor: null } })).toBe(2);
  expect(await count({ body: { metadata: { name: 'net' } } })).toBe(1);
  expect(await count({ headers: { 'content-type': 'application/json*' }, query: {} })).toBe(1);
  const control = await mock.requests({ operation: 'listAgents', query: { limit: 2 } });
  expect(control.map(({ number }) => number)).toEqual([1]);
  expect(await mock.requests({ query: { cursor: null }, method: 'get', wait: 5 })).toHaveLength(1);
  expect(await mock.deleteRequests({ query: { cursor: '*' } })).toBe(2);
  expect(await mock.requests()).toHaveLength(2);
});

test('the journal has the newest thousand requests, in order', async () => {
  for (let round = 0; round < 101; round++)
    await Promise.all(Array.from({ length: 10 }, () => manageIt('GET', '/nothing')));
  const { requests, count, received } = await journal();
  expect([count, received, requests[0]?.number, requests.at(-1)?.number]).toEqual([1000, 1010, 11, 1010]);
});

test.each([
  ['operation=createAgents', /an operationId of the documents, such as createAgent/],
  ['status=9', /status: "9" is not a status or a class, such as 404 or 4xx/],
  ['operation=fly', /operation: "fly" is not/],
  ['path=agents', /path: "agents" is not a path that starts with \//],
  ['method=G T', /method: "G T" is not a method/],
  ['verb=GET', /query parameter is "verb"; allowed: operation, method, path, query, body, headers, status/],
  ['method=GET&method=PUT', /one value/],
  ['foo=1', /allowed: .*status, wait, atLeast/],
  ['query=cursor', /query is "cursor"; allowed: JSON, such as query=\{"cursor":"\*"\}/],
  ['query={"cursor":["a"]}', /query\.cursor: an array is not a string.* null for an absent parameter/],
  ['path=/v0/agents%3Flimit=2', /path: .* write "path":"\/v0\/agents","query":\{"limit":"2"\}/],
])('the filter %s is rejected with a clear message', async (query, words) => {
  const { status, body } = await callControl(mock.addresses.host, 'GET', `/requests?${query}`);
  expect([status, body]).toEqual([400, expect.objectContaining({ message: expect.stringMatching(words) })]);
});

test('an unknown path or method is rejected with the known ones', async () => {
  expect(await callControl(mock.addresses.host, 'GET', '/request')).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('/_mock/requests') },
  });
  expect(await callControl(mock.addresses.host, 'PUT', '/requests', {})).toMatchObject({
    status: 405,
    body: { message: expect.stringContaining('GET, DELETE') },
  });
});
