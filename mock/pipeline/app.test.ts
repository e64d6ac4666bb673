import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintToken } from '../domains/oauth/tokens.ts';
import { startMock, type RunningMock } from '../start-mock.ts';

let mock: RunningMock;
let admin: string;

beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen' });
  admin = mock.target.credentials.admin.value;
});

afterAll(() => mock.close());

interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

async function request(path: string, { method = 'GET', headers = {}, body }: RequestOptions = {}) {
  const response = await fetch(mock.addresses.management + path, {
    method,
    headers: { authorization: `Bearer ${admin}`, ...headers },
    body: body ?? null,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: text === '' ? undefined : JSON.parse(text) };
}

const json = { 'content-type': 'application/json' };
const putAgent = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json) =>
  request('/agents/demo-agent', { method: 'PUT', headers, body });

describe('paths and methods', () => {
  test('an unknown path is 404 and names the nearest ones', async () => {
    const { status, json: body } = await request('/agents/demo-agent/runs');
    expect(status).toBe(404);
    expect(body.message).toContain('/v0/agents/{agentName}');
  });

  test.each(['/v0/agent', '/v0/AGENTS', '/agents'])('the 404 for %s names /v0/agents', async (path) => {
    const response = await fetch(mock.addresses.host + path, { headers: { authorization: `Bearer ${admin}` } });
    expect(response.status).toBe(404);
    expect((await response.json()) as object).toHaveProperty('message', expect.stringContaining('Nearest: /v0/agents'));
  });

  test('with onlyDocumented, an inferred operation is unknown and not suggested', async () => {
    await using narrow = await startMock({ onlyDocumented: true });
    const headers = { authorization: `Bearer ${narrow.target.credentials.apiKey.value}` };
    const listing = await fetch(`${narrow.addresses.management}/agents`, { headers });
    expect([listing.status, await listing.text()]).toEqual([
      404,
      expect.stringContaining('Nearest: /v0/agents/{agentName}'),
    ]);
    const reading = await fetch(`${narrow.addresses.management}/agents/demo-agent`, { headers });
    expect([reading.status, reading.headers.get('allow')]).toEqual([405, 'PUT']);
  });

  test.each(['Bearer', 'bearer '])('"%s" is 401, because the token is empty', async (authorization) => {
    const { status, json: body } = await request('/agents', { headers: { authorization } });
    expect([status, body.message]).toEqual([401, 'The credential is not valid: the token after "Bearer" is empty.']);
  });

  test('an unknown method is 405 with Allow', async () => {
    const { status, headers } = await request('/vpcs', { method: 'DELETE' });
    expect(status).toBe(405);
    expect(headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'POST']);
  });

  test('HEAD responds like GET without the body', async () => {
    const { status, text, headers } = await request('/agents/demo-agent', { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
    expect(Number(headers.get('content-length'))).toBeGreaterThan(100);
  });

  test('a path value is decoded once', async () => {
    expect((await request('/agents/demo%2Dagent')).status).toBe(200);
    expect((await request('/agents/demo%252Dagent')).status).toBe(404);
  });
});

describe('versions', () => {
  test('the earliest stable version is accepted, with any case of the header name', async () => {
    expect((await request('/accounts', { headers: { 'svc-VERSION': '2026-04-16' } })).status).toBe(200);
  });

  test('an unknown version is rejected with its value and the valid ones', async () => {
    const { status, json: body } = await request('/accounts', { headers: { 'svc-version': '2026-04-17' } });
    expect(status).toBe(400);
    expect(body.error).toBe('invalid_api_version');
    expect(body.message).toBe('Svc-Version "2026-04-17" is unknown. Valid versions: 2026-04-16.');
  });
});

describe('credentials', () => {
  test('a missing credential is 401 with a message how to send one', async () => {
    const response = await fetch(`${mock.addresses.management}/accounts`);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await response.json()).toMatchObject({
      code: 401,
      message: expect.stringContaining('X-Svc-Authorization: Bearer'),
    });
  });

  test('the brand header works like Authorization', async () => {
    const response = await fetch(`${mock.addresses.management}/accounts`, {
      headers: { 'x-svc-authorization': `bearer ${admin}` },
    });
    expect(response.status).toBe(200);
  });

  test('a tampered token is 401', async () => {
    const tampered = admin.slice(0, -3) + (admin.endsWith('AAA') ? 'BBB' : 'AAA');
    expect((await request('/accounts', { headers: { authorization: `Bearer ${tampered}` } })).status).toBe(401);
  });

  test('a token of this world is verified again after it left the cache', async () => {
    mock.world.credentials.delete(admin);
    expect((await request('/accounts')).status).toBe(200);
  });

  test('a token is rejected from the instant it expires', async () => {
    const { caller, workspace } = mock.world.credentials.get(admin)!;
    const token = mintToken(mock.world, { caller: caller.id, scopes: ['admin'], workspace, lifetimeSeconds: 60 });
    const status = async () => (await request('/accounts', { headers: { authorization: `Bearer ${token}` } })).status;
    const start = mock.world.clock.now();
    mock.world.clock.advance(59_000);
    expect(await status()).toBe(200);
    mock.world.clock.set(Math.floor(start / 1000) * 1000 + 60_000);
    expect(await status()).toBe(401);
    mock.world.clock.set(start);
  });

  test('an insufficient scope is 403 and names the sufficient ones', async () => {
    const token = mock.target.credentials.unrelated?.value;
    const { status, json: body } = await request('/agents/demo-agent', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(403);
    expect(body.message).toContain('admin, agents:get');
  });

  test('an unknown workspace in the header is 404', async () => {
    expect((await request('/agents', { headers: { 'x-svc-workspace': 'nowhere' } })).status).toBe(404);
  });

  test('no error message contains the credential', async () => {
    const { text } = await request('/accounts', { headers: { authorization: 'Bearer marked-secret' } });
    expect(text).not.toContain('marked-secret');
  });
});

describe('bodies', () => {
  test.each([
    ['malformed JSON', '{"metadata":', 400],
    ['an empty body', '', 400],
    ['bad UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 400],
    ['deep nesting', '['.repeat(100_000) + ']'.repeat(100_000), 400],
    ['a member named __proto__', '{"metadata":{"name":"demo-agent","labels":{"__proto__":"x"}},"spec":{}}', 400],
    ['more than 5 MiB', `"${'x'.repeat(5 * 1024 * 1024)}"`, 413],
    ['an array', '[]', 400],
    ['a missing spec', '{"metadata":{"name":"demo-agent"}}', 400],
  ])('%s is a clear refusal', async (_, body, expected) => {
    const { status, json: response } = await putAgent(body);
    expect(status).toBe(expected);
    expect(response.message.length).toBeGreaterThan(20);
  });

  test('another media type is 415', async () => {
    expect((await putAgent('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  });

  test('a compressed body is 415, well-formed or not', async () => {
    expect((await putAgent('{}', { ...json, 'content-encoding': 'gzip' })).status).toBe(415);
  });

  test('an error names the field, the value and what is allowed', async () => {
    const body = JSON.stringify({ metadata: { name: 'demo-agent' }, spec: { runtime: { generation: 'mk4' } } });
    const { json: response } = await putAgent(body);
    expect(response.message).toMatch(/generation must be one of "mk2", "mk3"; found "mk4"/);
  });
});

describe('browsers', () => {
  test('a preflight response lists the methods of the path', async () => {
    const response = await fetch(`${mock.addresses.management}/agents/demo-agent`, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://app.localhost',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization');
  });

  test('a page of any origin may read responses', async () => {
    const { headers } = await request('/accounts', { headers: { origin: 'http://app.localhost' } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test('a page of another origin may not read the control API', async () => {
    const response = await fetch(`${mock.addresses.host}/_mock/target`, { headers: { origin: 'http://evil.example' } });
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain(admin);
  });
});

describe('control', () => {
  test('the health check responds', async () => {
    const response = await fetch(`${mock.addresses.host}/_mock/health`);
    expect(await response.json()).toMatchObject({ status: 'ok' });
  });

  test('an unknown call is 404', async () => {
    expect((await fetch(`${mock.addresses.host}/_mock/nothing`)).status).toBe(404);
  });
});

describe('workspaces', () => {
  const asMember = (path: string, options: RequestOptions = {}) =>
    request(path, {
      ...options,
      headers: { ...options.headers, authorization: `Bearer ${mock.target.credentials.member?.value}` },
    });

  test('a caller without a role in a workspace cannot access it', async () => {
    expect((await asMember('/workspaces/demo')).status).toBe(200);
    expect((await asMember('/workspaces/demo-research')).status).toBe(404);
    const body = JSON.stringify({ metadata: { name: 'demo-research' }, spec: {} });
    expect((await asMember('/workspaces/demo-research', { method: 'PUT', headers: json, body })).status).toBe(404);
    expect((await asMember('/workspaces/demo-research', { method: 'DELETE' })).status).toBe(404);
    expect(
      (await asMember('/workspaces')).json.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
    ).toEqual(['demo', 'demo-staging']);
  });
});
