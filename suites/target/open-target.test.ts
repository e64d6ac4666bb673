import { expect, test } from 'vitest';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { candidatesIn } from './account.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse, ReceivedRequest } from '../testing/local-server.ts';
import { openTarget } from './open-target.ts';

async function opened(
  file: Omit<TargetFile, 'addresses'>,
  response: (received: ReceivedRequest) => LocalResponse | 'break',
  environment = {},
  warnings: string[] = [],
) {
  await using server = await localServer(response);
  const addresses = { management: `${server.address}/api/v0` };
  const target = await openTarget({ ...file, addresses }, environment, {
    warn: (sentence) => void warnings.push(sentence),
  });
  return { target, seen: server.received, address: server.address };
}

const accounts = ({ url }: ReceivedRequest): LocalResponse => {
  if (url === '/api/v0/accounts') return { body: [{ name: 'Acme', id: 'acc-9' }] };
  return { status: url.startsWith('/api/v0/accounts/acc-9/') ? 200 : 404 };
};

test('the account is the identifier of GET /accounts that metrics accept', async () => {
  expect((await opened({}, accounts)).target.account).toBe('acc-9');
});

test('an account with metrics is preferred to one with only the static list', async () => {
  const response = ({ url }: ReceivedRequest): LocalResponse => {
    if (url === '/api/v0/accounts') return { body: [{ id: 'record-1', accountId: 'acc-9' }] };
    const known = url.startsWith('/api/v0/accounts/acc-9/metrics?') || url.endsWith('/enums/group-by');
    return { status: known ? 200 : 404 };
  };
  expect((await opened({}, response)).target.account).toBe('acc-9');
});

/** A server that lists these accounts, and whose metrics fail in the same way for every caller. */
const withFailingMetrics =
  (list: unknown, metrics: LocalResponse | 'break') =>
  ({ url }: ReceivedRequest): LocalResponse | 'break' =>
    url.endsWith('/accounts') ? { body: list } : url.includes('/metrics') ? metrics : { status: 404, body: {} };
const refusals = [
  ...[400, 401, 403, 500].map((status) => ({ status, body: { error: 'no' } })),
  { status: 503, headers: { 'Retry-After': '3600' }, body: { error: 'not within a run' } },
  { status: 404, body: { error: 'not like an unknown path' } },
];
const full = { admin: { value: 'marked-admin' } };

test.each([...refusals, 'break' as const])(
  'the only account is the account also if its metrics return %j',
  async (metrics) => {
    const respond = withFailingMetrics([{ id: 'acc-1' }], metrics);
    for (const credentials of [full, { apiKey: { value: 'marked-key' } }, { member: { value: 'marked-member' } }])
      expect((await opened({ credentials }, respond)).target.account).toBe('acc-1');
  },
);

test.each(refusals)(
  'the first of two accounts is the account if metrics return %j, with a warning',
  async (metrics) => {
    const warnings: string[] = [];
    const respond = withFailingMetrics([{ id: 'acc-1' }, { id: 'acc-2' }], metrics);
    const { target } = await opened({ credentials: full }, respond, {}, warnings);
    expect(target.account).toBe('acc-1');
    expect(warnings).toContain(
      `GET /accounts lists acc-1, acc-2, and metrics show none of them to be the right one (status ${metrics.status}): the first is used. Set account in the target file.`,
    );
  },
);

test('an account of a list with a further page is not the account if metrics fail', async () => {
  const list = { items: [{ id: 'acc-1' }], next: 'p2' };
  const { target } = await opened({ credentials: full }, withFailingMetrics(list, { status: 500 }));
  expect(target.account).toBeUndefined();
});

test('the account of the file takes precedence', async () => {
  expect((await opened({ account: 'mine' }, accounts)).target.account).toBe('mine');
});

test('an account that cannot be read is undefined', async () => {
  expect((await opened({}, () => ({ status: 403 }))).target.account).toBeUndefined();
});

