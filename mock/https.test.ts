import { connect } from 'node:net';
import { once } from 'node:events';
import http from 'node:http';
import { Agent, fetch as fetchThrough, type RequestInit } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { policyOf, refusalOf } from './domains/inference/callback-policy.ts';
import { startMock, type RunningMock } from './start-mock.ts';
import { testCertificate } from './testing/test-certificate.ts';

const tls = testCertificate();
let agent: Agent;
let mock: RunningMock;

beforeAll(async () => {
  agent = new Agent({
    connect: { ca: tls.cert, lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) },
  });
  mock = await startMock({ seed: 7, tls });
});
afterAll(async () => {
  await agent.close();
  await mock.close();
});

const send = (url: string, init: RequestInit = {}) => fetchThrough(url, { dispatcher: agent, ...init });
const bearer = () => ({ authorization: `Bearer ${mock.target.credentials.apiKey.value}` });

test('every address of the target begins with https, and a client that trusts the certificate reaches it', async () => {
  const { addresses, client } = mock.target;
  expect(mock.target.tls).toEqual({ ca: tls.cert });
  for (const address of [...Object.values(addresses), client?.tokenUrl, client?.authorizationUrl])
    expect(address).toMatch(/^https:/);
  expect((await send(`${addresses.management}/agents`, { headers: bearer() })).status).toBe(200);
  expect((await send(`${addresses.sandbox}/filesystem/tree/app`, { headers: bearer() })).status).toBe(200);
});

test('a client that does not trust the certificate is refused', async () => {
  await expect(fetchThrough(mock.addresses.management)).rejects.toMatchObject({
    cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  });
});

test('tokens have an issuer with https, and are valid', async () => {
  const headers = { authorization: `Basic ${btoa('demo-client:demo-secret')}` };
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'agents:get' });
  const response = await send(`${mock.addresses.host}/oauth/token`, { method: 'POST', headers, body });
  const { access_token: token } = (await response.json()) as { access_token: string };
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { iss: string };
  expect(claims.iss).toBe(mock.addresses.host);
  const used = await send(`${mock.addresses.management}/agents/demo-agent`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(used.status).toBe(200);
});

test('the console may call its own mock, a page of another origin may not', async () => {
  const statusFor = async (origin: string) =>
    (await send(`${mock.addresses.host}/_mock/health`, { headers: { origin } })).status;
  expect(await statusFor(mock.addresses.host)).toBe(200);
  expect(await statusFor(mock.addresses.host.replace('https:', 'http:'))).toBe(403);
  expect((await send(`${mock.addresses.host}/_mock/`)).status).toBe(200);
});

test('streams are sent as they arise', async () => {
  const response = await send(`${mock.addresses.inference}/demo/models/demo-model/v1/chat/completions`, {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/);
});

test('a callback to the mock itself is refused, with either protocol', () => {
  const policy = policyOf(mock.world);
  for (const protocol of ['https:', 'http:'])
    expect(refusalOf(mock.addresses.host.replace('https:', protocol), policy)).toMatch(/is the mock itself/);
});

test('another world has an address with https', async () => {
  await using world = await mock.newWorld();
  expect(world.addresses.management).toMatch(/^https:.*\/_mock\/w\//);
  const headers = { authorization: `Bearer ${world.target.credentials.apiKey.value}` };
  expect((await send(`${world.addresses.management}/agents`, { headers })).status).toBe(200);
});

test('a request without encryption is disconnected, and the mock continues to serve', async () => {
  const { port } = new URL(mock.addresses.host);
  const plain = http.get({ port, host: '127.0.0.1', path: '/' });
  const [error] = (await once(plain, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNRESET');
  expect((await send(`${mock.addresses.host}/_mock/health`)).status).toBe(200);
});

test('a mock can be closed while a client has not finished its handshake', async () => {
  const short = await startMock({ tls });
  const socket = connect(Number(new URL(short.addresses.host).port), '127.0.0.1');
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  await short.close();
  socket.destroy();
  await closed;
  await expect(send(short.addresses.host)).rejects.toThrow('fetch failed');
});

test.each([
  [
    { cert: tls.cert },
    'startMock: Invalid value (hidden) for tls: expected { cert, key }, each a string or Buffer of PEM.',
  ],
  [{ ...tls, ca: '' }, 'startMock: Invalid value (hidden) for tls'],
  [{ ...tls, key: testCertificate().key }, 'startMock: tls.key is not the private key of the certificate.'],
])('startMock({ tls }) with a mistake is refused (%#)', async (files, message) => {
  await expect(startMock({ tls: files } as never)).rejects.toThrow(message);
});
