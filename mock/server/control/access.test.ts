import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { startMock } from '../../start-mock.ts';
import { isLoopback } from '../../../spec/network/loopback.ts';

test.each(['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost', 'a.localhost', 'LOCALHOST', 'localhost.'])(
  '%s is loopback',
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each([
  '0.0.0.0',
  '::',
  '10.0.0.1',
  '192.168.1.2',
  'example.com',
  'localhost.example.com',
  'notlocalhost',
  '.localhost',
  '',
])('%j is not loopback', (host) => {
  expect(isLoopback(host)).toBe(false);
});

test('a mock that listens on the network requires a control token', async () => {
  await expect(startMock({ host: '0.0.0.0' })).rejects.toThrow(/0\.0\.0\.0.*--control-token/);
});

test('an empty control token is rejected', async () => {
  await expect(startMock({ controlToken: '' })).rejects.toThrow('--control-token is empty');
});

test('with a control token, the control API refuses calls without it', async () => {
  await using mock = await startMock({ controlToken: 'open-sesame' });
  const request = (headers: Record<string, string>) => fetch(`${mock.addresses.host}/_mock/target`, { headers });
  expect((await request({})).status).toBe(401);
  expect((await request({ authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await request({ authorization: 'Bearer open-sesame' })).status).toBe(200);
});

test('a control token also protects the control API of every other world', async () => {
  await using mock = await startMock({ controlToken: 'open-sesame' });
  const make = (headers: Record<string, string>) =>
    fetch(`${mock.addresses.host}/_mock/worlds`, { method: 'POST', headers });
  expect((await make({})).status).toBe(401);
  const { control } = (await (await make({ authorization: 'Bearer open-sesame' })).json()) as { control: string };
  expect((await fetch(`${control}/snapshot`)).status).toBe(401);
  expect((await fetch(`${control}/snapshot`, { headers: { authorization: 'Bearer open-sesame' } })).status).toBe(200);
});

test('pages of other origins cannot call the control API', async () => {
  await using mock = await startMock();
  const headers = { origin: 'http://elsewhere.example' };
  expect((await fetch(`${mock.addresses.host}/_mock/reset`, { method: 'POST', headers })).status).toBe(403);
});

test.each([
  ['an image of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }, 403],
  ['a frame of another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' }, 403],
  ['a link on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }, 200],
  ['the console', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }, 200],
  ['the address bar', { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }, 200],
])('a request for %s gets %o: %d', async (_, headers, status) => {
  await using mock = await startMock();
  const { port } = new URL(mock.addresses.host);
  const request = get({ host: '127.0.0.1', port, path: '/_mock/requests', headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(status);
});

const foreignOrigins = [
  'null',
  'http://127.0.0.1:1',
  'http://localhost:PORT',
  'https://127.0.0.1:PORT',
  'http://127.0.0.1:PORT.evil.example',
  'http://127.0.0.1:PORT, http://evil.example',
];

test.each(foreignOrigins)('a page of %s cannot call the control API', async (pattern) => {
  await using mock = await startMock();
  const { port } = new URL(mock.addresses.host);
  const headers = { origin: pattern.replace('PORT', port), 'x-forwarded-proto': 'https' };
  const request = get({ host: '127.0.0.1', port, path: '/_mock/target', headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(403);
});

test.each([
  ['127.0.0.1', 200],
  ['localhost', 200],
  ['[::1]', 200],
  ['evil.example', 403],
  ['127.0.0.1.evil.example', 403],
  ['localhost.evil.example', 403],
  ['127.evil.example', 403],
  ['2130706433', 403],
  ['0x7f.1', 403],
])('without a token, a call with the host name %s gets %d', async (name, status) => {
  await using mock = await startMock();
  const { port } = new URL(mock.addresses.host);
  const request = get({ host: '127.0.0.1', port, path: '/_mock/target', headers: { host: `${name}:${port}` } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(status);
});

test('pages of an allowed origin may send requests and read the responses', async () => {
  const page = 'http://app.example:5173';
  await using mock = await startMock({ controlOrigins: [page], controlToken: 'open-sesame' });
  const url = `${mock.addresses.host}/_mock/clock`;
  const headers = {
    origin: page,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization',
  };
  const preflight = await fetch(url, { method: 'OPTIONS', headers });
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
    204,
    'GET, PUT, POST, DELETE',
  ]);
  const response = await fetch(url, { headers: { origin: page, authorization: 'Bearer open-sesame' } });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  expect((await fetch(url, { headers: { origin: 'http://app.example' } })).status).toBe(403);
});
