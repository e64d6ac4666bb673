import { expect, test } from 'vitest';
import { brokenByOther, NOT_DECLARED } from '../../spec/missing-operation.ts';
import type { OperationId } from '../../spec/operations.ts';
import { requirement } from '../../spec/requirements/index.ts';
import type { RuleResult, Verdict } from '../../spec/verdicts.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Target } from '../target/target.ts';
import { createMissingOperations } from './missing-operations.ts';

const management = 'https://api.example.com/v0';
const target = {
  brand: 'Svc',
  addresses: { management },
  credentials: { admin: { name: 'SVC_ADMIN_TOKEN', value: 'secret' }, scoped: {} },
  resources: { agent: 'demo-agent' },
  account: 'acc-1',
} as unknown as Target;

const vpc = JSON.stringify({ metadata: { name: 'assay-x-1' }, spec: {} });

function exchange(route: string, status: number, overrides: Partial<Exchange['request']> = {}): Exchange {
  const [method = '', path = ''] = route.split(' ');
  return {
    surface: 'management',
    credential: 'SVC_ADMIN_TOKEN',
    request: { method, url: management + path, headers: { 'content-type': 'application/json' }, ...overrides },
    response: { status, headers: {}, text: '{}', json: {} },
    shape: [],
    durationMs: 1,
    repeatedAfter: [],
  };
}

const rule = requirement('vpcs.create.answers-resource');

/** The reason after these exchanges, if the rule has this verdict because of the last one. */
const reasonAfter = (verdict: Verdict, ...exchanges: Exchange[]): string | undefined =>
  reasonOn(target, verdict, ...exchanges);

function reasonOn(own: Target, verdict: Verdict, ...exchanges: Exchange[]): string | undefined {
  const operations = createMissingOperations(own, 'assay-x-none');
  for (const each of exchanges) operations.see(each, rule);
  const evidence = verdict === 'failed' ? exchanges.slice(-1) : [];
  return operations.obstacleTo(rule, { verdict } as RuleResult, evidence)?.reason;
}

const create = (status: number, body = vpc): Exchange => exchange('POST /vpcs', status, { body });

test.each([404, 405, 501])('an operation that only returns %d is not implemented', (status) => {
  const reason = `waits for POST /vpcs, which is not implemented (${status})`;
  expect(reasonAfter('failed', create(status))).toBe(reason);
  expect(reasonAfter('not-tried', create(status))).toBe(reason);
  expect(reasonAfter('passed', create(status), create(status, '{}'))).toBe(reason);
});

test('an operation that returned anything else to a valid request is implemented', () => {
  for (const status of [200, 400, 409, 500]) expect(reasonAfter('failed', create(status), create(404))).toBeUndefined();
});

test('a check before routing does not show that an operation is implemented', () => {
  const unauthorized: Exchange = { ...create(401), credential: undefined! };
  expect(reasonAfter('failed', unauthorized, create(403), create(404))).toBeDefined();
  expect(reasonAfter('failed', create(400, '{}'), create(404))).toBeDefined();
  const unknownVersion = exchange('POST /vpcs', 400, { body: vpc, headers: { 'svc-version': '2026-04-17' } });
  expect(reasonAfter('failed', unknownVersion, create(404))).toBeDefined();
  expect(reasonAfter('failed', create(400, '{'), create(404))).toBeDefined();
  for (const status of [406, 413, 415, 431]) expect(reasonAfter('failed', create(status), create(404))).toBeDefined();
});

test('only valid requests show that an operation is not implemented', () => {
  for (const body of ['{}', '{', '[]', '"text"']) expect(reasonAfter('failed', create(404, body))).toBeUndefined();
  expect(reasonAfter('failed', { ...create(404), credential: 'SVC_MEMBER_TOKEN' })).toBeUndefined();
  const headers = { 'X-Svc-Workspace': 'assay-x-none' };
  expect(reasonAfter('failed', exchange('POST /vpcs', 404, { body: vpc, headers }))).toBeUndefined();
});

