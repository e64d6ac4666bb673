import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { callControl, changeMock, callManagement } from '../../testing/control-client.ts';

let mock: RunningMock;
const manage = (method: string, path: string, body?: unknown) =>
  callManagement(mock.addresses.host, mock.target.credentials.admin.value, method, path, body);
const verify = async (body: object) => {
  const { status, body: result } = await callControl(mock.addresses.host, 'POST', '/verify', body);
  return { status, ...(result as { verified?: boolean; failures?: string[]; message?: string }) };
};
const createVpc = (name: string) => manage('POST', '/vpcs', { metadata: { name }, spec: { cidr: ['10.0.0.0/16', 1] } });

beforeAll(async () => {
  mock = await startMock({ seed: 3 });
});
afterEach(() => changeMock(mock.addresses.host, 'POST', '/reset'));
afterAll(() => mock.close());

test('counts are compared', async () => {
  await createVpc('one');
  await createVpc('two');
  const operation = 'createVpc';
  for (const counts of [{}, { times: 2 }, { atLeast: 1, atMost: 3 }, { atMost: 2 }])
    expect(await verify({ requests: [{ operation, ...counts }] })).toEqual({
      status: 200,
      verified: true,
      failures: [],
      received: [],
    });
  expect(
    await verify({
      requests: [
        { operation, times: 3 },
        { operation, atMost: 1 },
        { operation, atLeast: 3, atMost: 4 },
      ],
    }),
  ).toMatchObject({
    verified: false,
    failures: [
      'requests[0] (createVpc): 2 received; expected 3.',
      'requests[1] (createVpc): 2 received; expected at most 1.',
      'requests[2] (createVpc): 2 received; expected 3 to 4.',
    ],
    received: ['POST /v0/vpcs 200', 'POST /v0/vpcs 200'],
  });
  expect(await verify({ requests: [{ operation: 'deleteVpc' }] })).toMatchObject({
    failures: ['requests[0] (deleteVpc): 0 received; expected at least 1.'],
  });
  for (const counts of [{ times: 0 }, { atMost: 0 }, { atMost: 2 }, { atLeast: 0 }])
    expect(await verify({ requests: [{ operation: 'deleteVpc', ...counts }] })).toMatchObject({ verified: true });
  for (const status of [200, '200', '2xx'])
    expect(await verify({ requests: [{ operation, status }] })).toMatchObject({ verified: true });
});

test('a body may have further members, but not other values', async () => {
  await createVpc('one');
  const has = async (body: unknown) => (await verify({ requests: [{ path: '/v0/vpcs', body }] })).verified;
  expect(await has({ metadata: { name: 'one' } })).toBe(true);
  expect(await has({ spec: { cidr: ['10.0.0.0/16', 1] } })).toBe(true);
  expect(await has({ spec: { cidr: ['10.0.0.0/16'] } })).toBe(false);
  expect(await has({ metadata: { name: 'two' } })).toBe(false);
  expect(await has({ toString: 'x' })).toBe(false);
});

test.each([
  [{ metadata: { name: 'two' } }, 'metadata.name is "one"; expected "two".'],
  [{ spec: { cidr: ['10.0.0.0/16'] } }, 'spec.cidr is ["10.0.0.0/16",1]; expected ["10.0.0.0/16"].'],
  [{ spec: { region: 'eu' } }, 'spec.region is absent; expected "eu".'],
  [[], 'the body is {"metadata":{"name":"one"},"spec":{"cidr":["10.0.0.0/16",1]}}; expected [].'],
  [{ spec: 'x'.repeat(300) }, `spec is {"cidr":["10.0.0.0/16",1]}; expected "${'x'.repeat(199)}….`],
])('what differs from the body %j is named', async (body, difference) => {
  await createVpc('one');
  expect(await verify({ requests: [{ method: 'POST', body }] })).toMatchObject({
    failures: [
      `requests[0] (POST, body): 0 received; expected at least 1. In the newest one with another body, ${difference}`,
    ],
  });
});

test('queries are compared, and what differs in the newest one is named', async () => {
  await manage('GET', '/vpcs?limit=2&cursor=first');
  await manage('GET', '/vpcs?limit=2');
  const operation = 'listVpcs';
  expect(await verify({ requests: [{ operation, query: { limit: 2, cursor: '*' }, times: 1 }] })).toMatchObject({
    verified: true,
  });
  expect(await verify({ requests: [{ operation, query: { cursor: null }, times: 1 }] })).toMatchObject({
    verified: true,
  });
  expect(await verify({ requests: [{ operation, query: { limit: 3 } }] })).toMatchObject({
    failures: [
      'requests[0] (listVpcs, query): 0 received; expected at least 1. In the newest one with another query, limit is "2"; expected 3.',
    ],
    received: ['GET /v0/vpcs?limit=2&cursor=first 200', 'GET /v0/vpcs?limit=2 200'],
  });
  const { failures } = await verify({ requests: [{ operation, query: { limit: 2, cursor: 'other' } }] });
  expect(failures?.join()).toContain('cursor is absent; expected "other".');
  await manage('GET', '/vpcs?token=hush&limit=2&limit=4');
  expect(await verify({ requests: [{ operation, query: { token: null, limit: 4 } }] })).toMatchObject({
    failures: [expect.stringContaining('token is "[redacted]"; expected absent.')],
    received: expect.arrayContaining(['GET /v0/vpcs?token=[redacted]&limit=2&limit=4 200']),
  });
  expect(await verify({ requests: [{ operation, query: { limit: 5 } }] })).toMatchObject({
    failures: [expect.stringContaining('limit is ["2","4"]; expected 5.')],
  });
});

