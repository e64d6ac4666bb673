import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scopes } from '../../../spec/values.ts';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { callManagement, callControl, changeMock } from '../../testing/control-client.ts';

let mock: RunningMock;

beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen', now: Date.UTC(2026, 3, 16) });
});
afterAll(() => mock.close());

const mint = (body?: unknown) => callControl(mock.addresses.host, 'POST', '/tokens', body);
const minted = async (body?: unknown) => ((await mint(body)).body as { token: string }).token;
const statusOf = async (token: string, path: string) =>
  (await callManagement(mock.addresses.host, token, 'GET', path)).status;

test.each(['jwt', 'api-key'])('a minted %s is valid until its lifetime ends', async (kind) => {
  const { status, body } = await mint({ kind, lifetimeSeconds: 60 });
  expect([status, body]).toEqual([201, expect.objectContaining({ kind, scopes: ['admin'] })]);
  const { token } = body as { token: string };
  expect(await statusOf(token, '/agents')).toBe(200);
  await changeMock(mock.addresses.host, 'PUT', '/clock', { advanceMs: 60_000 });
  expect(await statusOf(token, '/agents')).toBe(401);
});

test('scopes, roles, workspace and account are those of the request', async () => {
  expect(await statusOf(await minted({ scopes: ['agents:update'] }), '/agents')).toBe(403);
  const member = await minted({ accountRole: 'account-member', workspace: 'demo-staging' });
  expect(await statusOf(member, '/accounts/acc-demo/metrics/resource-types')).not.toBe(401);
  const { body } = await mint({ account: 'acc-other' });
  expect(body).toMatchObject({ caller: { account: 'acc-other', workspaces: [{ name: 'other' }] } });
  expect(await statusOf(await minted({ lifetimeSeconds: 0 }), '/agents')).toBe(401);
  expect(await statusOf(await minted(), '/agents/demo-agent')).toBe(200);
});

test('the client of the target may revoke a minted JWT, another client may not', async () => {
  const token = await minted();
  const revoke = async (fields: Record<string, string>) =>
    (await fetch(`${mock.addresses.host}/oauth/revoke`, { method: 'POST', body: new URLSearchParams(fields) })).status;
  expect(await revoke({ client_id: 'demo-page', token })).toBe(400);
  expect(await statusOf(token, '/agents')).toBe(200);
  expect(await revoke({ client_id: 'demo-client', client_secret: 'demo-secret', token })).toBe(200);
  expect(await statusOf(token, '/agents')).toBe(401);
});

test.each<[unknown, RegExp]>([
  [{ scopes: ['fly'] }, /scopes\[0\]: "fly" is not one of admin/],
  [{ account: 'acc-x' }, /account is "acc-x"; allowed: acc-demo, acc-other/],
  [{ workspace: 'nowhere' }, /workspace is "nowhere"; allowed: a workspace of acc-demo: demo, demo-staging/],
  [{ workspace: 'other', account: 'acc-demo' }, /workspace is "other"/],
  [{ lifetimeSeconds: -1 }, /lifetimeSeconds: -1 is not an integer from 0 to 3153600000/],
  [{ role: 'admin' }, /"role".*Allowed: kind, scopes/],
])('%j is rejected with a clear message', async (body, words) => {
  const { status, body: reply } = await mint(body);
  expect([status, reply]).toEqual([400, expect.objectContaining({ message: expect.stringMatching(words) })]);
});

test('a snapshot with any minted credential can be restored', async () => {
  const some = <Item>(...items: Item[]) => fc.constantFrom(...items);
  const wanted = fc.record(
    {
      kind: some('jwt', 'api-key'),
      scopes: fc.uniqueArray(some<string>(...scopes), { maxLength: 4 }),
      account: some('acc-demo', 'acc-other'),
      accountRole: some('account-admin', 'account-member'),
      workspace: some('demo', 'demo-staging', 'other'),
      workspaceRole: some('workspace-admin', 'workspace-member'),
      lifetimeSeconds: fc.oneof(some(0, 100 * 365 * 86_400), fc.nat()),
    },
    { requiredKeys: [] },
  );
  const { host } = mock.addresses;
  await fc.assert(
    fc.asyncProperty(wanted, async (body) => {
      const { status } = await mint(body);
      fc.pre(status === 201);
      const taken = await callControl(host, 'GET', '/snapshot');
      expect(await callControl(host, 'PUT', '/snapshot', taken.body)).toMatchObject({ status: 200 });
    }),
    { numRuns: 30, examples: [[{ scopes: [] }], [{ kind: 'api-key', scopes: [] }]] },
  );
});
