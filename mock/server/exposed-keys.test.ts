import { afterEach, expect, test, vi } from 'vitest';
import { startMock, type MockOptions } from '../start-mock.ts';

afterEach(() => vi.unstubAllEnvs());

async function targetOf(options: MockOptions) {
  await using mock = await startMock({ seed: 1, now: 0, ...options });
  const { credentials, client } = mock.target;
  const secret = client?.secret as { readonly value: string } | undefined;
  const response = await fetch(`http://127.0.0.1:${new URL(mock.addresses.host).port}/v0/accounts`, {
    headers: { authorization: `Bearer ${credentials.admin.value}` },
  });
  return {
    admin: credentials.admin.value,
    apiKey: credentials.apiKey.value,
    secret: secret?.value,
    status: response.status,
  };
}

const EXPOSED = { host: '0.0.0.0', controlToken: 'control' };

test('on loopback the keys depend only on the seed', async () => {
  vi.stubEnv('ASSAY_API_KEY', 'key-of-the-environment');
  const [one, other] = [await targetOf({}), await targetOf({})];
  expect(one.apiKey).toBe(other.apiKey);
  expect([one.secret, one.apiKey]).toEqual(['demo-secret', expect.stringMatching(/^svc-key-/)]);
});

test('on another host keys, tokens and the secrets of the default clients are generated', async () => {
  vi.stubEnv('ASSAY_API_KEY', '');
  vi.stubEnv('ASSAY_ADMIN_TOKEN', '');
  const [loopback, one, other] = [await targetOf({}), await targetOf(EXPOSED), await targetOf(EXPOSED)];
  for (const name of ['apiKey', 'secret'] as const)
    expect(new Set([loopback[name], one[name], other[name]]).size).toBe(3);
  const signature = ({ admin }: { admin: string }) => admin.split('.')[2];
  expect(new Set([loopback, one, other].map(signature)).size).toBe(3);
  expect([one.status, other.status]).toEqual([200, 200]);
});

test('on another host keys come from the environment, or from the world file', async () => {
  vi.stubEnv('ASSAY_API_KEY', 'key-of-the-environment');
  vi.stubEnv('ASSAY_ADMIN_TOKEN', 'token-of-the-environment');
  expect(await targetOf(EXPOSED)).toMatchObject({
    apiKey: 'key-of-the-environment',
    admin: 'token-of-the-environment',
    status: 200,
  });
  const credentials = [
    { name: 'admin', kind: 'api-key', caller: 'deployer', scopes: ['admin' as const], value: 'admin-of-the-file' },
    { name: 'apiKey', kind: 'api-key', caller: 'deployer', scopes: ['admin' as const], value: 'key-of-the-file' },
  ] as const;
  const world = {
    extends: 'default',
    credentials: credentials.map((each) => ({ ...each, scopes: [...each.scopes] })),
  } as const;
  expect(await targetOf({ ...EXPOSED, world })).toMatchObject({
    apiKey: 'key-of-the-file',
    admin: 'admin-of-the-file',
  });
});

test('the value of a token is refused', async () => {
  const credentials = [
    { name: 'admin', kind: 'jwt' as const, caller: 'deployer', scopes: ['admin' as const], value: 'x' },
  ];
  await expect(startMock({ world: { extends: 'default', credentials } })).rejects.toThrow('api-key');
});