test('request headers are compared', async () => {
  await manage('GET', '/vpcs');
  const has = async (headers: object) => (await verify({ requests: [{ headers }] })).verified;
  expect(await has({ Authorization: 'Bearer *' })).toBe(true);
  expect(await has({ authorization: 'Basic *' })).toBe(false);
});

test('a body that is no JSON is named', async () => {
  await manage('GET', '/vpcs');
  const { failures } = await verify({ requests: [{ operation: 'listVpcs', body: {} }] });
  expect(failures?.join()).toContain(' The newest one has no JSON body of at most 4000 characters.');
});

test('a secret that differs from the expected body is not revealed', async () => {
  await manage('PUT', '/agents/demo-agent', { apiKey: 'key-of-somebody' });
  const { failures } = await verify({ requests: [{ operation: 'updateAgent', body: { apiKey: 'other' } }] });
  expect(failures?.join()).toContain('apiKey is "[redacted]"; expected "other".');
});

test('the order is compared only if it matters', async () => {
  await createVpc('one');
  await manage('DELETE', '/vpcs/one');
  const requests = [{ operation: 'deleteVpc' }, { operation: 'createVpc' }];
  expect((await verify({ requests })).verified).toBe(true);
  expect((await verify({ requests: requests.toReversed(), inOrder: true })).verified).toBe(true);
  expect(await verify({ requests, inOrder: true })).toMatchObject({
    failures: ['requests[1]: none was received after requests[0].'],
  });
});

test('it waits until the requests were received, but not longer', async () => {
  const late = verify({ requests: [{ operation: 'createVpc', times: 2 }], wait: 30 });
  const none = await callControl(mock.addresses.host, 'GET', '/requests?operation=createVpc&wait=0.05');
  expect([none.status, none.body]).toEqual([200, expect.objectContaining({ count: 0 })]);
  const listed = callControl(mock.addresses.host, 'GET', '/requests?operation=createVpc&wait=30&atLeast=2');
  await createVpc('one');
  await createVpc('two');
  expect((await late).verified).toBe(true);
  expect((await listed).body).toMatchObject({ count: 2 });
  expect((await verify({ requests: [{ operation: 'deleteVpc' }], wait: 0.01 })).verified).toBe(false);
});

test.each([
  [{}, 'requests'],
  [{ requests: [] }, 'requests'],
  [{ requests: [{ operation: 'createAgents' }] }, 'such as createAgent'],
  [{ requests: [{ path: 'vpcs' }] }, 'a path that starts with /'],
  [{ requests: [{ path: '/v0/vpcs?limit=2' }] }, 'write "path":"/v0/vpcs","query":{"limit":"2"}.'],
  [{ requests: [{ operation: 'createVpc' }], wait: 61 }, 'wait'],
  [{ requests: [{ times: 1, atMost: 2 }] }, 'requests[0].times is 1; allowed: times without atLeast and atMost.'],
  [{ requests: [{ atLeast: 3, atMost: 2 }] }, 'requests[0].atLeast is 3; allowed: at most 2, as atMost is.'],
])('%j is refused', async (body, message) => {
  const { status, message: reason } = await verify(body);
  expect(status).toBe(400);
  expect(reason).toContain(message);
});

test('wait and atLeast of the journal are checked', async () => {
  for (const query of ['wait=x', 'wait=', 'wait=-1', 'wait=60.5', 'wait=61', 'wait=1&wait=2', 'atLeast=1001'])
    expect((await callControl(mock.addresses.host, 'GET', `/requests?${query}`)).status).toBe(400);
});

test.each<[string, () => Promise<unknown>]>([
  ['a script', () => mock.responses.set([{ match: { operation: 'createVpc' }, sequence: [{ status: 503 }] }])],
  ['a fault', () => mock.faults.set([{ operation: 'createVpc', status: 503 }])],
])('the body of a request that %s answers is compared', async (_, prepare) => {
  await prepare();
  expect((await createVpc('one')).status).toBe(503);
  expect(await verify({ requests: [{ operation: 'createVpc', body: { metadata: { name: 'one' } } }] })).toMatchObject({
    verified: true,
  });
});

test('the body of a request with a wrong credential is compared, also if it arrives after the response', async () => {
  const { hostname, port } = new URL(mock.addresses.host);
  const socket = connect(Number(port), hostname);
  const body = '{"metadata":{"name":"late"}}';
  const head = ['POST /v0/vpcs HTTP/1.1', 'Host: a', 'Authorization: Bearer x', `Content-Length: ${body.length}`];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  socket.end(body);
  const late = { requests: [{ path: '/v0/vpcs', status: 401, body: { metadata: { name: 'late' } } }] };
  await expect.poll(async () => (await verify(late)).verified).toBe(true);
});
