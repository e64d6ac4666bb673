import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ObserveId } from '../../spec/requirements/index.ts';
import type { Observation } from '../../spec/verdicts.ts';
import { startMock, type MockOptions, type RunningMock } from '../start-mock.ts';
import { ProfileError } from './profile-error.ts';
import { profileFrom } from './read-profile.ts';
import { pointOf, profileRows } from './rows.ts';

const NOW = Date.parse('2026-11-21T07:00:00Z');
const ALIGNMENT = 'metrics.buckets.alignment';
const fromSunday: Observation = {
  id: ALIGNMENT,
  what: 'weekly buckets of a window from a Tuesday at 10:00 on',
  saw: 'first bucket before startTime, second on a Sunday at 00:00:00Z',
};
const unknownPath: Observation = {
  id: 'errors.generic.statuses',
  what: 'an unknown path of the management API',
  saw: '410, application/problem+json with error, help',
};

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

test('a choice and an answer are as they were seen', async () => {
  await using mock = await frozen({ profile: [fromSunday, unknownPath] });
  expect(await weeks(mock)).toEqual(SUNDAYS);
  const answer = await get(mock, '/no-such-path');
  expect(answer.status).toBe(410);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(await answer.json()).toEqual({ error: 'not_found', help: '' });
  expect(mock.notFollowed).toEqual([]);
});

