import { describe, expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { judgeExchanges, type Described } from '../testing/judge-exchanges.ts';

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
const update = (more: Partial<Described> = {}): Described => ({
  method: 'PUT',
  url: '/agents/demo-agent',
  sentText: '{}',
  credential: null,
  ...more,
});
const accounts = (more: Partial<Described> = {}): Described => ({ url: '/accounts', credential: null, ...more });

describe('an agent update without a credential', () => {
  const judge = (given: Partial<Described>) =>
    judgeExchanges('auth.update-agent.missing-credential-401', [update(given)])[0];

  test.each([
    [{ status: 401, received: error }, 'keeps'],
    [{ status: 401, received: { message: 'No.' } }, 'breaks'],
    [{ status: 403, received: error }, 'breaks'],
    [{ status: 403 }, 'says nothing'],
    [{ status: 200 }, 'breaks'],
    [{ status: 400 }, 'says nothing'],
    [{ status: 404 }, 'says nothing'],
    [{ status: 409 }, 'says nothing'],
    [{ status: 429 }, 'says nothing'],
    [{ status: 500 }, 'says nothing'],
  ] as const)('%j', (given, verdict) => {
    expect(judge(given)).toBe(verdict);
  });

  test.each([
    { cookie: 'a=b' },
    { 'x-api-key': 'a' },
    { authorization: 'Bearer a' },
    { 'x-svc-authorization': 'Bearer a' },
  ])('is one with an unknown credential if it has %j', (headers) => {
    expect(judge({ headers, status: 200 })).toBe('says nothing');
  });

  test('is not judged if the recording lacks the caller', () => {
    expect(judge({ status: 200, unknown: ['the caller'] })).toBe('says nothing');
  });
});

test('a credential is certainly bad only if it is malformed, or one that nobody has', () => {
  const judge = (authorization: string) =>
    judgeExchanges('auth.update-agent.bad-credential-401', [update({ headers: { authorization } })])[0];
  expect(judge('Bearer')).toBe('breaks');
  expect(judge('Bearer undefined')).toBe('breaks');
  expect(judge('Bearer assay-unknown-credential')).toBe('breaks');
  for (const maybe of ['Bearer $SVC_TOKEN', 'Bearer ********', 'Bearer abc', 'Basic YTpi'])
    expect(judge(maybe)).toBe('says nothing');
});

describe('a credential that is refused with 401 in one header', () => {
  const judge = (...given: Described[]) =>
    judgeExchanges('auth.headers.authorization-accepted-on-every-api', given).at(-1);
  const headers = { authorization: 'Bearer $SVC_ADMIN_TOKEN' };
  const as = { headers, credential: 'SVC_ADMIN_TOKEN' };
  const refused = update({ ...as, status: 401, received: error });

  test('was valid if it is accepted before and after', () => {
    expect(judge(accounts(as), refused, accounts(as))).toBe('breaks');
  });

  test('may not have been valid yet, or no longer', () => {
    expect(judge(refused, accounts(as))).toBe('keeps');
    expect(judge(accounts(as), refused)).toBe('says nothing');
  });

  test('may be another one', () => {
    const other = accounts({ headers: { authorization: 'Bearer other' }, status: 401 });
    expect(judge(accounts(as), other, accounts(as))).toBe('keeps');
  });
});

test('the brand header must not change whether the same request is accepted', () => {
  const rule = 'auth.headers.brand-authorization-accepted-on-every-api';
  const standard = accounts({ headers: { authorization: 'a' }, credential: 'SVC_ADMIN_TOKEN' });
  const brand = accounts({ headers: { 'x-svc-authorization': 'a' }, credential: 'SVC_ADMIN_TOKEN', status: 403 });
  expect(judgeExchanges(rule, [standard, brand, standard]).at(-1)).toBe('breaks');
  expect(judgeExchanges(rule, [standard, brand, { ...standard, status: 403 }]).at(-1)).toBe('says nothing');
  expect(judgeExchanges(rule, [standard, { ...brand, url: '/accounts?a=1' }, standard]).at(-1)).toBe('says nothing');
  const elsewhere = { ...brand, headers: { ...brand.headers, 'x-svc-workspace': 'other' } };
  expect(judgeExchanges(rule, [standard, elsewhere, standard]).at(-1)).toBe('says nothing');
});

describe('an agent query without a credential', () => {
  const query = { surface: 'inference', method: 'POST', url: '/demo/agents/demo-agent', credential: null } as const;
  const judge = (spec: object, ...given: Described[]) =>
    judgeExchanges('auth.data-plane.credential-required', [update({ received: agent(spec) }), ...given, query]).at(-1);

  test('is judged only if the agent was seen with generation mk2', () => {
    expect(judge({ runtime: { generation: 'mk2' } })).toBe('breaks');
    expect(judge({ runtime: { generation: 'mk3' }, public: true })).toBe('says nothing');
    expect(judge({})).toBe('says nothing');
  });

  test('is not judged after an update whose outcome is unknown', () => {
    expect(judge({ runtime: { generation: 'mk2' } }, update({ status: 503 }))).toBe('says nothing');
  });
});

test('an expired token is judged only after it has expired', () => {
  const rule = 'auth.credentials.expired-refused';
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const value = `${part({ alg: 'HS256' })}.${part({ exp: 1000 })}.c2ln`;
  const expired = { name: 'SVC_EXPIRED_TOKEN', value };
  const given = accounts({ headers: { authorization: 'a' }, credential: 'SVC_EXPIRED_TOKEN' });
  const judge = (sentAt?: number) =>
    judgeExchanges(rule, [{ ...given, sentAt }], { credentials: { expired, scoped: {} } });
  expect(judge(1_300_000)).toEqual(['breaks']);
  expect(judge(1_001_000)).toEqual(['says nothing']); // A server may allow for clocks that differ.
  expect(judge()).toEqual(['says nothing']);
});

test('403 for an admin is about the workspace if the request names another one', () => {
  const rule = 'auth.scopes.update-agent-accepts-admin';
  const as = { credential: 'SVC_ADMIN_TOKEN', headers: { authorization: 'a' }, status: 403, received: error };
  expect(judgeExchanges(rule, [update(as)])).toEqual(['breaks']);
  const elsewhere = { ...as.headers, 'x-svc-workspace': 'other' };
  expect(judgeExchanges(rule, [update({ ...as, headers: elsewhere })])).toEqual(['says nothing']);
  const page = { ...as, received: undefined };
  expect(judgeExchanges(rule, [update(page)])).toEqual(['says nothing']);
  const forbidden = { ...as, sentText: '{"metadata":{"name":"a"},"spec":{"public":true}}' };
  expect(judgeExchanges(rule, [update(forbidden)])).toEqual(['says nothing']);
});

test('metrics must not be in the body of a refusal', () => {
  const judge = (given: Partial<Described>) =>
    judgeExchanges('auth.metrics.bearer-required', [
      { url: '/accounts/acc-1/metrics/enums/group-by', credential: null, ...given },
    ])[0];
  expect(judge({ status: 401, received: error })).toBe('keeps');
  expect(judge({ status: 401, received: { values: ['workspace'] } })).toBe('breaks');
  expect(judge({ headers: { authorization: 'Basic YTpi' }, received: { values: [] } })).toBe('breaks');
  expect(judge({ headers: { authorization: 'Bearer a' } })).toBe('says nothing');
});

test('a refused update must leave no trace', () => {
  const rule = 'auth.update-agent.missing-credential-401';
  const sent = JSON.stringify(agent({ triggers: [{ id: 'assay-1-2-refused' }] }));
  const refused = update({ sentText: sent, status: 401, received: error });
  const as = { credential: 'SVC_ADMIN_TOKEN', headers: { authorization: 'a' } };
  const read = { url: '/agents/demo-agent', ...as };
  const marked = agent({ triggers: [{ id: 'assay-1-2-refused' }] });
  expect(judgeExchanges(rule, [refused, { ...read, received: marked }])).toEqual(['keeps', 'breaks']);
  expect(judgeExchanges(rule, [refused, { ...read, received: agent({}) }])).toEqual(['keeps', 'keeps']);
  const accepted = update({ ...as, sentText: sent, received: agent({}) });
  for (const status of [200, 504])
    expect(judgeExchanges(rule, [refused, { ...accepted, status }, { ...read, received: marked }]).at(-1)).toBe(
      'keeps',
    );
});