test.each([
  [
    401,
    { admin: { value: 'marked-secret' } },
    /^credentials\.admin is refused: GET \/accounts returned 401\. .* credentials\.admin\.value/,
  ],
  [401, {}, /^GET \/accounts returned 401, and there is no credential \(admin/],
  [
    404,
    {},
    /^GET \/accounts returned 404: is http:\S+\/api the management address\? It includes the path.* answer GET \/accounts first/,
  ],
])('status %s of GET /accounts with %j is reported: %s', async (status, credentials, expected) => {
  expect(await warningsOf(status, credentials)).toEqual([expect.stringMatching(expected)]);
});

test.each([200, 403, 500])('status %s of GET /accounts is not reported', async (status) => {
  expect(await warningsOf(status, { admin: { value: 'marked-secret' } })).toEqual([]);
});

test.each([403, 500])('status %s of GET /accounts is reported to a run', async (status) => {
  const credentials = { admin: { value: 'marked-secret' } };
  expect(await warningsOf(status, credentials, { checksCredentials: true })).toEqual([
    `GET /accounts returned ${status}. Let it list the account, or set account in the target file.`,
  ]);
});

test('a list without accounts is reported to a run', async () => {
  const credentials = { admin: { value: 'marked-secret' } };
  expect(await warningsOf(200, credentials, { checksCredentials: true })).toEqual([
    'GET /accounts returned 200, and no account could be read from it. Let it list one with its id, or set account in the target file.',
  ]);
});

async function warningsOf(
  status: number,
  credentials: TargetFile['credentials'] & object,
  options: { readonly checksCredentials?: boolean } = {},
): Promise<string[]> {
  const warnings: string[] = [];
  await using server = await localServer(() => ({ status }));
  const addresses = { management: `${server.address}/api` };
  await openTarget({ addresses, credentials }, {}, { ...options, warn: (sentence) => warnings.push(sentence) });
  return warnings;
}

test.each([
  [[{ id: 'a' }], ['a']],
  [
    [
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B' },
    ],
    ['a', 'b', 'A', 'B'],
  ],
  [{ accounts: [{ accountId: 'b', name: 'B' }] }, ['b', 'B']],
  [{ items: [{ metadata: { name: 'c' } }], total: 1 }, ['c', '1']],
  [{ data: { edges: [{ node: { handle: 'e' } }, { node: { handle: '..' } }] } }, ['e']],
  [{ self: 'https://a.example/v0/accounts/f' }, ['https://a.example/v0/accounts/f', 'f']],
  [{ id: 7 }, ['7']],
  [['d'], ['d']],
  [{ 'acc-9': {} }, ['acc-9']],
  [null, []],
])('the first candidates in %j are %j', (json, expected) => {
  expect(candidatesIn(json).slice(0, expected.length)).toEqual(expected);
  expect(candidatesIn(json)).not.toContain('..');
});

test('the account is found behind those of others', async () => {
  const list = Array.from({ length: 62 }, (_, index) => ({ id: `acc-${index}`, name: `Account ${index}` }));
  const respond = ({ url }: ReceivedRequest): LocalResponse =>
    url.endsWith('/accounts')
      ? { body: JSON.stringify(list) }
      : { status: url.includes('/acc-61/') ? 200 : 403, body: '{}' };
  expect((await opened({}, respond)).target.account).toBe('acc-61');
});

test('the host is the management address without its last path segment, and other values have defaults', async () => {
  const { target, address } = await opened({}, accounts);
  expect(target).toMatchObject({ brand: 'Svc', allow: 'read', addresses: { host: `${address}/api` } });
  expect(Date.parse(target.metrics.window.end)).toBeLessThanOrEqual(Date.now());
});

test('the error for an unset variable names the variable and its place in the file', async () => {
  const file = { credentials: { scoped: { 'agents:update': { env: 'NOT_SET' } } } };
  await expect(opened(file, accounts)).rejects.toThrow(
    /credentials\.scoped\.agents:update: .*NOT_SET is not set\. .* or remove credentials\.scoped/,
  );
});

test('names that every object has are not names of variables', async () => {
  const refused = opened({ credentials: { admin: { env: 'toString' } } }, accounts);
  await expect(refused).rejects.toThrow(/^credentials\.admin: the environment variable that env names .* is not set/);
});

test.each(['ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'AKIAIOSFODNN7EXAMPLE', 'hunter2', 'JBSWY3DPEHPK3PXP'])(
  'a secret instead of a variable name is not repeated: %s',
  async (env) => {
    const refused = opened({ credentials: { admin: { env } } }, accounts);
    await expect(refused).rejects.toThrow(/^credentials\.admin: the environment variable that env names .* is not set/);
    await expect(refused).rejects.not.toThrow(env);
  },
);

test('a secret from a variable keeps its name', async () => {
  const { target } = await opened({ credentials: { member: { env: 'MY_TOKEN' } } }, accounts, { MY_TOKEN: 'm' });
  expect(target.credentials.member).toEqual({ value: 'm', name: 'MY_TOKEN' });
});

test('client credentials are exchanged for a token with HTTP Basic', async () => {
  const response = (received: ReceivedRequest): LocalResponse =>
    received.url === '/oauth/token'
      ? { body: String.raw`{"acc\u0065ss_token": "fr\u0065sh", "token_type": "Bearer"}` }
      : accounts(received);
  await using tokens = await localServer(response);
  const source = {
    tokenUrl: `${tokens.address}/oauth/token`,
    id: { value: 'me:too' },
    secret: { value: 's' },
    scope: 'mcphub:list',
  };
  const { target } = await opened({ credentials: { unrelated: { clientCredentials: source } } }, accounts);
  expect(target.credentials.unrelated?.value).toBe('fresh');
  expect(tokens.received[0]).toMatchObject({ body: 'grant_type=client_credentials&scope=mcphub%3Alist' });
  expect(tokens.received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me%3Atoo:s').toString('base64')}`);
});

test('parameters of the file are sent with client credentials', async () => {
  await using tokens = await localServer(() => ({ body: { access_token: 'fresh' } }));
  const parameters = { audience: 'https://api.example.com', resource: 'a&b' };
  const client = { id: { value: 'me' }, secret: { value: 's' }, parameters };
  const clientCredentials = { ...client, tokenUrl: `${tokens.address}/oauth/token` };
  const { target } = await opened({ client, credentials: { unrelated: { clientCredentials } } }, accounts);
  expect(target.client?.parameters).toEqual(parameters);
  expect(tokens.received[0]?.body).toBe(
    'audience=https%3A%2F%2Fapi.example.com&resource=a%26b&grant_type=client_credentials',
  );
});

test('samples are those of the file, with the secrets read', async () => {
  const plain = { vpcSpec: { region: 'local' }, callbackUrl: 'https://a.example/hook', schedule: '0 9 * * 1' };
  const samples = { ...plain, connectionSecrets: { mail: { CLIENT_ID: { env: 'MAIL_ID' } } } };
  const { target } = await opened({ samples }, accounts, { MAIL_ID: 'm' });
  expect(target.samples).toEqual({
    ...plain,
    connectionSecrets: { mail: { CLIENT_ID: { value: 'm', name: 'MAIL_ID' } } },
  });
  expect((await opened({}, accounts)).target.samples).toEqual({});
});
