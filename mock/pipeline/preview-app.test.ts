import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../start-mock.ts';
import { callManagement, changeMock } from '../testing/control-client.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');
let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ now: NOW, clock: 'frozen' });
});
beforeEach(() => changeMock(mock.addresses.host, 'POST', '/reset'));
afterAll(() => mock.close());

const manage = async (method: string, path: string, body?: object) => {
  const { body: answer } = await callManagement(
    mock.addresses.host,
    mock.target.credentials.apiKey.value,
    method,
    `/sandboxes/demo-box/previews${path}`,
    body,
  );
  return answer as { spec: { url: string; token: string } };
};
const status = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).status;

test('a preview has a URL, and each of its tokens opens it', async () => {
  const { url } = (await manage('GET', '/web')).spec;
  const { token } = (await manage('GET', '/web/tokens/t1')).spec;
  expect(await status(url)).toBe(401);
  expect(await status(`${url}?token=wrong`)).toBe(401);
  const page = await fetch(`${url}?token=${token}`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('Preview web of sandbox demo-box');
  expect(await status(url, { 'x-svc-preview-token': token })).toBe(200);
  await manage('DELETE', '/web/tokens/t1');
  expect(await status(`${url}?token=${token}`)).toBe(401);
});

test('a token opens no other preview, and none after it has expired', async () => {
  const other = await manage('POST', '', { metadata: { name: 'other' }, spec: { port: 80 } });
  const { token } = (await manage('GET', '/web/tokens/t1')).spec;
  expect(await status(`${other.spec.url}?token=${token}`)).toBe(401);
  const expiring = await manage('POST', '/other/tokens', {
    metadata: { name: 'short' },
    spec: { expiresAt: '2026-11-01T01:00:00Z' },
  });
  const url = `${other.spec.url}?token=${expiring.spec.token}`;
  expect(await status(url)).toBe(200);
  await changeMock(mock.addresses.host, 'PUT', '/clock', { advanceMs: 3_600_000 });
  expect(await status(url)).toBe(401);
});

test.each(['tomorrow', '', '2026-11-01', '2026-02-30T00:00:00Z', '2026-11-01 00:00:00Z', 1_800_000_000, null, true])(
  'a token that would end at %j is refused',
  async (expiresAt) => {
    const body = { metadata: { name: 'bad' }, spec: { expiresAt } };
    expect(await manage('POST', '/web/tokens', body)).toMatchObject({
      code: 400,
      message: expect.stringContaining('spec.expiresAt'),
    });
  },
);

test.each([{ public: 'yes' }, { port: 'http' }, { port: 0 }, { port: 65_536 }])(
  'a preview with %j is refused',
  async (spec) => {
    const answer = await manage('POST', '', { metadata: { name: 'bad' }, spec });
    expect(answer).toMatchObject({ code: 400, message: expect.stringContaining(`spec.${Object.keys(spec)[0]}`) });
  },
);

test('a public preview needs no token; unknown ones are 404', async () => {
  const { spec } = await manage('POST', '', { metadata: { name: 'open' }, spec: { public: true } });
  expect(await status(spec.url)).toBe(200);
  expect(await status(spec.url.replace('/open', '/none'))).toBe(404);
  expect(await status(spec.url.replace('/demo-box/', '/no-box/'))).toBe(404);
});

test('the preview of a sandbox that is being deleted responds as the sandbox does, and no other one can be created', async () => {
  const { url } = (await manage('GET', '/web')).spec;
  const { host } = mock.addresses;
  const key = mock.target.credentials.apiKey.value;
  const path = '/sandboxes/demo-box';
  await callManagement(host, key, 'DELETE', path);
  const sandbox = `${host}/sandbox/demo/demo-box/filesystem/tree/app`;
  const statuses = async () => [await status(url), await status(sandbox, { authorization: `Bearer ${key}` })];
  expect(await statuses()).toEqual([503, 503]);
  const body = { metadata: { name: 'late' }, spec: { public: true } };
  expect((await callManagement(host, key, 'POST', `${path}/previews`, body)).status).toBe(409);
  await changeMock(host, 'PUT', '/clock', { advanceMs: 1000 });
  expect(await statuses()).toEqual([404, 404]);
});
