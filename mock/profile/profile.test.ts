import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { kindAt, renderObservation, type ValueAt, type WhatOf } from '../../spec/observations/observation.ts';
import type { ObserveId } from '../../spec/requirements/index.ts';
import { objectOf } from '../../spec/observations/response-kinds.ts';
import type { Observation } from '../../spec/verdicts.ts';
import { startMock, type MockOptions, type RunningMock } from '../start-mock.ts';
import { ProfileError } from './profile-error.ts';
import { profileFrom } from './read-profile.ts';
import { profileRows } from './profile-rows.ts';

const NOW = Date.parse('2026-11-21T07:00:00Z');
const ALIGNMENT = 'metrics.buckets.alignment';

const observation = <Id extends ObserveId, What extends WhatOf<Id>>(id: Id, what: What, value: ValueAt<Id, What>) =>
  renderObservation(id, what, value);

const fromSunday = observation(ALIGNMENT, 'weekly buckets of a window from a Tuesday at 10:00', {
  first: 'before startTime',
  second: { weekday: 'Sunday', time: '00:00:00Z' },
});
const unknownPath = observation('errors.generic.statuses', 'an unknown path of the management API', {
  status: 410,
  mediaType: 'application/problem+json',
  body: objectOf('error', 'help'),
});

const frozen = (options: MockOptions = {}): Promise<RunningMock> =>
  startMock({ now: NOW, clock: 'frozen', ...options });

function get(
  { target }: Pick<RunningMock, 'target'>,
  at: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const authorization = `Bearer ${target.credentials.apiKey.value}`;
  return fetch(`${target.addresses.management}${at}`, { headers: { authorization, ...headers } });
}

const WEEKS =
  '/accounts/acc-demo/metrics?startTime=2026-10-06T10:00:00Z&endTime=2026-11-06T00:00:00Z&resolution=weekly';

async function weeks(mock: Pick<RunningMock, 'target'>): Promise<string[]> {
  const { data } = (await (await get(mock, WEEKS)).json()) as { data: { timeseries: { timestamp: string }[] }[] };
  return data[0]?.timeseries.map(({ timestamp }) => timestamp).slice(0, 2) ?? [];
}

const SUNDAYS = ['2026-10-04T00:00:00Z', '2026-10-11T00:00:00Z'];

test('the mock follows a choice and a response', async () => {
  await using mock = await frozen({ profile: [fromSunday, unknownPath] });
  expect(await weeks(mock)).toEqual(SUNDAYS);
  const response = await get(mock, '/no-such-path');
  expect(response.status).toBe(410);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.json()).toEqual({ error: 'not_found', help: '' });
  expect(mock.notFollowed).toEqual([]);
});

test('the profile applies after a reset, in other worlds and after loading a snapshot', async () => {
  await using mock = await frozen({ profile: [fromSunday, unknownPath] });
  const headers = { 'content-type': 'application/json' };
  const control = `${mock.addresses.host}/_mock`;
  const post = (at: string) => fetch(`${control}/${at}`, { method: 'POST', body: '{}', headers });
  const made = (await (await post('worlds')).json()) as Pick<RunningMock, 'target'>;
  expect(await weeks(made)).toEqual(SUNDAYS);
  expect((await get(made, '/no-such-path')).status).toBe(410);
  expect((await post('reset')).status).toBeLessThan(300);
  expect(await weeks(mock)).toEqual(SUNDAYS);
  const body = await (await fetch(`${control}/snapshot`)).text();
  expect((await fetch(`${control}/snapshot`, { method: 'PUT', body, headers })).status).toBe(200);
  expect(await weeks(mock)).toEqual(SUNDAYS);
});

test('a refusal of the profile comes after those of the interface, and is in the journal', async () => {
  const profile = [observation('agents.runtime.bounds', 'memory 0', { status: 422 })];
  await using mock = await frozen({ profile });
  const put = (token: string) =>
    fetch(`${mock.addresses.management}/agents/demo-agent`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ metadata: { name: 'demo-agent' }, spec: { runtime: { memory: 0 } } }),
    });
  const key = mock.target.credentials.apiKey.value;
  expect((await put('nobody')).status).toBe(401);
  const refused = await put(key);
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ error: 'invalid_request', code: 422 });
  const journal = await fetch(`${mock.addresses.host}/_mock/requests?status=422`);
  expect(await journal.text()).toContain('updateAgent');
  const agent = (await (await get(mock, '/agents/demo-agent')).json()) as { spec: { runtime?: { memory?: number } } };
  expect(agent.spec.runtime?.memory).not.toBe(0);
});

interface AnyRow {
  readonly own?: unknown;
}

