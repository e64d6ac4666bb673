import { describe, expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { judgeExchanges, type Given } from '../testing/judge-exchanges.ts';

// Loads the suite files, which register the judgements.
await collectCases([
  'auth.credentials.expired-refused',
  'auth.data-plane.credential-required',
  'auth.headers.authorization-accepted-on-every-api',
  'auth.metrics.bearer-required',
  'auth.scopes.update-agent-accepts-admin',
  'auth.update-agent.missing-credential-401',
]);

const error = { error: 'unauthorized', code: 401, message: 'No credential.' };
const agent = (spec: object) => ({ metadata: { name: 'demo-agent' }, spec });
const update = (more: Partial<Given> = {}): Given => ({
  method: 'PUT',
  path: '/v0/agents/demo-agent',
  sent: '{}',
  ...more,
});
const accounts = (more: Partial<Given> = {}): Given => ({ path: '/v0/accounts', ...more });

describe('an agent update without a credential', () => {
  const judge = (given: Partial<Given>) =>
    judgeExchanges('auth.update-agent.missing-credential-401', [update(given)])[0];

  test.each([
    [{ status: 401, body: error }, 'valid'],
    [{ status: 401, body: { message: 'No.' } }, 'violated'],
    [{ status: 403, body: error }, 'violated'],
    [{ status: 403 }, undefined],
    [{ status: 200 }, 'violated'],
    [{ status: 400 }, undefined],
    [{ status: 404 }, undefined],
    [{ status: 409 }, undefined],
    [{ status: 429 }, undefined],
    [{ status: 500 }, undefined],
  ] as const)('%j', (given, verdict) => {
    expect(judge(given)).toBe(verdict);
  });

  test.each([
    { cookie: 'a=b' },
    { 'x-api-key': 'a' },
    { authorization: 'Bearer a' },
    { 'x-svc-authorization': 'Bearer a' },
  ])('is one with an unknown credential if it has %j', (headers) => {
    expect(judge({ headers, status: 200 })).toBeUndefined();
  });

  test('is not judged if the recording lacks the caller', () => {
    const lacking = { unknown: new Set(['the caller'] as const) };
    const judgeLacking = () => judgeExchanges('auth.update-agent.missing-credential-401', [update()], lacking);
    expect(judgeLacking).toThrow('the caller is unknown');
  });
});

test('a credential is certainly bad only if it is malformed, or one that nobody has', () => {
  const judge = (authorization: string) =>
    judgeExchanges('auth.update-agent.bad-credential-401', [update({ headers: { authorization } })])[0];
  expect(judge('Bearer')).toBe('violated');
  expect(judge('Bearer undefined')).toBe('violated');
  expect(judge('Bearer assay-unknown-credential')).toBe('violated');
  for (const maybe of ['Bearer $SVC_TOKEN', 'Bearer ********', 'Bearer abc', 'Basic YTpi'])
    expect(judge(maybe)).toBeUndefined();
});

describe('a credential that is refused with 401 in one header', () => {
  const judge = (...given: Given[]) => judgeExchanges('auth.headers.authorization-accepted-on-every-api', given).at(-1);
  const headers = { authorization: 'Bearer $SVC_ADMIN_TOKEN' };
  const as = { headers, credential: 'SVC_ADMIN_TOKEN' };
  const refused = update({ ...as, status: 401, body: error });

  test('was valid if it is accepted before and after', () => {
    expect(judge(accounts(as), refused, accounts(as))).toBe('violated');
  });

  test('may not have been valid yet, or no longer', () => {
    expect(judge(refused, accounts(as))).toBe('valid');
    expect(judge(accounts(as), refused)).toBeUndefined();
  });

  test('may be another one', () => {
    const other = accounts({ headers: { authorization: 'Bearer other' }, status: 401 });
    expect(judge(accounts(as), other, accounts(as))).toBe('valid');
  });
});

test('the brand header must not change whether the same request is accepted', () => {
  const rule = 'auth.headers.brand-authorization-accepted-on-every-api';
  const standard = accounts({ headers: { authorization: 'a' }, credential: 'SVC_ADMIN_TOKEN' });
  const brand = accounts({ headers: { 'x-svc-authorization': 'a' }, credential: 'SVC_ADMIN_TOKEN', status: 403 });
  expect(judgeExchanges(rule, [standard, brand, standard]).at(-1)).toBe('violated');
  expect(judgeExchanges(rule, [standard, brand, { ...standard, status: 403 }]).at(-1)).toBeUndefined();
  expect(judgeExchanges(rule, [standard, { ...brand, path: '/v0/accounts?a=1' }, standard]).at(-1)).toBeUndefined();
  const elsewhere = { ...brand, headers: { ...brand.headers, 'x-svc-workspace': 'other' } };
  expect(judgeExchanges(rule, [standard, elsewhere, standard]).at(-1)).toBeUndefined();
});

describe('an agent query without a credential', () => {
  const query = { method: 'POST', path: '/demo/agents/demo-agent' };
  const judge = (spec: object, ...given: Given[]) =>
    judgeExchanges('auth.data-plane.credential-required', [update({ body: agent(spec) }), ...given, query]).at(-1);

  test('is judged only if the agent was seen with generation mk2', () => {
    expect(judge({ runtime: { generation: 'mk2' } })).toBe('violated');
    expect(judge({ runtime: { generation: 'mk3' }, public: true })).toBeUndefined();
    expect(judge({})).toBeUndefined();
  });

  test('is not judged after an update whose outcome is unknown', () => {
    expect(judge({ runtime: { generation: 'mk2' } }, update({ status: 503 }))).toBeUndefined();
  });
});

test('an expired token is judged only after it has expired', () => {
  const rule = 'auth.credentials.expired-refused';
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const value = `${part({ alg: 'HS256' })}.${part({ exp: 1000 })}.c2ln`;
  const expired = { name: 'SVC_EXPIRED_TOKEN', value };
  const given = accounts({ headers: { authorization: 'a' }, credential: 'SVC_EXPIRED_TOKEN' });
  const judge = (sentAt?: number) =>
    judgeExchanges(rule, [given], { ...(sentAt !== undefined && { sentAt }) }, { expired });
  expect(judge(1_000_000)).toEqual(['violated']);
  expect(judge()).toEqual(['violated']);
  expect(judge(999_000)).toEqual([undefined]);
});

test('403 for an admin is about the workspace if the request names another one', () => {
  const rule = 'auth.scopes.update-agent-accepts-admin';
  const as = { credential: 'SVC_ADMIN_TOKEN', headers: { authorization: 'a' }, status: 403, body: error };
  expect(judgeExchanges(rule, [update(as)])).toEqual(['violated']);
  const elsewhere = { ...as.headers, 'x-svc-workspace': 'other' };
  expect(judgeExchanges(rule, [update({ ...as, headers: elsewhere })])).toEqual([undefined]);
  const page = { ...as, body: undefined };
  expect(judgeExchanges(rule, [update(page)])).toEqual([undefined]);
});

test('metrics must not be in the body of a refusal', () => {
  const judge = (given: Partial<Given>) =>
    judgeExchanges('auth.metrics.bearer-required', [
      { path: '/v0/accounts/acc-1/metrics/enums/group-by', ...given },
    ])[0];
  expect(judge({ status: 401, body: error })).toBe('valid');
  expect(judge({ status: 401, body: { values: ['workspace'] } })).toBe('violated');
  expect(judge({ headers: { authorization: 'Basic YTpi' }, body: { values: [] } })).toBe('violated');
  expect(judge({ headers: { authorization: 'Bearer a' } })).toBeUndefined();
});

test('a refused update must leave no trace', () => {
  const rule = 'auth.update-agent.missing-credential-401';
  const sent = JSON.stringify(agent({ triggers: [{ id: 'assay-1-2-refused' }] }));
  const refused = update({ sent, status: 401, body: error });
  const as = { credential: 'SVC_ADMIN_TOKEN', headers: { authorization: 'a' } };
  const read = { path: '/v0/agents/demo-agent', ...as };
  const marked = agent({ triggers: [{ id: 'assay-1-2-refused' }] });
  expect(judgeExchanges(rule, [refused, { ...read, body: marked }])).toEqual(['valid', 'violated']);
  expect(judgeExchanges(rule, [refused, { ...read, body: agent({}) }])).toEqual(['valid', 'valid']);
  const accepted = update({ ...as, sent, body: agent({}) });
  for (const status of [200, 504])
    expect(judgeExchanges(rule, [refused, { ...accepted, status }, { ...read, body: marked }]).at(-1)).toBe('valid');
});
