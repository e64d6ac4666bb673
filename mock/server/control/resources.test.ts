import { afterAll, expect, test } from 'vitest';
import { startMock } from '../../start-mock.ts';
import type { ShownResource, ShownWorld } from './forms.ts';
import { manage, steer } from './steer.ts';

const mock = await startMock({ seed: 3, clock: 'frozen', now: Date.UTC(2026, 3, 16) });
const { host } = mock.addresses;
const token = mock.target.credentials.admin.value;

afterAll(() => mock.close());

const resources = async (query = '') =>
  ((await steer(host, 'GET', `/resources${query}`)).body as { resources: ShownResource[] }).resources;

test('every resource is there, nested ones and workspaces too', async () => {
  const all = await resources();
  const count = [...mock.world.resources.values()].reduce((sum, { size }) => sum + size, 0);
  expect(all.length).toBe(count);
  expect(all).toContainEqual(expect.objectContaining({ home: 'account:acc-demo', kind: 'Workspace', name: 'demo' }));
  expect(all).toContainEqual(
    expect.objectContaining({ home: 'demo', collection: 'sandboxes/demo-box/previews', kind: 'Preview', name: 'web' }),
  );
});

test('a status follows the clock, and what is deleted goes', async () => {
  const demo = async () =>
    (await resources('?collection=agents&name=demo-agent&home=demo')).map(({ status }) => status);
  await manage(host, token, 'PUT', '/agents/demo-agent', { metadata: { name: 'demo-agent' }, spec: {} });
  expect(await demo()).toEqual(['UPLOADING']);
  await steer(host, 'PUT', '/clock', { advanceMs: 1000 });
  expect(await demo()).toEqual(['DEPLOYED']);
  await manage(host, token, 'DELETE', '/agents/demo-agent');
  expect(await demo()).toEqual(['DELETING']);
  await steer(host, 'PUT', '/clock', { advanceMs: 1000 });
  expect(await demo()).toEqual([]);
});

test('one that is asked for by its name is there whole, as the interface shows it', async () => {
  const [found, ...others] = await resources('?home=demo&collection=sandboxes&name=demo-box');
  expect(others).toEqual([]);
  expect(found?.resource).toEqual((await manage(host, token, 'GET', '/sandboxes/demo-box')).body);
  expect((await resources('?home=demo&collection=sandboxes'))[0]).not.toHaveProperty('resource');
});

test('a filter that is none is refused with words', async () => {
  expect(await steer(host, 'GET', '/resources?kind=agents')).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('home, collection, name') },
  });
});

test('the worlds of a port are listed, the first one first', async () => {
  await steer(host, 'POST', '/worlds', { id: 'other', seed: 9 });
  const { worlds } = (await steer(`${host}/_mock/w/other`, 'GET', '/worlds')).body as { worlds: ShownWorld[] };
  expect(worlds).toEqual([
    expect.objectContaining({ id: null, control: `${host}/_mock`, seed: 3, mode: 'frozen' }),
    expect.objectContaining({ id: 'other', control: `${host}/_mock/w/other/_mock`, seed: 9, received: 0 }),
  ]);
});