/** What is observed of the mock without a profile, at points whose value does not depend on others. */
const own: Observation[] = Object.entries(profileRows).flatMap(([id, rows]) =>
  Object.entries<AnyRow>(rows).flatMap(([what, row]) =>
    row.own === undefined || typeof row.own === 'function' ? [] : [renderObservation(id as ObserveId, what, row.own)],
  ),
);

test('a profile with the values of the mock itself changes no byte', async () => {
  await using plain = await frozen();
  await using following = await frozen({ profile: own });
  const probes = [
    WEEKS,
    '/accounts',
    '/agents/demo-agent',
    '/no-such-path',
    `${WEEKS}&groupBy=resource_type&limit=2`,
    '/images',
  ];
  for (const at of probes) {
    const [first, second] = await Promise.all([textOf(plain, at), textOf(following, at)]);
    expect(second).toBe(first);
  }
});

async function textOf(mock: RunningMock, at: string): Promise<string> {
  const { status, headers } = await get(mock, at);
  const text = await (await get(mock, at)).text();
  return `${status} ${headers.get('content-type')}\n${text}`.replaceAll(mock.addresses.host, '');
}

test('notFollowed has a reason for each observation', () => {
  const failed = { resourceStatus: 'FAILED' };
  const slow = observation('resources.lifecycle.status-sequence', 'updateAgent: final status', failed);
  const newer = { id: ALIGNMENT, what: 'buckets of the moon', saw: 'round', value: 'round' } as const;
  const from = (weekday: 'Tuesday' | 'Thursday') =>
    observation(ALIGNMENT, `weekly buckets of a window from a ${weekday} at 10:00`, {
      first: 'at startTime',
      second: { weekday, time: '00:00:00Z' },
    });
  const twice = observation(ALIGNMENT, 'weekly buckets of a window from a Tuesday at 10:00', 'fewer than two buckets');
  const { notFollowed } = profileFrom([slow, newer, from('Thursday'), from('Tuesday'), twice, twice]);
  expect(notFollowed).toEqual([
    { ...slow, why: expect.stringContaining('/_mock/clock') },
    { ...twice, why: expect.stringContaining('another value of this point') },
    { ...from('Thursday'), why: expect.stringContaining('contradicts another observation') },
    { ...newer, why: expect.stringContaining('does not know that point') },
  ]);
});

const withoutValue = { id: fromSunday.id, what: fromSunday.what, saw: fromSunday.saw };

test.each<[string, unknown, RegExp]>([
  ['a number', 7, /Expected an object with the keys target, observations, found 7\./],
  ['an unknown key', { observation: [] }, /Unknown key "observation"\./],
  ['a report', { report: 1, observations: [] }, /This is a report: expected the observations\.json next to it/],
  ['an object instead of a list', { observations: {} }, /observations: an object is not an array\./],
  [
    'a string instead of an observation',
    ['x'],
    /observations\[0\]: "x" is not an object with the keys id, what, saw, value/,
  ],
  ['an additional member', [{ ...fromSunday, extra: 1 }], /Unknown key "extra" in observations\[0\]\./],
  ['a missing saw', [{ id: ALIGNMENT, what: 'x', value: 1 }], /Missing key "saw" in observations\[0\]/],
  [
    'a file of an older version',
    [withoutValue],
    /observations\[0\] has no value.*assay test --target FILE --report DIR\./,
  ],
  ['a value of another kind', [{ ...fromSunday, value: { status: 200 } }], /observations\[0\]\.value/],
  ['an unknown id', [{ ...fromSunday, id: 'no.such.rule' }], /observations\[0\]\.id: "no\.such\.rule" is not the id/],
  [
    'the id of a must rule',
    [{ ...fromSunday, id: 'metrics.group-by.at-most-three' }],
    /is not the id of an observe rule/,
  ],
])('%s is refused', (_, content, sentence) => {
  expect(() => profileFrom(content)).toThrow(ProfileError);
  expect(() => profileFrom(content)).toThrow(sentence);
});

