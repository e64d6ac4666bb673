/** Tests the checks against mocks and faulty servers. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { CredentialSource, TargetFile } from '../../spec/formats/target-file.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import { examineTarget } from './examine-target.ts';

/** The checks of a changed target file of the mock that do not pass, by subject. */
async function problemsOf(change: (file: TargetFile) => Partial<TargetFile>, options = {}) {
  await using mock = await startMock(options);
  const file: TargetFile = mock.target;
  const { checks } = await examineTarget({ ...file, ...change(file) }, {});
  return Object.fromEntries(
    checks
      .filter(({ outcome }) => outcome !== 'passed')
      .map(({ subject, outcome, found }) => [subject, `${outcome}: ${found}`]),
  );
}

/** The mock's own target file contains values. */
function valueOf(source: CredentialSource | undefined): { value: string } {
  if (source === undefined || !('value' in source)) throw new Error('The credential has no value.');
  return source;
}

test('the target file of the mock passes, and only GET and token requests are sent', async () => {
  await using mock = await startMock({});
  const { checks, isReachable } = await examineTarget(mock.target, {});
  expect(isReachable).toBe(true);
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  const requests = await mock.requests({});
  expect(requests.length).toBeGreaterThan(20);
  expect(requests.filter(({ method, path }) => method !== 'GET' && path !== '/oauth/token')).toEqual([]);
});

test('roles that are not as named', async () => {
  const problems = await problemsOf(({ credentials = {} }) => ({
    credentials: { ...credentials, admin: credentials.member!, member: credentials.admin! },
  }));
  expect(problems).toEqual({
    'role of admin': 'failed: expected an account admin, but grouping metrics by workspace returned 403',
    'role of member': 'failed: expected not an account admin, but grouping metrics by workspace returned 200',
  });
});

/** What is found out about the account with these credentials. */
async function accountCheck(
  { address }: { readonly address: string },
  credentials: TargetFile['credentials'] & object = { admin: { value: 'marked-admin' } },
) {
  const { checks } = await examineTarget({ addresses: { management: `${address}/v0` }, credentials }, {});
  return checks.find(({ subject }) => subject === 'account');
}

test('accounts whose metrics get no response', async () => {
  await using server = await localServer(({ url }) =>
    url === '/v0/accounts' ? { body: [{ id: 'own' }, { id: 'team' }] } : 'break',
  );
  expect(await accountCheck(server)).toMatchObject({
    outcome: 'warning',
    found: expect.stringMatching(
      /none of them to be the right one \(no usable response\): the first is used$/,
    ) as string,
    advice: 'Set account in the target file.',
  });
});

test('several accounts, in each of which a credential lacks its role', async () => {
  await using server = await localServer(({ url, headers }) => {
    if (url === '/v0/accounts') return { body: [{ id: 'own' }, { id: 'team' }] };
    return { status: headers.authorization === 'Bearer marked-admin' ? 200 : 403, body: {} };
  });
  const credentials = { admin: { value: 'marked-admin' }, member: { value: 'marked-member' } };
  expect(await accountCheck(server, credentials)).toEqual({
    subject: 'account',
    outcome: 'failed',
    found: expect.stringMatching(/^GET \/accounts lists own, team, and in each of them a credential/) as string,
    advice: 'Set account in the target file.',
  });
});

test.each([400, 401, 403, 404, 500, 503])('the only account of a server whose metrics return %s', async (status) => {
  const headers = status === 503 ? { 'Retry-After': '3600' } : {};
  await using server = await localServer(({ url }) => {
    if (url === '/v0/accounts') return { body: [{ id: 'acc-1' }] };
    return url.includes('/metrics') ? { status, headers, body: { error: 'no' } } : { status: 404, body: {} };
  });
  expect(await accountCheck(server)).toEqual({
    subject: 'account',
    outcome: 'passed',
    found: 'acc-1, read from GET /accounts',
  });
});

test.each([400, 401, 403, 404, 500])('two accounts of a server whose metrics return %s', async (status) => {
  await using server = await localServer(({ url }) => {
    if (url === '/v0/accounts') return { body: [{ id: 'acc-1' }, { id: 'acc-2' }] };
    return { status, body: { error: 'no', requestId: url.length } };
  });
  expect(await accountCheck(server)).toEqual({
    subject: 'account',
    outcome: 'warning',
    found: `GET /accounts lists acc-1, acc-2, and metrics show none of them to be the right one (status ${status}): the first is used`,
    advice: 'Set account in the target file.',
  });
});

test('a list of accounts without an account', async () => {
  await using server = await localServer(({ url }) =>
    url === '/v0/accounts' ? { body: [] } : { status: 404, body: {} },
  );
  expect(await accountCheck(server)).toEqual({
    subject: 'account',
    outcome: 'failed',
    found: 'GET /accounts returned 200, and no account could be read from it',
    advice: 'Let it list one with its id, or set account in the target file.',
  });
});

