/** Tests what init finds out about deployments, without a process. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { localServer, type LocalResponse } from '../../suites/testing/local-server.ts';
import { probeDeployment } from './probe-deployment.ts';

const probe = (management: string, environment: Readonly<Record<string, string>>) => {
  const named = { admin: 'SVC_ADMIN_TOKEN', apiKey: 'SVC_API_KEY' };
  const found = Object.entries(named).filter(([, env]) => env in environment);
  const credentials = Object.fromEntries(found.map(([name, env]) => [name, { env }]));
  return probeDeployment({ addresses: { management }, credentials, allow: 'read' }, environment);
};

/** A server that has nothing but a list of accounts, and metrics that fail. */
const serverWith = (list: unknown, metrics: LocalResponse) =>
  localServer(({ url }) => {
    if (url === '/v0/accounts') return { body: list };
    return url.includes('/metrics') ? metrics : { status: 404, body: {} };
  });

test.each([400, 401, 403, 404, 500, 503])('the only account of a server whose metrics return %s', async (status) => {
  const headers = status === 503 ? { 'Retry-After': '3600' } : {};
  await using server = await serverWith([{ id: 'acc-1' }], { status, headers, body: { error: 'no' } });
  const { account, yaml, remarks } = await probe(`${server.address}/v0`, { SVC_ADMIN_TOKEN: 'marked-admin' });
  expect(account).toBe('acc-1');
  expect(yaml).toMatch(/^account: acc-1 /m);
  expect(remarks.join(' ')).not.toContain('Nothing could be read');
});

test.each([405, 501])('the credential of a server that returns %d to everything is not doubted', async (status) => {
  await using server = await localServer(() => ({ status }));
  const { remarks } = await probe(`${server.address}/v0`, { SVC_ADMIN_TOKEN: 'marked-admin' });
  expect(remarks.join(' ')).toContain('answer GET /accounts first');
  expect(remarks.join(' ')).not.toContain('valid credential');
});

test('a list of accounts without an account is named', async () => {
  await using server = await serverWith([], { status: 404 });
  const { account, remarks } = await probe(`${server.address}/v0`, { SVC_ADMIN_TOKEN: 'marked-admin' });
  expect(account).toBeUndefined();
  expect(remarks).toContain(
    'GET /accounts returned 200, and no account could be read from it. Let it list one with its id, or set account in the target file.',
  );
});

test('a credential that lists several accounts is not doubted', async () => {
  await using server = await serverWith([{ id: 'acc-1' }, { id: 'acc-2' }], { status: 500 });
  const { account, yaml, remarks } = await probe(`${server.address}/v0`, { SVC_ADMIN_TOKEN: 'marked-admin' });
  expect(account).toBe('acc-1');
  expect(yaml).toMatch(/^account: acc-1 /m);
  expect(remarks.join(' ')).toContain('GET /accounts lists acc-1, acc-2, and metrics show none of them');
  expect(remarks.join(' ')).not.toContain('Nothing could be read');
});

test.each([
  ['an account admin', 'admin', true],
  ['a member', 'member', false],
] as const)('the only API key of %s', async (_, caller, isAdmin) => {
  await using mock = await startMock({});
  const { value = '' } = mock.target.credentials[caller] ?? {};
  const { yaml, account } = await probe(mock.addresses.management, { SVC_API_KEY: value });
  expect(account).toBe('acc-demo');
  expect(yaml).toMatch(/^ {2}apiKey: \{ env: SVC_API_KEY \}/m);
  expect(/^ {2}admin: \{ env: SVC_API_KEY \}/m.test(yaml)).toBe(isAdmin);
  expect(/^ {2}admin:/m.test(yaml)).toBe(isAdmin);
});

test('an API key of an admin does not replace a credential of its own', async () => {
  await using mock = await startMock({});
  const { value } = mock.target.credentials.admin;
  const { yaml } = await probe(mock.addresses.management, { SVC_ADMIN_TOKEN: value, SVC_API_KEY: value });
  expect(yaml).toMatch(/^ {2}admin: \{ env: SVC_ADMIN_TOKEN \}/m);
});