test('404 for a name shows something only if the name exists', () => {
  const update = (name: string, status: number) => exchange(`PUT /agents/${name}`, status, { body: vpc });
  expect(reasonAfter('failed', update('other', 404))).toBeUndefined();
  expect(reasonAfter('failed', update('other', 405))).toBeDefined();
  expect(reasonAfter('failed', update('demo-agent', 404))).toBeUndefined(); // It may be gone.
  expect(reasonOn({ ...target, operations: ['updateAgent'] }, 'failed', update('demo-agent', 404))).toBeDefined();
  const creation = exchange('POST /agents', 200, { body: vpc });
  expect(reasonAfter('failed', creation, update('assay-x-1', 404))).toBeDefined();
  const removal = exchange('DELETE /agents/assay-x-1', 200);
  expect(reasonAfter('failed', creation, removal, update('assay-x-1', 404))).toBeUndefined();
});

/** The reason after an update of the agent of the target file and a request to an unknown path, with these responses. */
function reasonBesideUnknownPath(own: Target, updated: Exchange['response'], unknown: Exchange['response']) {
  const operations = createMissingOperations(own, 'assay-x-none');
  const credential = own.credentials.admin?.name;
  const sent = { ...exchange('PUT /agents/demo-agent', 404, { body: vpc }), response: updated };
  const update = { ...sent, ...(credential !== undefined && { credential }) };
  operations.see(update, rule);
  const request = operations.unknownPathLike(update);
  expect(request).toMatchObject({ surface: 'management', method: 'PUT', path: '/assay-x-none/demo-agent', body: '{}' });
  expect(operations.unknownPathLike(update)).toBeUndefined();
  operations.seeUnknownPath({ ...exchange(`PUT ${request?.path}`, 404), response: unknown });
  const about = { ...rule, operations: ['updateAgent'] } as unknown as typeof rule;
  return operations.obstacleTo(about, { verdict: 'failed' } as RuleResult, [update])?.reason;
}

const text = (body: string, status = 404): Exchange['response'] => ({
  status,
  headers: {},
  text: body,
  json: undefined,
});

test.each([
  ['404 page not found\n', '404 page not found\n'],
  ['Cannot PUT /v0/agents/demo-agent', 'Cannot PUT /v0/assay-x-none/demo-agent'],
  ['{"at":"2026-11-30T10:00:00.5Z","requestId":"req-5"}', '{"at":"2026-11-30T10:00:01Z","requestId":"req-6"}'],
  ['Error 6f1c0b7e-3f4a-4d55-9a0c-1f2e3d4c5b6a', 'Error 0b1c2d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e'],
])('404 with %j for a name of the target file is of the router if an unknown path gets %j', (one, other) => {
  const reason =
    'waits for PUT /agents/{agentName}, which is not implemented, or does not know demo-agent (404, as for an unknown path)';
  expect(reasonBesideUnknownPath(target, text(one), text(other))).toBe(reason);
});

test.each([
  ['no such agent', 'no such path', 404],
  ['{"code":"AGENT_NOT_FOUND_404"}', '{"code":"ROUTE_NOT_FOUND_404"}', 404],
  ['{"code":"E1004"}', '{"code":"E1000"}', 404],
  ['Not Found', 'Not Found', 405],
])('404 with %j is about the name if an unknown path gets %j with %d', (one, other, status) => {
  expect(reasonBesideUnknownPath(target, text(one), text(other, status))).toBeUndefined();
});

test.each([
  ['Not Found', 'is not implemented, or does not know demo-agent (404, as for an unknown path)'],
  ['The agent demo-agent does not exist.', undefined],
])('404 with %j for a create whose body has a name of the target file', (body, finding) => {
  const operations = createMissingOperations(target, 'assay-x-none');
  const named = JSON.stringify({ metadata: { name: 'assay-x-1' }, spec: { connections: ['demo-agent'] } });
  const creation = { ...create(404, named), response: text(body) };
  operations.see(creation, rule);
  const request = operations.unknownPathLike(creation);
  expect(request).toMatchObject({ method: 'POST', path: '/assay-x-none' });
  operations.seeUnknownPath({ ...exchange('POST /assay-x-none', 404), response: text('Not Found') });
  const { reason } = operations.obstacleTo(rule, { verdict: 'failed' } as RuleResult, [creation]) ?? {};
  expect(reason).toBe(finding && `waits for POST /vpcs, which ${finding}`);
});