test('a list of accounts of which only the first page is read', async () => {
  await using server = await localServer(({ url }) =>
    url === '/v0/accounts' ? { body: { accounts: [{ id: 'acc-1' }], hasMore: true } } : { status: 403, body: {} },
  );
  expect(await accountCheck(server)).toMatchObject({
    outcome: 'failed',
    found: expect.stringMatching(/^GET \/accounts has more pages, .* \(status 403\)$/) as string,
  });
});

test.each([
  ['an admin', 'admin', { 'role of apiKey': 'warning: an account admin, and there is no credentials.admin' }],
  ['a member', 'member', {}],
] as const)('the API key of %s, without another credential', async (_, caller, problems) => {
  const found = await problemsOf(({ credentials = {} }) => ({ credentials: { apiKey: valueOf(credentials[caller]) } }));
  expect(found).toEqual(problems);
});

test('an expired token that is accepted, and an unrelated one that is not', async () => {
  const problems = await problemsOf(({ credentials = {} }) => ({
    credentials: { ...credentials, expired: valueOf(credentials.admin), unrelated: { value: 'no.such.token' } },
  }));
  expect(problems).toMatchObject({
    'credentials.expired': expect.stringMatching(/^failed: not refused: .* returned 200/) as string,
    'credentials.unrelated': expect.stringMatching(/^failed: refused: .* returned 401/) as string,
  });
});

test('a named resource that does not exist', async () => {
  expect(
    await problemsOf(() => ({ resources: { agent: 'no-such-agent', integration: 'no-such-integration' } })),
  ).toEqual({
    'resources.agent': 'failed: no-such-agent does not exist (GET /agents/no-such-agent returned 404)',
    'resources.integration':
      'failed: no-such-integration does not exist (GET /integrations/no-such-integration returned 404)',
  });
});

test('a resource that only a list shows exists', async () => {
  const bodies = { '/v0/volumes': { items: [{ metadata: { name: 'data' } }] }, '/v0/accounts': [{ id: 'acc-1' }] };
  await using server = await localServer(({ url }) =>
    url in bodies ? { body: bodies[url as keyof typeof bodies] } : { status: 404 },
  );
  const file = { addresses: { management: `${server.address}/v0` }, workspace: 'demo' };
  const found = async (name: string) => {
    const { checks } = await examineTarget({ ...file, resources: { volume: { name, region: 'local' } } }, {});
    return checks.find(({ subject }) => subject === 'resources.volume')?.outcome;
  };
  expect([await found('data'), await found('other')]).toEqual(['passed', 'failed']);
});

test('a target without undocumented operations', async () => {
  const problems = await problemsOf(() => ({ resources: { agent: 'demo-agent' } }), { onlyDocumented: true });
  expect(problems['resources.agent']).toMatch(/^skipped: the target has no such operation/);
});

