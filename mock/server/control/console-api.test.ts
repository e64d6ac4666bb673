import { afterAll, beforeEach, expect, test } from 'vitest';
import { startMock } from '../../start-mock.ts';

const mock = await startMock({ seed: 3, clock: 'frozen' });
const closed = await startMock({ seed: 3, controlToken: 'open-sesame' });
const { host } = mock.addresses;

afterAll(() => Promise.all([mock.close(), closed.close()]));
beforeEach(() => mock.reset());

const call = (path: string, init?: RequestInit, root = host) => fetch(`${root}/_mock/api/v0${path}`, init);
const json = (body: object) => ({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

test('a call below /_mock/api is one of the admin, and not in the journal', async () => {
  const created = await call('/agents', { method: 'POST', ...json({ metadata: { name: 'made' }, spec: {} }) });
  expect(created.status).toBe(200);
  expect((await call('/agents/made')).status).toBe(200);
  const missing = await call('/agents/missing');
  expect([missing.status, await missing.json()]).toEqual([404, expect.objectContaining({ error: 'not_found' })]);
  expect(await mock.requests()).toEqual([]);
});

test('fault rules and scripts neither apply nor count', async () => {
  await mock.faults.set([{ status: 503, times: 1 }]);
  expect((await call('/agents')).status).toBe(200);
  expect((await mock.faults.get()).counts).toEqual([{ matched: 0, fired: 0 }]);
  await mock.faults.clear();
  await mock.responses.set([{ match: { operation: 'listAgents' }, sequence: [{ status: 429 }] }]);
  expect((await call('/agents')).status).toBe(200);
  expect((await mock.responses.get()).counts).toEqual([{ used: 0 }]);
});

test('it reaches the world whose /_mock it is below', async () => {
  const world = await mock.newWorld({ id: 'other' });
  const root = `${host}/_mock/w/other`;
  expect(
    (await call('/agents', { method: 'POST', ...json({ metadata: { name: 'made' }, spec: {} }) }, root)).status,
  ).toBe(200);
  expect((await call('/agents/made', {}, root)).status).toBe(200);
  expect((await call('/agents/made')).status).toBe(404);
  await world.close();
});

test('it needs the control token, and is closed to pages of other origins', async () => {
  const { host: root } = closed.addresses;
  expect((await call('/agents', {}, root)).status).toBe(401);
  expect((await call('/agents', { headers: { authorization: 'Bearer open-sesame' } }, root)).status).toBe(200);
  expect((await call('/agents', { headers: { origin: 'http://evil.example' } })).status).toBe(403);
});
