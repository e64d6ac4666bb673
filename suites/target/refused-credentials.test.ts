import { expect, test } from 'vitest';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { encoded } from '../generators/tampered-jwt.ts';
import { localServer } from '../testing/local-server.ts';
import { openTarget } from './open-target.ts';

/** Tokens say what they get. */
const statuses: Readonly<Record<string, number>> = {
  'marked-wrong': 401,
  'marked-other': 401,
  expired: 401,
  limited: 403,
};

/** What every member may read, so that a 401 here says more than one of the list of accounts. */
const dimensions = '/v0/accounts/a/metrics/enums/group-by';

const startTarget = () =>
  localServer(({ headers }) => {
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    return token === 'broken' ? 'break' : { status: statuses[token] ?? 200, body: [] };
  });

async function warningsOf(
  address: string,
  credentials: TargetFile['credentials'] = {},
  known: Pick<TargetFile, 'account'> = { account: 'a' },
): Promise<string[]> {
  const warnings: string[] = [];
  const warn = (sentence: string): void => void warnings.push(sentence);
  const file = { addresses: { management: `${address}/v0` }, credentials, ...known };
  await openTarget(file, { TOKEN: 'marked-other' }, { warn, checksCredentials: true });
  return warnings;
}

test('nothing is reported of valid and limited credentials, and one request each is sent', async () => {
  await using server = await startTarget();
  const credentials = {
    admin: { value: 'full-token' },
    unrelated: { value: 'limited' },
    expired: { value: 'expired' },
    scoped: { 'agents:update': { value: 'scoped' } },
  } as const;
  expect(await warningsOf(server.address, credentials)).toEqual([]);
  const tokens = server.received.map(({ method, url, headers }) => `${method} ${url} ${headers.authorization}`);
  expect(tokens.toSorted()).toEqual(
    [
      'GET /v0/accounts Bearer full-token',
      ...['expired', 'limited', 'scoped'].map((token) => `GET ${dimensions} Bearer ${token}`),
    ].toSorted(),
  );
});

test('if every credential is refused, one error names them all', async () => {
  await using server = await startTarget();
  const credentials = { admin: { value: 'marked-wrong' }, member: { env: 'TOKEN' }, expired: { value: 'expired' } };
  await expect(warningsOf(server.address, credentials)).rejects.toThrow(
    /^The target refuses every credential: GET \/accounts\/\{accountId\}\/metrics\/enums\/group-by and GET \/agents returned 401\. Replace the value of credentials\.admin\.value, TOKEN,/,
  );
});

const refusesAccounts = () => localServer(({ url }) => ({ status: url === '/v0/accounts' ? 401 : 200, body: [] }));

test('credentials that GET /accounts refuses are not reported if they may read metrics', async () => {
  await using server = await refusesAccounts();
  const credentials = { admin: { value: 'limited-token' }, member: { value: 'member-token' } };
  expect(await warningsOf(server.address, credentials)).toEqual([]);
});

test('without an account, credentials that GET /accounts refuses do not end the run, but are reported', async () => {
  await using server = await refusesAccounts();
  expect(await warningsOf(server.address, { admin: { value: 'limited-token' } }, {})).toEqual([
    'credentials.admin is refused: GET /accounts returned 401. Replace the value of credentials.admin.value if it is invalid, or omit the credential. A target may also refuse a valid credential at this request.',
  ]);
});

test('a refused credential that has ended is reported with its end', async () => {
  await using server = await localServer(({ headers }) => ({
    status: headers.authorization?.includes('.') === true ? 401 : 200,
    body: [],
  }));
  const value = [encoded({ alg: 'HS256' }), encoded({ exp: 1_700_000_000 }), 'c2ln'].join('.');
  expect(await warningsOf(server.address, { admin: { value }, apiKey: { value: 'valid-key' } })).toEqual([
    `credentials.admin ended at 2023-11-14T22:13:20Z and is refused: GET /accounts/{accountId}/metrics/enums/group-by returned 401. Replace the value of credentials.admin.value.`,
  ]);
});

test('each wrong credential is reported with its key and its variable', async () => {
  await using server = await startTarget();
  const wrong = { value: 'marked-wrong' };
  const warnings = await warningsOf(server.address, {
    admin: wrong,
    apiKey: { value: 'full-token' },
    member: { env: 'TOKEN' },
    scoped: { 'agents:update': wrong },
  });
  expect(warnings).toEqual([
    expect.stringMatching(
      /^credentials\.admin is refused: GET \/accounts\/\{accountId\}\/.* returned 401\. .* credentials\.admin\.value if/,
    ),
    expect.stringMatching(/^credentials\.member is refused: .* TOKEN if/),
    expect.stringMatching(
      /^credentials\.scoped\.agents:update is refused: .* credentials\.scoped\.agents:update\.value if/,
    ),
  ]);
  expect(warnings.join()).not.toContain('marked');
});

test('an expired token that is accepted is reported', async () => {
  await using server = await startTarget();
  expect(await warningsOf(server.address, { expired: { value: 'full-token' } })).toEqual([
    'credentials.expired is accepted: GET /accounts/{accountId}/metrics/enums/group-by returned 200. Set credentials.expired.value to a token whose lifetime is over, or omit the credential.',
  ]);
});

test('a missing response says nothing about a credential', async () => {
  await using server = await startTarget();
  expect(await warningsOf(server.address, { admin: { value: 'full-token' }, member: { value: 'broken' } })).toEqual([]);
});
