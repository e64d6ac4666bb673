import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../start-mock.ts';

const NOW = Date.parse('2026-11-21T07:00:00Z');
let mock: RunningMock;
let port: string;

beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen', now: NOW });
  ({ port } = new URL(mock.addresses.host));
});

afterAll(() => mock.close());

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** With any Host header, which fetch does not allow. */
async function send({ addresses }: RunningMock, { method = 'GET', path, headers, body }: Sent) {
  const { hostname, port: own } = new URL(addresses.host.replace('proxy.example', '127.0.0.1'));
  const sent = httpRequest({ hostname, port: own, method, path, headers }).end(body);
  const [response] = await once(sent, 'response');
  const answer: ReturnType<typeof JSON.parse> = await json(response).catch(() => undefined);
  return { status: response.statusCode, headers: response.headers, body: answer };
}

const SERVER = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';
const RESOURCE = '/.well-known/oauth-protected-resource';

describe.each([SERVER, OPENID, `/_mock/idp${SERVER}`, `${SERVER}/_mock/idp`])('%s names the address', (path) => {
  const provider = path.includes('idp') ? '/_mock/idp' : '';
  test.each([
    ['localhost:8080', {}, 'http://localhost:8080'],
    ['[::1]:8080', {}, 'http://[::1]:8080'],
    ['mock', {}, 'http://mock'],
    ['localhost:4010', { 'x-forwarded-proto': 'https' }, 'https://localhost:4010'],
    ['127.0.0.1:1', { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'dev.example' }, 'https://dev.example'],
    ['a', { 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'dev.example, inner:80' }, 'https://dev.example'],
    ['a', { 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'x/"y' }, 'http://a'],
    ['a', { 'x-forwarded-host': 'user@evil.example' }, 'http://a'],
    ['a', { 'x-forwarded-host': 'dev.example:99999' }, 'http://a'],
  ])('%s %j', async (host, forwarded, address) => {
    const { body, headers } = await send(mock, { path, headers: { host, ...forwarded } });
    expect(body.issuer).toBe(address + provider);
    expect(body.token_endpoint).toMatch(`${address}${provider}${provider === '' ? '/oauth' : ''}/token`);
    expect(headers['cache-control']).toBe('no-store');
  });
});

test('tokens, redirects and metadata have the same issuer, and such a token is valid at every address', async () => {
  const host = 'localhost:8080';
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-client',
    client_secret: 'demo-secret',
  });
  const { body } = await send(mock, {
    method: 'POST',
    path: '/oauth/token',
    headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  const keys = (await send(mock, { path: '/oauth/jwks', headers: { host } })).body as JSONWebKeySet;
  const { payload } = await jwtVerify(body.access_token, createLocalJWKSet(keys), { currentDate: new Date(NOW) });
  expect(payload.iss).toBe(`http://${host}`);
  const authorization = `Bearer ${body.access_token}`;
  for (const each of [host, `127.0.0.1:${port}`])
    expect((await send(mock, { path: '/v0/agents/demo-agent', headers: { host: each, authorization } })).status).toBe(
      200,
    );
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'demo-client',
    redirect_uri: 'http://127.0.0.1:8765/callback',
    prompt: 'none',
  });
  const redirect = await send(mock, { path: `/oauth/authorize?${query.toString()}`, headers: { host } });
  expect(new URL(String(redirect.headers['location'])).searchParams.get('iss')).toBe(`http://${host}`);
});

describe('a 401 of an MCP endpoint refers to the metadata of the resource (RFC 9728 5.1)', () => {
  const box = `sbx-demo-box-demo.local.localhost`;
  test.each([
    ['/demo/functions/demo-tools/mcp', 'localhost:8080', 'http://localhost:8080', 'http://localhost:8080'],
    ['/sandbox/demo/demo-box/mcp', 'localhost:8080', 'http://localhost:8080', 'http://localhost:8080'],
    ['/mcp', `${box}:8080`, `http://${box}:8080`, 'http://localhost:8080'],
  ])('%s at %s', async (path, host, address, issuer) => {
    for (const authorization of [undefined, 'Bearer wrong']) {
      const headers = { host, ...(authorization && { authorization }) };
      const refused = await send(mock, { method: 'POST', path, headers });
      expect(refused.status).toBe(401);
      const challenge = String(refused.headers['www-authenticate']);
      expect(
        challenge.startsWith(authorization === undefined ? 'Bearer resource' : 'Bearer error="invalid_token", '),
      ).toBe(true);
      const url = /resource_metadata="([^"]*)"$/.exec(challenge)?.[1] ?? '';
      expect(url).toBe(address + RESOURCE + path);
      const { body } = await send(mock, { path: new URL(url).pathname, headers: { host } });
      expect(body).toEqual({
        resource: address + path,
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
      });
      const metadata = await send(mock, { path: SERVER, headers: { host: new URL(issuer).host } });
      expect(metadata.body.issuer).toBe(issuer);
    }
  });

  test('also in another world, with the well-known part first', async () => {
    const world = await mock.newWorld({ id: 'other' });
    const path = '/_mock/w/other/demo/functions/demo-tools/mcp';
    const refused = await send(mock, { method: 'POST', path, headers: { host: 'localhost:8080' } });
    const address = 'http://localhost:8080/_mock/w/other';
    expect(refused.headers['www-authenticate']).toContain(`"${address}${RESOURCE}/demo/functions/demo-tools/mcp"`);
    for (const at of [`${RESOURCE}${path}`, `/_mock/w/other${RESOURCE}/demo/functions/demo-tools/mcp`]) {
      const { body } = await send(mock, { path: at, headers: { host: 'localhost:8080' } });
      expect(body).toMatchObject({ resource: `http://localhost:8080${path}`, authorization_servers: [address] });
    }
    await world.close();
  });

  test('but not if only documented operations are served, nor at other endpoints', async () => {
    await using documented = await startMock({ onlyDocumented: true });
    const path = '/demo/functions/demo-tools/mcp';
    expect((await send(documented, { method: 'POST', path })).headers['www-authenticate']).toBe('Bearer');
    expect((await send(mock, { path: '/v0/agents' })).headers['www-authenticate']).toBe('Bearer');
  });
});

