/** Tests what init finds out about deployments, without a process. */
import { expect, test } from 'vitest';
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

test.each([400, 403, 404, 500, 503])('the only account of a server whose metrics return %s', async (status) => {
  const headers = status === 503 ? { 'Retry-After': '3600' } : {};
  await using server = await serverWith([{ id: 'acc-1' }], { status, headers, body: { error: 'no' } });
  const { account, yaml, remarks } = await probe(`${server.address}/v0`, { SVC_ADMIN_TOKEN: 'marked-admin' });
  expect(account).toBe('acc-1');
  expect(yaml).toMatch(/^account: acc-1 /m);
  expect(remarks.join(' ')).not.toContain('Nothing could be read');
});

test('a credential that lists several accounts is not doubted', async () => {
  await using server = await serverWith([{ id: 'acc-1' }, { id: 'acc-2' }], { status: 500 });
  const { account, remarks } = await probe(`${server.address}/v0`, { SVC_ADMIN_TOKEN: 'marked-admin' });
  expect(account).toBeUndefined();
  expect(remarks.join(' ')).not.toContain('Nothing could be read');
});