test('an operation that tells names apart is there', () => {
  const operations = createMissingOperations(target, 'assay-x-none');
  const update = (body: string) => ({
    ...exchange('PUT /agents/demo-agent', 404, { body: vpc }),
    response: text(body),
  });
  const [first, other] = [update('Not Found'), update('no such volume')];
  operations.see(first, rule);
  operations.seeUnknownPath({ ...exchange('PUT /assay-x-none/demo-agent', 404), response: text('Not Found') });
  operations.see(other, rule);
  expect(operations.obstacleTo(rule, { verdict: 'failed' } as RuleResult, [other])).toBeUndefined();
});

test('an operation that has answered something else is there, whatever an unknown path gets', () => {
  const operations = createMissingOperations(target, 'assay-x-none');
  const update = (status: number) => exchange('PUT /agents/demo-agent', status, { body: vpc });
  const missing = update(404);
  operations.see(missing, rule);
  operations.seeUnknownPath(exchange('PUT /assay-x-none/demo-agent', 404));
  operations.see(update(200), rule);
  expect(operations.obstacleTo(rule, { verdict: 'failed' } as RuleResult, [missing])).toBeUndefined();
});

test('without any credential, 404 is not a refusal', () => {
  const open = { ...target, credentials: { scoped: {} } } as unknown as Target;
  const { credential: _, ...create404 } = create(404);
  expect(reasonOn(open, 'failed', create404)).toBe('waits for POST /vpcs, which is not implemented (404)');
});

test('a path that no resource has may be refused before routing', () => {
  const update = (name: string, status: number) => exchange(`PUT /agents/${name}`, status, { body: vpc });
  expect(reasonAfter('failed', update('%C0%AF', 400), update('other', 405))).toBeDefined();
  expect(reasonAfter('failed', update('other', 400), update('other', 405))).toBeUndefined();
});

test('an inferred operation is never required', () => {
  expect(reasonAfter('failed', exchange('GET /agents/demo-agent', 404))).toBeUndefined();
});

test('a rule that passed keeps its verdict only if one of its own operations responded', () => {
  const reasonOf = (about: typeof rule): string | undefined => {
    const operations = createMissingOperations(target, 'assay-x-none');
    operations.see(create(404), about);
    operations.see(exchange('GET /accounts', 200), about);
    return operations.obstacleTo(about, { verdict: 'passed' } as RuleResult, [])?.reason;
  };
  expect(reasonOf({ ...rule, operations: ['createVpc', 'listAccounts'] } as unknown as typeof rule)).toBeUndefined();
  expect(reasonOf(rule)).toContain('waits for POST /vpcs');
});

test('a rule that failed because of another response keeps its verdict', () => {
  expect(reasonAfter('failed', create(404), exchange('GET /accounts', 500))).toBeUndefined();
});

test.each([
  [401, 404, true],
  [429, 404, true],
  [401, 200, false],
  [400, 404, false],
])(
  'a rule that failed because of a check before routing (%d) waits for an operation that returns %d',
  (last, valid, waits) => {
    expect(reasonAfter('failed', create(valid), create(last, '{}')) !== undefined).toBe(waits);
  },
);

test('what other operations than the declared ones return refutes no rule', () => {
  const declared = (...operations: OperationId[]): Target => ({ ...target, operations });
  expect(reasonOn(declared('listAccounts'), 'failed', create(500))).toBe(NOT_DECLARED);
  expect(reasonOn(declared('listAccounts'), 'failed', create(404))).toBe(NOT_DECLARED);
  expect(reasonOn(declared('listAccounts'), 'failed', exchange('GET /accounts', 404))).toContain('GET /accounts');
  expect(reasonOn(declared('createVpc'), 'failed', create(500))).toBeUndefined();
});