test('a reset keeps the profile, and other worlds and snapshots have it, too', async () => {
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

test('a refusal of the target comes behind those of the interface, and is in the journal', async () => {
  const profile: Observation[] = [{ id: 'agents.runtime.bounds', what: 'memory 0', saw: '422' }];
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
  const shown = (await (await get(mock, '/agents/demo-agent')).json()) as { spec: { runtime?: { memory?: number } } };
  expect(shown.spec.runtime?.memory).not.toBe(0);
});

/** In the words of the mock itself. */
const own: Observation[] = Object.entries(profileRows).flatMap(([id, { points = {} }]) =>
  Object.entries(points).flatMap(([what, point]) =>
    point.own === undefined ? [] : [{ id: id as ObserveId, what, saw: point.own }],
  ),
);

test('a profile of the mock itself changes no byte', async () => {
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

test('what cannot be followed is told with the reason', () => {
  const slow = { id: 'resources.lifecycle.status-sequence', what: 'updateAgent: comes to rest', saw: 'FAILED' };
  const newer = { id: ALIGNMENT, what: 'buckets of the moon', saw: 'round' };
  const from = (day: string) => ({
    id: ALIGNMENT,
    what: `weekly buckets of a window from a ${day} at 10:00 on`,
    saw: `first bucket at startTime, second on a ${day} at 00:00:00Z`,
  });
  const odd = { ...from('Monday'), saw: 'on Fridays' };
  const twice = { ...from('Tuesday'), saw: 'nothing' };
  const { notFollowed } = profileFrom([slow, newer, from('Thursday'), from('Tuesday'), twice, odd, odd]);
  expect(notFollowed).toEqual([
    { ...slow, why: expect.stringContaining('/_mock/clock') },
    { ...odd, why: expect.stringContaining('knows other words: where the first two begin') },
    { ...twice, why: expect.stringContaining('seen otherwise') },
    { ...from('Thursday'), why: expect.stringContaining('contradicts another observation') },
    { ...newer, why: expect.stringContaining('does not know that point') },
  ]);
});

test.each<[string, unknown, RegExp]>([
  ['a number', 7, /it is 7; allowed: \{target, observations\}/],
  ['an unknown key', { observation: [] }, /unknown key "observation"; allowed: target, observations/],
  ['a report', { report: 1, observations: [] }, /it is a report; wanted: the observations\.json/],
  ['no list', { observations: {} }, /observations is \{\}; allowed: a list/],
  ['an observation that is a text', ['x'], /observations\[0\] is "x"; allowed: \{id, what, saw\}/],
  [
    'a further member',
    [{ ...fromSunday, extra: 1 }],
    /observations\[0\] has the unknown key "extra"; allowed: id, what, saw/,
  ],
  ['a missing saw', [{ id: ALIGNMENT, what: 'x' }], /observations\[0\]\.saw is missing; allowed: a text/],
  ['an unknown id', [{ ...fromSunday, id: 'no.such.rule' }], /observations\[0\]\.id is "no\.such\.rule"; allowed/],
  [
    'the id of a rule that judges',
    [{ ...fromSunday, id: 'metrics.group-by.at-most-three' }],
    /allowed: the id of a rule that observes/,
  ],
])('%s is refused with a sentence', (_, content, sentence) => {
  expect(() => profileFrom(content)).toThrow(ProfileError);
  expect(() => profileFrom(content)).toThrow(sentence);
});

test('a profile is read from the file that a run writes, and its path stands in each refusal', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-profile-'));
  const file = path.join(folder, 'observations.json');
  try {
    writeFileSync(file, JSON.stringify({ target: 'staging', observations: [unknownPath] }));
    await using mock = await startMock({ profile: file });
    expect((await get(mock, '/no-such-path')).status).toBe(410);
    await using beside = await startMock({ profile: folder });
    expect((await get(beside, '/no-such-path')).status).toBe(410);
    writeFileSync(file, '{');
    await expect(startMock({ profile: file })).rejects.toThrow(`${file}: it is no JSON`);
    await expect(startMock({ profile: `${file}.gone` })).rejects.toThrow('it cannot be read');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Words that are nobody's, and words for another point. */
const nonsense = ['', 'x', '999', '-1', '{', '{a {b}', '200,', '404, ', 'refused', 'null', '\u0000', '200, ,'];

test('words that the mock does not know are not followed, at any point', () => {
  const words = [...new Set([...nonsense, ...own.map(({ saw }) => saw)])];
  const profiles = own.flatMap(({ id, what }) => words.map((saw) => profileFrom([{ id, what, saw }])));
  expect(profiles.filter(({ notFollowed }) => notFollowed.length > 0).length).toBeGreaterThan(own.length);
  expect(pointOf(ALIGNMENT, 'constructor')).toBeUndefined();
});

const credential = (saw: string): Observation => ({
  id: 'versions.precedence.before-credential',
  what: 'listAccounts with an unlisted version and an unknown credential',
  saw,
});

test('a request that is answered by asking twice is one for faults and journal', async () => {
  await using mock = await frozen({ profile: [credential('403: the credential is judged first')] });
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

test('what is chosen for one MCP server is not chosen for the other', () => {
  const none = { id: 'mcp.undocumented.session-and-capabilities', what: 'sandbox: session id', saw: 'none' } as const;
  expect(profileFrom([none]).choices.mcp).toMatchObject({
    function: { sessions: 'given' },
    sandbox: { sessions: 'none' },
  });
});

const offer = (what: string, saw: string): Observation => ({ id: 'oauth.extras.what-the-server-offers', what, saw });

test('a token that is signed with a secret names no key, and one of a key that the mock has not is not followed', async () => {
  await using mock = await frozen({ profile: [offer('alg of the access token', 'HS256')] });
  const token = mock.target.credentials.admin.value;
  const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as object;
  expect(header).toMatchObject({ alg: 'HS256' });
  expect(header).not.toHaveProperty('kid');
  const discovery = await fetch(`${mock.addresses.host}/.well-known/openid-configuration`);
  expect(await discovery.json()).toMatchObject({ id_token_signing_alg_values_supported: ['HS256'] });
  for (const alg of ['RS256', 'ES256'])
    expect(profileFrom([offer('alg of the access token', alg)]).notFollowed).toMatchObject([
      { why: expect.stringContaining('the one key of the mock') },
    ]);
});

test('a bearer beside the secret of a client in a body is no second proof of the client', async () => {
  const twice = offer('the same client by header and by body', '401 invalid_client');
  await using mock = await frozen({ profile: [twice, offer('client_secret_post', '401 invalid_client')] });
  const headers = {
    authorization: `Bearer ${mock.target.credentials.apiKey.value}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ grant_type: 'client_credentials', client_id: 7, client_secret: 'x' });
  const answer = await fetch(`${mock.addresses.host}/oauth/token`, { method: 'POST', headers, body });
  expect(answer.status).toBe(400);
});

const BASIC = 'client_secret_basic';
const POST = 'client_secret_post';
const TWICE = 'the same client by header and by body';
const OTHER_VERIFIER = 'a code with another code_verifier';

test.each<[string, string, string, string, string]>([
  ['a token', '401 invalid_client', '200', 'expires_in of the client’s own token', '60 seconds'],
  ['a code', '400', '200', OTHER_VERIFIER, '400 invalid_grant'],
  ['no token, known by header', '400 invalid_scope', '200', OTHER_VERIFIER, '400 invalid_scope'],
  ['no token, known by body', '401 invalid_client', 'unauthorized_client', OTHER_VERIFIER, '400 unauthorized_client'],
  ['no token, unknown', '400 invalid_client', '401 invalid_client', OTHER_VERIFIER, '400 invalid_client'],
])('a client gets %s by what proves it (%s by header, %s by body)', (_, basic, post, what, saw) => {
  const { notFollowed } = profileFrom([offer(BASIC, basic), offer(POST, post), offer(what, saw)]);
  expect(notFollowed).toEqual([]);
});

test.each<[string, string, string, string]>([
  ['client_secret_basic, and that is refused: 403', '403', '401', OTHER_VERIFIER],
  ['client_secret_basic, and that is refused: 400 invalid_scope', '400 invalid_scope', '200', OTHER_VERIFIER],
  ['client_secret_post, and that is refused: unauthorized_client', '401', 'unauthorized_client', OTHER_VERIFIER],
  ['neither by header nor by body', '401 invalid_client', '400 invalid_scope', TWICE],
])('what stands behind a proof that is refused is not followed: %s', (why, basic, post, what) => {
  const behind = offer(what, what === TWICE ? '200' : '418');
  const { notFollowed } = profileFrom([offer(BASIC, basic), offer(POST, post), behind]);
  expect(notFollowed).toEqual([{ ...behind, why: expect.stringContaining(why) }]);
});

test.each([
  ['the header counts', [], { header: 'demo-secret', body: 'wrong' }],
  ['the body counts', [offer(BASIC, '401 invalid_client')], { header: 'wrong', body: 'demo-secret' }],
])('of a client that proves itself twice %s', async (_, more, right) => {
  await using mock = await frozen({ profile: [...more, offer(TWICE, '200')] });
  const ask = async (header: string, secret: string): Promise<number> => {
    const headers = { authorization: `Basic ${Buffer.from(`demo-client:${header}`).toString('base64')}` };
    const fields = { grant_type: 'client_credentials', client_id: 'demo-client', client_secret: secret };
    const body = new URLSearchParams(fields);
    return (await fetch(`${mock.addresses.host}/oauth/token`, { method: 'POST', headers, body })).status;
  };
  expect(await ask(right.header, right.body)).toBe(200);
  expect(await ask(right.body, right.header)).toBe(401);
});

test.each([
  ['"none"', 'none'],
  ['7', 7],
  ['{"a":1}', { a: 1 }],
  ['null', null],
  ['', []],
  ['a, b', ['a', 'b']],
])('a member of a discovery document that was %s is that', async (saw, value) => {
  await using mock = await frozen({ profile: [offer('the discovery document: claims_supported', saw)] });
  const answer = await fetch(`${mock.addresses.host}/.well-known/oauth-authorization-server`);
  expect(await answer.json()).toHaveProperty('claims_supported', value);
  expect(mock.notFollowed).toEqual([]);
});

test('a file whose owner was not shown shows none', async () => {
  const saw = { id: 'sandbox.undocumented.answers', what: 'owner and group of a file', saw: 'none, staff' } as const;
  await using mock = await frozen({ profile: [saw] });
  const answer = await fetch(`${mock.addresses.host}/sandbox/demo/demo-box/filesystem/tree/profile`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${mock.target.credentials.apiKey.value}` },
    body: JSON.stringify({ files: { 'f.txt': 'x' } }),
  });
  const { files } = (await answer.json()) as { files: object[] };
  expect(files[0]).toMatchObject({ group: 'staff' });
  expect(files[0]).not.toHaveProperty('owner');
});

test('the state of a mock says what profile it follows, in other worlds, too', async () => {
  await using mock = await frozen({ profile: { target: 'staging', observations: [fromSunday, credential('odd')] } });
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