describe('publicUrl', () => {
  test('is the address in the target, in metadata and in resources, whatever the Host header is', async () => {
    await using behind = await startMock({ seed: 3, publicUrl: 'https://proxy.example/mock/' });
    const root = 'https://proxy.example/mock';
    expect(behind.addresses).toEqual({ management: `${root}/v0`, host: root, inference: root });
    const { target } = behind;
    expect(target.addresses.sandbox).toBe(`${root}/sandbox/demo/demo-box`);
    expect(target.client?.tokenUrl).toBe(`${root}/oauth/token`);
    const local = { addresses: { host: `http://127.0.0.1:${behind.world.mount.port}` } } as RunningMock;
    const headers = {
      authorization: `Bearer ${target.credentials.admin.value}`,
      host: 'inner:1',
      'x-forwarded-host': 'x',
    };
    const { body } = await send(local, { path: '/v0/functions/demo-tools', headers });
    expect(body.metadata.url).toBe(`${root}/demo/functions/demo-tools`);
    expect((await send(local, { path: SERVER, headers })).body.issuer).toBe(root);
    const { headers: refused } = await send(local, { method: 'POST', path: '/demo/functions/demo-tools/mcp' });
    expect(refused['www-authenticate']).toContain(`"${root}${RESOURCE}/demo/functions/demo-tools/mcp"`);
    const unknown = await send(local, { path: '/v0/nothing', headers });
    expect(unknown.body.message).toContain('at "/v0/nothing"');
    const world = await behind.newWorld({ id: 'w' });
    expect(world.addresses.host).toBe(`${root}/_mock/w/w`);
  });

  test('of a mapped port keeps the host names of sandboxes', async () => {
    await using mapped = await startMock({ publicUrl: 'http://localhost:8080' });
    const sandbox = 'http://sbx-demo-box-demo.local.localhost:8080';
    expect(mapped.target.addresses.sandbox).toBe(sandbox);
    const local = { addresses: { host: `http://127.0.0.1:${mapped.world.mount.port}` } } as RunningMock;
    const refused = await send(local, { method: 'POST', path: '/mcp', headers: { host: new URL(sandbox).host } });
    expect(refused.headers['www-authenticate']).toContain(`"${sandbox}${RESOURCE}/mcp"`);
  });

  test('must be an address', async () => {
    for (const publicUrl of ['proxy.example', 'ftp://proxy.example', 'http://u:p@proxy.example', 'http://x/?a=1'])
      await expect(startMock({ publicUrl })).rejects.toThrow('for publicUrl: expected an address');
  });
});

const PREFLIGHT = { origin: 'http://localhost:5173', 'access-control-request-method': 'GET' };

test.each([
  ['/v0/agents', PREFLIGHT],
  ['/v0/agents', {}],
  ['/oauth/token', PREFLIGHT],
  ['/nothing', PREFLIGHT],
  ['/nothing', {}],
  ['/_mock/idp/token', PREFLIGHT],
  ['/_mock/requests', { 'access-control-request-method': 'GET' }],
])('OPTIONS %s with %j has the virtual time in Date', async (path, headers) => {
  const own = path === '/_mock/requests' ? { origin: mock.addresses.host } : {};
  const response = await send(mock, { method: 'OPTIONS', path, headers: { ...headers, ...own } });
  expect(response.headers['date']).toBe('Sat, 21 Nov 2026 07:00:00 GMT');
});

test.each(['/embeddings', '/models', '', '/', '/chat/nothing'])(
  'unknown path /v1%s has the error form of OpenAI',
  async (path) => {
    const authorization = `Bearer ${mock.target.credentials.admin.value}`;
    const { status, body } = await send(mock, {
      path: `/demo/models/demo-model/v1${path}`,
      headers: { authorization },
    });
    expect([status, body]).toEqual([
      404,
      { error: { message: expect.any(String), type: 'not_found', param: null, code: 'not_found' } },
    ]);
  },
);

test('a wrong method below /v1 has it, too, and no other path', async () => {
  const wrong = await send(mock, { path: '/demo/models/demo-model/v1/chat/completions' });
  expect([wrong.status, wrong.body.error.code]).toEqual([405, 'method_not_allowed']);
  expect((await send(mock, { path: '/demo/models/demo-model/v2/x' })).body.error).toBe('not_found');
});
