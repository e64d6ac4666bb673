import { afterAll, expect, test } from 'vitest';
import { startMock } from '../../start-mock.ts';
import type { ResourceView, WorldView } from './views.ts';
import { callManagement, callControl, changeMock } from '../../testing/control-client.ts';

const mock = await startMock({ seed: 3, clock: 'frozen', now: Date.UTC(2026, 3, 16) });
const { host } = mock.addresses;
const token = mock.target.credentials.admin.value;

afterAll(() => mock.close());

const resources = async (query = '') =>
  ((await callControl(host, 'GET', `/resources${query}`)).body as { resources: ResourceView[] }).resources;

test('all resources are listed, including nested ones and workspaces', async () => {
  const all = await resources();
  const count = [...mock.world.resources.values()].reduce((sum, { size }) => sum + size, 0);
  expect(all.length).toBe(count);
  expect(all).toContainEqual(expect.objectContaining({ home: 'account:acc-demo', kind: 'Workspace', name: 'demo' }));
  expect(all).toContainEqual(
    expect.objectContaining({ home: 'demo', collection: 'sandboxes/demo-box/previews', kind: 'Preview', name: 'web' }),
  );
});

test('a status follows the clock, and deleted resources disappear', async () => {
  const demo = async () =>
    (await resources('?collection=agents&name=demo-agent&home=demo')).map(({ status }) => status);
  await callManagement(host, token, 'PUT', '/agents/demo-agent', { metadata: { name: 'demo-agent' }, spec: {} });
  expect(await demo()).toEqual(['UPLOADING']);
  await changeMock(host, 'PUT', '/clock', { advanceMs: 1000 });
  expect(await demo()).toEqual(['DEPLOYED']);
  await callManagement(host, token, 'DELETE', '/agents/demo-agent');
  expect(await demo()).toEqual(['DELETING']);
  await changeMock(host, 'PUT', '/clock', { advanceMs: 1000 });
  expect(await demo()).toEqual([]);
});

test('a resource requested by name has all members, as in the API', async () => {
  const [found, ...others] = await resources('?home=demo&collection=sandboxes&name=demo-box');
  expect(others).toEqual([]);
  expect(found?.resource).toEqual((await callManagement(host, token, 'GET', '/sandboxes/demo-box')).body);
  expect((await resources('?home=demo&collection=sandboxes'))[0]).not.toHaveProperty('resource');
});

test('an unknown filter is rejected with a clear message', async () => {
  expect(await callControl(host, 'GET', '/resources?kind=agents')).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('home, collection, name') },
  });
});

test('the worlds of a port are listed, starting with the first world', async () => {
  await changeMock(host, 'POST', '/worlds', { id: 'other', seed: 9 });
  const { worlds } = (await callControl(`${host}/_mock/w/other`, 'GET', '/worlds')).body as { worlds: WorldView[] };
  expect(worlds).toEqual([
    expect.objectContaining({ id: null, control: `${host}/_mock`, seed: 3, mode: 'frozen' }),
    expect.objectContaining({ id: 'other', control: `${host}/_mock/w/other/_mock`, seed: 9, received: 0 }),
  ]);
});