test('a missing operation that is declared is named before others that are not', () => {
  const about = { ...rule, operations: ['createVpc', 'updateAgent'] } as unknown as typeof rule;
  const operations = createMissingOperations({ ...target, operations: ['updateAgent'] }, 'assay-x-none');
  operations.see(create(404), about);
  operations.see(exchange('PUT /agents/demo-agent', 405, { body: vpc }), about);
  for (const undeclared of [[], [{ id: 'createVpc', status: 500 } as const]]) {
    const obstacle = operations.obstacleTo(about, { verdict: 'not-tried' } as RuleResult, [], undeclared);
    expect(obstacle?.reason).toContain('waits for PUT /agents/{agentName}');
  }
});

test('of two operations that are not declared, the one is named that the target has', () => {
  const operations = createMissingOperations({ ...target, operations: ['updateAgent'] }, 'assay-x-none');
  const responses = [
    { id: 'createVpc', status: 501 },
    { id: 'listAccounts', status: 500 },
  ] as const;
  const obstacle = operations.obstacleTo(rule, { verdict: 'passed' } as RuleResult, [], responses);
  expect(obstacle).toEqual({ reason: brokenByOther('GET /accounts', 500), missing: 'operations' });
});

test('the request that shows a missing operation names what the target file names, if there is one', () => {
  const operations = createMissingOperations(target, 'assay-x-none');
  const update = (name: string) => exchange(`PUT /agents/${name}`, 405, { body: vpc });
  for (const name of ['assay-x-1', 'demo-agent', 'assay-x-2']) operations.see(update(name), rule);
  const about = { ...rule, operations: ['updateAgent'] } as unknown as typeof rule;
  const obstacle = operations.obstacleTo(about, { verdict: 'not-tried' } as RuleResult, []);
  expect(obstacle?.exchange?.request.url).toContain('/agents/demo-agent');
});

test.each([
  ['not listed', {}, [], 'is not implemented, or does not know acc-1 (404)'],
  ['listed', { isAccountListed: true }, [], 'is not implemented (404)'],
  ['named in the path of a static list', {}, ['enums/group-by'], 'is not implemented, or does not know acc-1 (404)'],
] as const)('metrics that return 404 for an account that is %s', (_, facts, accepted, finding) => {
  const own: Target = { ...target, account: 'acc-1', ...facts };
  const about = { ...rule, operations: ['getAccountMetrics'] } as unknown as typeof rule;
  const operations = createMissingOperations(own, 'assay-x-none');
  const window = 'startTime=2026-06-01T00:00:00Z&endTime=2026-06-02T00:00:00Z';
  operations.see(exchange(`GET /accounts/acc-1/metrics?${window}`, 404), about);
  for (const path of accepted) operations.see(exchange(`GET /accounts/acc-1/metrics/${path}`, 200), about);
  const obstacle = operations.obstacleTo(about, { verdict: 'not-tried' } as RuleResult, []);
  expect(obstacle?.reason).toBe(`waits for GET /accounts/{accountId}/metrics, which ${finding}`);
});

test.each(['acme.io', 'admin@example.com', 'org:42'])('an operation of the account %s may be missing', (account) => {
  const own: Target = { ...target, account, isAccountListed: true };
  const about = { ...rule, operations: ['listMetricsGroupBy'] } as unknown as typeof rule;
  const operations = createMissingOperations(own, 'assay-x-none');
  const path = `/accounts/${encodeURIComponent(account)}/metrics/enums/group-by`;
  operations.see(exchange(`GET ${path}`, 404), about);
  expect(operations.obstacleTo(about, { verdict: 'not-tried' } as RuleResult, [])?.reason).toBe(
    'waits for GET /accounts/{accountId}/metrics/enums/group-by, which is not implemented (404)',
  );
});