test('a client whose secret is wrong, as a credential and for the oauth rules', async () => {
  const problems = await problemsOf(({ client, credentials = {} }) => {
    const id = client?.id ?? { value: '' };
    const secret = { value: 'wrong-secret' };
    const clientCredentials = { tokenUrl: client?.tokenUrl ?? '', id, secret };
    return { client: { ...client, id, secret }, credentials: { ...credentials, unrelated: { clientCredentials } } };
  });
  expect(problems['client']).toMatch(/^failed: .*did not return a token \(status 401/);
  expect(problems['credentials.unrelated']).toMatch(/^failed: .*did not return a token \(status 401/);
});

test('a client whose server requires a scope and an audience', async () => {
  await using server = await localServer(({ url, body }) => {
    if (!url.startsWith('/oauth/token')) return { body: [] };
    const isComplete = ['scope=a+b', 'audience=api'].every((each) => body.split('&').includes(each));
    return isComplete ? { body: { access_token: 'issued' } } : { status: 400, body: { error: 'invalid_request' } };
  });
  const client = { id: { value: 'me' }, secret: { value: 'a-secret' }, scopes: ['a', 'b'] };
  const outcomeOf = async (parameters?: { audience: string }) => {
    const file = {
      addresses: { management: `${server.address}/v0` },
      client: { ...client, ...(parameters && { parameters }) },
    };
    const { checks } = await examineTarget(file, {});
    return checks.find(({ subject }) => subject === 'client');
  };
  expect(await outcomeOf({ audience: 'api' })).toMatchObject({ outcome: 'passed' });
  const refused = await outcomeOf();
  expect(refused).toMatchObject({ outcome: 'failed', advice: expect.stringContaining('the parameters') as string });
  expect(JSON.stringify(refused)).toContain('400 invalid_request');
});

test('an address at which nothing listens', async () => {
  const problems = await problemsOf(({ addresses }) => ({
    addresses: { ...addresses, inference: 'http://127.0.0.1:1' },
  }));
  expect(problems).toEqual({
    'addresses.inference': 'failed: http://127.0.0.1:1 does not respond: nothing listens on this port (ECONNREFUSED)',
  });
});

test.each([404, 405, 501])('a wrong path of the management address, or no operation yet: %d', async (status) => {
  await using server = await localServer(() => ({ status }));
  const { checks, isReachable } = await examineTarget({ addresses: { management: server.address } }, {});
  expect(isReachable).toBe(true);
  expect(checks[0]).toMatchObject({
    outcome: 'failed',
    advice: expect.stringMatching(
      /such as \/v0\. If the server is being built, answer GET \/accounts first\.$/,
    ) as string,
  });
});

const admin = { value: 'marked-admin' };

test.each([undefined, 'own'])(
  'a server that requires a credential and has no operation yet, with account %s in the target file',
  async (account) => {
    await using server = await localServer(({ headers }) => ({
      status: headers.authorization === undefined ? 401 : 404,
    }));
    const addresses = { management: `${server.address}/v0` };
    const { checks } = await examineTarget({ addresses, credentials: { admin }, ...(account && { account }) }, {});
    expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([
      {
        subject: 'addresses.management',
        outcome: 'failed',
        found: `${server.address}/v0: GET /accounts returned 404 with a credential`,
        advice:
          'Correct the management address: it includes its path, such as /v0. If the server is being built, answer GET /accounts first.',
      },
    ]);
  },
);

/** The check of an account that the target file has. `list`: the response to a request for the list of accounts. */
async function namedAccountCheck(list: () => 'break' | { status: number }) {
  await using server = await localServer(({ url, headers }) => {
    if (headers.authorization === undefined) return { status: 401 };
    return url === '/v0/accounts' ? list() : { body: {} };
  });
  const addresses = { management: `${server.address}/v0` };
  const { checks } = await examineTarget({ addresses, credentials: { admin }, account: 'own' }, {});
  return checks.find(({ subject }) => subject === 'account');
}

test('an account of the target file without a list of accounts', async () => {
  expect(await namedAccountCheck(() => ({ status: 404 }))).toMatchObject({
    outcome: 'warning',
    found: 'own, but GET /accounts returned 404',
  });
});

test('an account of the target file whose list does not respond', async () => {
  // A request is repeated four times.
  let breaks = 5;
  expect(await namedAccountCheck(() => ((breaks -= 1) >= 0 ? 'break' : { status: 200 }))).toMatchObject({
    outcome: 'failed',
    found: expect.stringMatching(/^The account could not be read: /) as string,
  });
});

test('if the path of the management address is wrong, nothing else is reported', async () => {
  const problems = await problemsOf(({ addresses }) => ({
    addresses: { ...addresses, management: addresses.management.replace('/v0', '/v1') },
  }));
  expect(Object.keys(problems)).toEqual(['addresses.management']);
});

test.each([
  [{ operation: 'listAccounts', status: 500 }, { 'addresses.management': /GET \/accounts returned 500/ }],
  [
    { operation: 'getModel', brokenJson: true },
    { 'resources.model': /returned 200, but the body is not a JSON object/ },
  ],
] as const)('a deployment with the fault %j', async (rule, found) => {
  await using mock = await startMock({});
  await mock.faults.set([rule]);
  const { checks } = await examineTarget(mock.target, {});
  const problems = checks.filter(({ outcome }) => outcome === 'failed');
  for (const [subject, message] of Object.entries(found))
    expect(problems).toContainEqual(
      expect.objectContaining({ subject, found: expect.stringMatching(message) as string }),
    );
});

test('a volume in another region', async () => {
  const volume = { name: 'demo-volume', region: 'mars' };
  expect(await problemsOf(() => ({ resources: { volume } }))).toEqual({
    'resources.volume': 'failed: demo-volume is in region local, not mars',
  });
});

test('after a refused credential, no account is expected', async () => {
  const problems = await problemsOf(({ account: _, ...file }) => ({
    account: undefined as never,
    credentials: { ...file.credentials, admin: { value: 'no.such.token' } },
  }));
  expect(problems['account']).toBe('skipped: not looked up, because GET /accounts returned 401');
});

test.each([403, 404, 500])(
  'if the list of accounts returns %s, that is why no account was looked up',
  async (status) => {
    await using server = await localServer(({ url }) => ({ status: url === '/v0/accounts' ? status : 200, body: [] }));
    const file = {
      addresses: { management: `${server.address}/v0` },
      credentials: { apiKey: { value: 'marked-key' } },
    };
    const { checks } = await examineTarget(file, {});
    expect(checks.find(({ subject }) => subject === 'account')).toEqual({
      subject: 'account',
      outcome: 'skipped',
      found: `not looked up, because GET /accounts returned ${status}`,
    });
  },
);

test('without a credential, no account is expected', async () => {
  const problems = await problemsOf(() => ({ account: undefined as never, credentials: {} }));
  expect(problems['account']).toBe('skipped: not looked up, because the file has no credential for that');
});