test('a profile is read from the file that a run writes, and messages begin with its path', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-profile-'));
  const file = path.join(folder, 'observations.json');
  try {
    writeFileSync(file, JSON.stringify({ target: 'staging', observations: [unknownPath] }));
    await using mock = await startMock({ profile: file });
    expect((await get(mock, '/no-such-path')).status).toBe(410);
    await using beside = await startMock({ profile: folder });
    expect((await get(beside, '/no-such-path')).status).toBe(410);
    writeFileSync(file, '{');
    await expect(startMock({ profile: file })).rejects.toThrow(`${file}: Not JSON`);
    await expect(startMock({ profile: `${file}.gone` })).rejects.toThrow(`${file}.gone: It does not exist`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('saw is not read', () => {
  const { choices } = profileFrom([{ ...fromSunday, saw: 'anything' }]);
  expect(choices).toEqual(profileFrom([fromSunday]).choices);
});

test('a value that fits the kind of a point is followed or has a reason, at any point', () => {
  const values = [...new Map(own.map(({ value }) => [JSON.stringify(value), value])).values()];
  const profiles = own.flatMap(({ id, what }) =>
    values
      .filter((value) => kindAt(id, what)?.schema.safeParse(value).success)
      .map((value) => profileFrom([renderObservation(id, what, value)])),
  );
  expect(profiles.length).toBeGreaterThan(2 * own.length);
  for (const { notFollowed } of profiles) expect(notFollowed.map(({ why }) => why)).not.toContain('');
  expect(kindAt(ALIGNMENT, 'constructor')).toBeUndefined();
});

const credentialFirst = observation(
  'versions.precedence.before-credential',
  'listAccounts with an unlisted version and an unknown credential',
  { status: 403, judgedFirst: 'credential' },
);

test('a request that the profile sends through the app twice counts once for faults and journal', async () => {
  await using mock = await frozen({ profile: [credentialFirst] });
  const control = `${mock.addresses.host}/_mock`;
  const headers = { 'content-type': 'application/json' };
  const rules = [{ operation: 'listAccounts', every: 2, status: 503 }];
  await fetch(`${control}/faults`, { method: 'PUT', headers, body: JSON.stringify({ rules }) });
  const { version } = mock.world.headers;
  const statuses = [];
  for (let n = 0; n < 4; n++) statuses.push((await get(mock, '/accounts', { [version]: 'v0' })).status);
  expect(statuses).toEqual([400, 503, 400, 503]);
  expect(await (await fetch(`${control}/requests`)).json()).toMatchObject({ count: 4 });
});

test('a choice for one MCP server does not apply to the other', () => {
  const none = observation('mcp.undocumented.session-and-capabilities', 'sandbox: session id', 'none');
  expect(profileFrom([none]).choices.mcp).toMatchObject({
    function: { sessions: 'given' },
    sandbox: { sessions: 'none' },
  });
});

type OauthPoint = WhatOf<'oauth.extras.what-the-server-offers'>;

const offer = <What extends OauthPoint>(what: What, value: ValueAt<'oauth.extras.what-the-server-offers', What>) =>
  observation('oauth.extras.what-the-server-offers', what, value);

test('a token signed with a secret has no kid, and algorithms without a key of the mock are not followed', async () => {
  await using mock = await frozen({ profile: [offer('alg of the access token', { text: 'HS256' })] });
  const token = mock.target.credentials.admin.value;
  const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as object;
  expect(header).toMatchObject({ alg: 'HS256' });
  expect(header).not.toHaveProperty('kid');
  const discovery = await fetch(`${mock.addresses.host}/.well-known/openid-configuration`);
  expect(await discovery.json()).toMatchObject({ id_token_signing_alg_values_supported: ['HS256'] });
  for (const alg of ['RS256', 'ES256'])
    expect(profileFrom([offer('alg of the access token', { text: alg })]).notFollowed).toMatchObject([
      { why: expect.stringContaining('the mock signs with an Ed25519 key') },
    ]);
});

const REFUSED = { status: 401, error: 'invalid_client' };

test('a bearer token is not a second authentication of a client with a secret in the body', async () => {
  const twice = offer('the same client by header and by body', REFUSED);
  await using mock = await frozen({ profile: [twice, offer('client_secret_post', REFUSED)] });
  const headers = {
    authorization: `Bearer ${mock.target.credentials.apiKey.value}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ grant_type: 'client_credentials', client_id: 7, client_secret: 'x' });
  const response = await fetch(`${mock.addresses.host}/oauth/token`, { method: 'POST', headers, body });
  expect(response.status).toBe(400);
});

const BASIC = 'client_secret_basic';
const POST = 'client_secret_post';
const TWICE = 'the same client by header and by body';
const OTHER_VERIFIER = 'a code with another code_verifier';
const UNAUTHORIZED = { status: null, error: 'unauthorized_client' };
const refusal = (error: string) => ({ status: 400, error });

type Proof = ValueAt<'oauth.extras.what-the-server-offers', typeof BASIC>;
const OK = { status: 200 };

test.each<[string, Proof, Proof, Observation]>([
  ['a token', REFUSED, OK, offer('expires_in of the client’s own token', { seconds: 60 })],
  ['a code', { status: 400 }, OK, offer(OTHER_VERIFIER, refusal('invalid_grant'))],
  ['no token, known by header', refusal('invalid_scope'), OK, offer(OTHER_VERIFIER, refusal('invalid_scope'))],
  ['no token, known by body', REFUSED, UNAUTHORIZED, offer(OTHER_VERIFIER, refusal('unauthorized_client'))],
  ['no token, unknown', refusal('invalid_client'), REFUSED, offer(OTHER_VERIFIER, refusal('invalid_client'))],
])('a client gets %s depending on its authentication (%j by header, %j by body)', (_, basic, post, other) => {
  const { notFollowed } = profileFrom([offer(BASIC, basic), offer(POST, post), other]);
  expect(notFollowed).toEqual([]);
});

const FORBIDDEN = { status: 403 };
const TEAPOT = offer(OTHER_VERIFIER, { status: 418 });

test.each<[string, Proof, Proof, Observation]>([
  ['client_secret_basic, which is refused: 403', FORBIDDEN, { status: 401 }, TEAPOT],
  ['client_secret_basic, which is refused: 400 invalid_scope', refusal('invalid_scope'), OK, TEAPOT],
  ['client_secret_post, which is refused: unauthorized_client', { status: 401 }, UNAUTHORIZED, TEAPOT],
  ['neither by header nor by body', REFUSED, refusal('invalid_scope'), offer(TWICE, OK)],
])('what requires a refused authentication is not followed: %s', (why, basic, post, other) => {
  const { notFollowed } = profileFrom([offer(BASIC, basic), offer(POST, post), other]);
  expect(notFollowed).toEqual([{ ...other, why: expect.stringContaining(why) }]);
});

test.each([
  ['the header counts', [], { header: 'demo-secret', body: 'wrong' }, 401],
  ['the body counts', [offer(BASIC, REFUSED)], { header: 'wrong', body: 'demo-secret' }, 400],
])('if a client authenticates twice, %s', async (_, more, right, refused) => {
  await using mock = await frozen({ profile: [...more, offer(TWICE, OK)] });
  const ask = async (header: string, secret: string): Promise<number> => {
    const headers = { authorization: `Basic ${Buffer.from(`demo-client:${header}`).toString('base64')}` };
    const fields = { grant_type: 'client_credentials', client_id: 'demo-client', client_secret: secret };
    const body = new URLSearchParams(fields);
    return (await fetch(`${mock.addresses.host}/oauth/token`, { method: 'POST', headers, body })).status;
  };
  expect(await ask(right.header, right.body)).toBe(200);
  expect(await ask(right.body, right.header)).toBe(refused);
});

test.each([
  ['a string', 'none'],
  ['a number', 7],
  ['an object', { a: 1 }],
  ['null', null],
  ['an empty list', []],
  ['a list', ['a', 'b']],
])('a member of a discovery document may be %s', async (_, value) => {
  const member = { document: 'the discovery document', member: 'claims_supported', is: value } as const;
  await using mock = await frozen({ profile: [offer('the discovery document: claims_supported', member)] });
  const response = await fetch(`${mock.addresses.host}/.well-known/oauth-authorization-server`);
  expect(await response.json()).toHaveProperty('claims_supported', value);
  expect(mock.notFollowed).toEqual([]);
});

test('a file may have a group but no owner', async () => {
  const group = { owner: null, group: 'staff' };
  const profile = [observation('sandbox.undocumented.answers', 'owner and group of a file', group)];
  await using mock = await frozen({ profile });
  const response = await fetch(`${mock.addresses.host}/sandbox/demo/demo-box/filesystem/tree/profile`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${mock.target.credentials.apiKey.value}` },
    body: JSON.stringify({ files: { 'f.txt': 'x' } }),
  });
  const { files } = (await response.json()) as { files: object[] };
  expect(files[0]).toMatchObject({ group: 'staff' });
  expect(files[0]).not.toHaveProperty('owner');
});

const tooMany = observation('agents.runtime.bounds', 'memory 0', { status: 429 });

test('GET /_mock/health describes the profile, in every world', async () => {
  await using mock = await frozen({ profile: { target: 'staging', observations: [fromSunday, tooMany] } });
  const profile = { target: 'staging', followed: 1, notFollowed: 1 };
  expect(mock.following).toEqual(profile);
  const health = async (host = '') => (await fetch(`${host}/_mock/health`)).json();
  expect(await health(mock.addresses.host)).toMatchObject({ profile });
  const made = await fetch(`${mock.addresses.host}/_mock/worlds`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  const { target } = (await made.json()) as Pick<RunningMock, 'target'>;
  expect(await health(target.addresses.host)).toMatchObject({ profile });
  await using plain = await frozen();
  expect(await health(plain.addresses.host)).not.toHaveProperty('profile');
});