test('an operation of an account whose metrics are accepted is missing', () => {
  const about = { ...rule, operations: ['listMetricsGroupBy'] } as unknown as typeof rule;
  const operations = createMissingOperations({ ...target, account: 'acc-1' }, 'assay-x-none');
  const window = 'startTime=2026-06-01T00:00:00Z&endTime=2026-06-02T00:00:00Z';
  operations.see(exchange(`GET /accounts/acc-1/metrics?${window}`, 200), about);
  operations.see(exchange('GET /accounts/acc-1/metrics/enums/group-by', 404), about);
  expect(operations.obstacleTo(about, { verdict: 'not-tried' } as RuleResult, [])?.reason).toMatch(
    /implemented \(404\)$/,
  );
});

test('a declared operation is required even if it is inferred', () => {
  const own: Target = { ...target, operations: ['getAgent'] };
  expect(reasonOn(own, 'not-tried', exchange('GET /agents/demo-agent', 404))).toContain('GET /agents/{agentName}');
});

test('a response of an operation that is not declared is evidence if it succeeds', () => {
  const own: Target = { ...target, operations: ['updateAgent'] };
  expect(reasonOn(own, 'failed', exchange('GET /agents/demo-agent', 200))).toBeUndefined();
  expect(reasonOn(own, 'failed', exchange('GET /agents/demo-agent', 500))).toBe(NOT_DECLARED);
});

const member = { name: 'SVC_MEMBER_TOKEN', value: 'secret' };
const weak = { ...target, credentials: { member, scoped: {} } } as unknown as Target;

test.each([405, 501])('an operation that returns %d to a member is not implemented', (status) => {
  const refused: Exchange = { ...create(status), credential: member.name };
  const reason = `waits for POST /vpcs, which is not implemented (${status})`;
  expect(reasonOn(weak, 'failed', refused)).toBe(reason);
  const operations = createMissingOperations(weak, 'assay-x-none');
  for (const each of [refused, refused]) operations.see(each, rule);
  expect(operations.areMissing(rule)).toBe(true);
});

test('an operation that returns 404 to a member may exist', () => {
  const refused: Exchange = { ...create(404), credential: member.name };
  let now = 0;
  const operations = createMissingOperations(weak, 'assay-x-none', () => (now += 60_000));
  for (const each of [refused, refused, refused]) operations.see(each, rule);
  expect(operations.areMissing(rule)).toBe(false);
});

test('an MCP server need not have GET and DELETE, and others than admins may get 404 for 403', () => {
  const get = { ...exchange('GET /demo/functions/tools/mcp', 405), surface: 'inference' } as const;
  const inference = { ...target, addresses: { ...target.addresses, inference: management } } as Target;
  expect(reasonOn(inference, 'not-tried', get)).toBeUndefined();
  expect(reasonOn(weak, 'failed', { ...create(404), credential: 'SVC_MEMBER_TOKEN' })).toBeUndefined();
});

test('a rule that was tried with a declared operation keeps its reason if others are not declared', () => {
  const about = { ...rule, operations: ['createVpc', 'updateAgent'] } as unknown as typeof rule;
  const reasonAfterUpdate = (status: number): string | undefined => {
    const operations = createMissingOperations({ ...target, operations: ['updateAgent'] }, 'assay-x-none');
    operations.see(create(404), about);
    operations.see(exchange('PUT /agents/demo-agent', status, { body: vpc }), about);
    return operations.obstacleTo(about, { verdict: 'not-tried' } as RuleResult, [])?.reason;
  };
  expect(reasonAfterUpdate(200)).toBeUndefined();
  expect(reasonAfterUpdate(404)).toContain('waits for PUT /agents/{agentName}');
});

test('a rule waits for its operation also if another rule sent the request', () => {
  const operations = createMissingOperations(target, 'assay-x-none');
  operations.see(create(404), rule);
  const other = requirement('vpcs.create.envelope-required');
  expect(operations.obstacleTo(other, { verdict: 'not-tried' } as RuleResult, [])?.reason).toContain('POST /vpcs');
  expect(operations.obstacleTo(other, { verdict: 'passed' } as RuleResult, [])).toBeUndefined();
});
