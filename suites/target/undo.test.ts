import { expect, test } from 'vitest';
import { openTestRun } from '../testing/test-run.ts';
import type { LedgerChange, LedgerContent, LedgerEntry } from './read-ledger.ts';
import { localServer } from '../testing/local-server.ts';
import { undo } from './undo.ts';

const about = { run: 'test', target: 'http://a/v0', pid: 1, host: 'h', startedAt: '2026-10-01T00:00:00Z' };
let number = 0;

const agent = (name: string, entry: Partial<LedgerEntry> = {}): LedgerEntry => ({
  number: (number += 1),
  created: 'createAgent',
  name,
  removal: { operation: 'deleteAgent', path: { agentName: name } },
  ...entry,
});

async function undone(status: number, content: Partial<LedgerContent>) {
  await using server = await localServer(() => ({ status }));
  const run = openTestRun({ address: server.address, allow: 'write' });
  const noted: string[] = [];
  const note = (what: string) => (of: number) => void noted.push(`${what} ${of}`);
  const notes = { removing: note('removing'), unsent: note('unsent'), kept: note('kept'), undone: note('undone') };
  const whole = { about, creations: [], changes: [], removals: new Set<never>(), ...content };
  const { left, done } = await undo(whole, 'assay-test-', run.client, notes);
  return { left, done, noted, requests: server.received };
}

const urls = ({ requests: request }: { requests: { method: string; url: string }[] }) =>
  request.map(({ method, url }) => `${method} ${url}`);

test('resources are removed in reverse order of creation', async () => {
  const ended = await undone(200, { creations: [agent('assay-test-1'), agent('assay-test-2', { status: 200 })] });
  expect(ended.left).toEqual([]);
  expect(urls(ended)).toEqual(['DELETE /v0/agents/assay-test-2', 'DELETE /v0/agents/assay-test-1']);
});

test('resources of one kind are removed at the same time once one is removed', async () => {
  const agents = Array.from({ length: 6 }, (_, at) => agent(`assay-test-${at}`, { status: 200 }));
  const [a, b, c, d, e, f] = agents.map((entry) => entry.number);
  const { noted, left } = await undone(200, { creations: agents });
  expect(left).toEqual([]);
  expect(noted.slice(0, 6)).toEqual([f, undefined, e, d, c, b].map((of) => (of ? `removing ${of}` : `undone ${f}`)));
  expect(noted).toContain(`removing ${a}`);
});

test('refused creations are removed last, at the same time, and once per name', async () => {
  const names = ['assay-test-1', 'assay-test-2', 'assay-test-1', 'assay-test-3'];
  const refused = names.map((name) => agent(name, { status: 409 }));
  const created = [agent('assay-test-3', { status: 200 }), agent('assay-test-4', { status: 200 })];
  const { left, ...ended } = await undone(200, { creations: [...created, ...refused] });
  expect(left).toEqual([]);
  const sent = urls(ended).map((url) => url.at(-1));
  expect([sent.length, sent.slice(0, 2), new Set(sent.slice(2))]).toEqual([4, ['4', '3'], new Set(['1', '2'])]);
});

test('a refused creation in another workspace does not remove what was created with its name', async () => {
  const entry = agent('assay-test-1', { status: 200 });
  const headers = { 'X-Svc-Workspace': 'demo' };
  const elsewhere = { operation: 'deleteAgent' as const, path: { agentName: 'assay-test-1' }, headers };
  const { left, noted } = await undone(200, {
    creations: [entry, agent('assay-test-1', { status: 401, removal: elsewhere })],
  });
  expect([left, noted[0]]).toEqual([[], `removing ${entry.number}`]);
});

test('a removal is recorded before it is sent and after it is done', async () => {
  const entry = agent('assay-test-1', { status: 200 });
  expect((await undone(200, { creations: [entry] })).noted).toEqual([
    `removing ${entry.number}`,
    `undone ${entry.number}`,
  ]);
  expect((await undone(500, { creations: [entry] })).noted).toEqual([
    `removing ${entry.number}`,
    `kept ${entry.number}`,
  ]);
});

test('a name without the prefix of the run is never removed, but reported', async () => {
  const { left, requests: request } = await undone(200, { creations: [agent('demo-agent')] });
  expect(left).toMatchObject([{ what: { name: 'demo-agent' }, why: expect.stringContaining('assay-test-') as string }]);
  expect(request).toEqual([]);
});

test('a name chosen by the target is removed if the displayName has the prefix of the run', async () => {
  const { left, requests: request } = await undone(200, {
    creations: [agent('agent-1', { displayName: 'assay-test-1' })],
  });
  expect([left, request.map(({ url }) => url)]).toEqual([[], ['/v0/agents/agent-1']]);
});

test('every creation without a name is reported, unless the target refused it', async () => {
  const nameless = (status?: number) => ({
    number: (number += 1),
    created: 'createVpc' as const,
    ...(status === undefined ? {} : { status }),
  });
  const { left, requests: request } = await undone(200, {
    creations: [nameless(200), nameless(), nameless(400), nameless(201)],
  });
  expect(left.map(({ why }) => why.slice(0, 20))).toEqual([
    'it was created witho',
    'no response confirme',
    'it was created witho',
  ]);
  expect(request).toEqual([]);
});

test('a resource created with another workspace header is removed with it, and not found proves nothing', async () => {
  const path = { agentName: 'assay-test-1' };
  const elsewhere = agent('assay-test-1', {
    removal: { operation: 'deleteAgent', path, headers: { 'X-Svc-Workspace': 'other' } },
  });
  const gone = await undone(200, { creations: [elsewhere] });
  expect([gone.left, gone.requests.map(({ headers }) => headers['x-svc-workspace'])]).toEqual([[], ['other']]);
  expect((await undone(404, { creations: [elsewhere] })).left[0]?.why).toContain('may be in another workspace');
});

test('the removal of a new resource that is not found yet is repeated', async () => {
  const statuses = [404, 404];
  await using server = await localServer(() => ({ status: statuses.pop() ?? 200 }));
  const run = openTestRun({ address: server.address, allow: 'write' });
  const removals = new Set(['deleteAgent'] as const);
  const content = { about, creations: [agent('assay-test-1', { status: 200 })], changes: [], removals };
  const notes = { removing() {}, unsent() {}, kept() {}, undone() {} };
  expect((await undo(content, 'assay-test-', run.client, notes)).left).toEqual([]);
  expect(server.received).toHaveLength(3);
});

test('a change without a known previous state is reported, not restored', async () => {
  const change = { number: 1, changed: 'updateAgent', path: { agentName: 'demo-agent' } } as const;
  const { left, requests: request } = await undone(200, { changes: [change] });
  expect(left).toEqual([{ what: change, why: 'its previous state could not be read', canRetry: false }]);
  expect(request).toEqual([]);
});

test('a refused creation with a foreign name never existed', async () => {
  const { left, requests: request } = await undone(200, { creations: [agent('demo-agent', { status: 400 })] });
  expect([left, request]).toEqual([[], []]);
});

test('a resource that the target does not remove is reported with the status', async () => {
  expect((await undone(405, { creations: [agent('assay-test-1')] })).left[0]?.why).toContain('405');
});

test('a resource without a removal operation is reported, unless the target refused it', async () => {
  const left = async (status?: number) => {
    const { removal: _, ...entry } = agent('assay-test-1', status === undefined ? {} : { status });
    return (await undone(200, { creations: [entry] })).left;
  };
  expect(await left(400)).toEqual([]);
  expect(await left(200)).toHaveLength(1);
  expect(await left()).toHaveLength(1);
});

test('not found means removed if the target can remove such resources and had not confirmed the creation', async () => {
  const left = async (status?: number, removals = new Set<'deleteAgent'>()) =>
    (await undone(404, { creations: [agent('assay-test-1', status === undefined ? {} : { status })], removals })).left;
  const removing = new Set(['deleteAgent'] as const);
  expect([await left(undefined, removing), await left(504, removing), await left(400)]).toEqual([[], [], []]);
  for (const status of [undefined, 504]) expect((await left(status))[0]?.why).toContain('this target cannot remove it');
  expect(await left(201, removing)).toHaveLength(1);
});

test('every target is expected to have documented removals', async () => {
  const removal = { operation: 'deleteSandboxPreviewToken', path: {} } as const;
  const token = {
    ...agent('assay-test-1', { created: 'createSandboxPreviewToken' }),
    removal: { ...removal, path: { sandboxName: 'a', previewName: 'b', tokenName: 'assay-test-1' } },
  };
  expect((await undone(404, { creations: [token] })).left).toEqual([]);
});

test.each<[string, Partial<LedgerEntry>]>([
  ['another resource', { removal: { operation: 'deleteAgent', path: { agentName: 'demo-agent' } } }],
  ['another kind', { removal: { operation: 'deleteVpc', path: { vpcName: 'assay-test-1' } } }],
  ['no removal', { removal: { operation: 'updateAgent', path: { agentName: 'assay-test-1' } } }],
  [
    'a path that leads elsewhere',
    {
      created: 'createSandboxPreview',
      removal: { operation: 'deleteSandboxPreview', path: { sandboxName: '..', previewName: 'assay-test-1' } },
    },
  ],
  [
    'other headers',
    { removal: { operation: 'deleteAgent', path: { agentName: 'assay-test-1' }, headers: { Authorization: 'x' } } },
  ],
])('a removal that does not match its creation, because it has %s, is not sent', async (_, entry) => {
  const { left, requests } = await undone(200, { creations: [agent('assay-test-1', entry)] });
  expect(left).toMatchObject([{ why: 'the removal in the ledger is not that of the resource' }]);
  expect(requests).toEqual([]);
});

test.each<[string, object]>([
  ['a removal', { changed: 'deleteAgent' }],
  ['an update of another kind', { changed: 'updatePolicy', path: { policyName: 'admin' } }],
  ['an invitation', { changed: 'inviteToWorkspace', path: { workspaceName: 'demo', userId: 'a' } }],
  ['a file', { changed: 'writeTree', path: { path: 'etc' } }],
  ['a path that leads elsewhere', { path: { agentName: '..' } }],
  ['the state of another agent', { body: { metadata: { name: 'other' } } }],
])('a change that no run makes is not sent: %s', async (_, more) => {
  const change = { number: 1, changed: 'updateAgent', path: { agentName: 'demo-agent' }, body: {}, ...more };
  const { left, requests } = await undone(200, { changes: [change as LedgerChange] });
  expect(left).toMatchObject([{ why: 'a run does not make such a change' }]);
  expect(requests).toEqual([]);
});

test('a refused second create of a name does not hide that the first cannot be removed', async () => {
  const creations = [agent('assay-test-1', { status: 200 }), agent('assay-test-1', { status: 409 })];
  for (const status of [404, 405]) expect((await undone(status, { creations })).left).toHaveLength(1);
  expect((await undone(204, { creations })).left).toEqual([]);
});

test('a refused creation that cannot be removed never existed', async () => {
  expect((await undone(405, { creations: [agent('assay-test-1', { status: 405 })] })).left).toEqual([]);
  expect((await undone(500, { creations: [agent('assay-test-1', { status: 400 })] })).left).toHaveLength(1);
});

test('not found after a removal without a response means removed if the target can remove such resources', async () => {
  const creations = [agent('assay-test-1', { status: 201, removing: true })];
  expect((await undone(404, { creations, removals: new Set(['deleteAgent']) })).left).toEqual([]);
  expect((await undone(404, { creations })).left[0]?.why).toContain('it is already gone');
});

test('a change is restored', async () => {
  const body = { metadata: { name: 'demo-agent' }, spec: { enabled: true } };
  const change = { number: 1, changed: 'updateAgent', path: { agentName: 'demo-agent' }, body } as const;
  const { left, requests: request } = await undone(200, { changes: [change] });
  expect(left).toEqual([]);
  expect(request.map(({ method, url, body: sent }) => [method, url, JSON.parse(sent)])).toEqual([
    ['PUT', '/v0/agents/demo-agent', body],
  ]);
});

test.each([
  ['is not left if it is as before', {}, 0],
  ['is left if the run has changed it', { labels: { 'assay-run': 'test' } }, 1],
])('a change that cannot be restored %s', async (_, changed, leftCount) => {
  const metadata = { name: 'demo-agent', displayName: 'Demo', labels: {} };
  const body = { metadata, spec: { enabled: true } };
  const change = { number: 1, changed: 'updateAgent', path: { agentName: 'demo-agent' }, body } as const;
  await using server = await localServer(({ method }) =>
    method === 'GET'
      ? { status: 200, body: { ...body, metadata: { ...metadata, ...changed } } }
      : { status: 405, body: {} },
  );
  const run = openTestRun({ address: server.address, allow: 'write' });
  const notes = { removing() {}, unsent() {}, kept() {}, undone() {} };
  const content = { about, creations: [], changes: [change], removals: new Set<never>() };
  expect((await undo(content, 'assay-test-', run.client, notes)).left).toHaveLength(leftCount);
});

test('requests stop if the target does not respond', async () => {
  const creations = Array.from({ length: 5 }, (_, index) => agent(`assay-test-${index}`));
  await using server = await localServer(() => 'break');
  const run = openTestRun({ address: server.address, allow: 'write' });
  const notes = { removing() {}, unsent() {}, kept() {}, undone() {} };
  const content = { about, creations, changes: [], removals: new Set<never>() };
  expect((await undo(content, 'assay-test-', run.client, notes)).left).toHaveLength(5);
  expect(server.received).toHaveLength(12); // two, each sent twice, and the first one repeated for a moment
});

test.each([401, 403])('a removal that is not permitted (%d) shows nothing about a refused create', async (status) => {
  const [created, refused] = [201, status].map((each) => agent(`assay-test-${each}`, { status: each }));
  const creations = [created, refused].filter((each) => each !== undefined);
  await using server = await localServer(() => ({ status }));
  const run = openTestRun({ address: server.address, allow: 'write' });
  const notes = { removing() {}, unsent() {}, kept() {}, undone() {} };
  const content = { about, creations, changes: [], removals: new Set<never>() };
  const { left, unchecked } = await undo(content, 'assay-test-', run.client, notes);
  expect([left, unchecked].map((all) => all.map(({ what }) => what))).toEqual([[created], [refused]]);
});

test('what is not looked at because the target does not respond is not being removed, and if refused not left', async () => {
  const created = [
    agent('assay-test-1', { status: 200 }),
    agent('assay-test-2'),
    agent('assay-test-3', { status: 504 }),
  ];
  const refused = [400, 404].map((status) => agent(`assay-test-${status}`, { status }));
  await using server = await localServer(() => 'break');
  const run = openTestRun({ address: server.address, allow: 'write' });
  const unsent: number[] = [];
  const notes = { removing() {}, unsent: (of: number) => void unsent.push(of), kept() {}, undone() {} };
  const content = { about, creations: [...created, ...refused], changes: [], removals: new Set<never>() };
  const { done, left, unchecked } = await undo(content, 'assay-test-', run.client, notes);
  expect([done, left.map(({ what }) => what)]).toEqual([[], created.toReversed()]);
  expect(unchecked).toMatchObject(refused.toReversed().map((what) => ({ what, canRetry: true })));
  expect(unsent).toEqual([created[0], ...refused.toReversed()].map((entry) => entry?.number));
});

test('an unanswered removal of an earlier attempt stays recorded if it is not sent again', async () => {
  const creations = [1, 2, 3].map((index) => agent(`assay-test-${index}`, { status: 200, removing: true }));
  await using server = await localServer(() => 'break');
  const run = openTestRun({ address: server.address, allow: 'write' });
  const noted: number[] = [];
  const note = (of: number) => void noted.push(of);
  const notes = { removing: note, unsent: note, kept() {}, undone() {} };
  const content = { about, creations, changes: [], removals: new Set<never>() };
  expect((await undo(content, 'assay-test-', run.client, notes)).left).toHaveLength(3);
  expect(noted).toEqual([]);
});

test.each([409, 423])('a busy resource (%i) is awaited before it is restored', async (busy) => {
  const change = { number: 1, changed: 'updateAgent', path: { agentName: 'demo-agent' }, body: {} } as const;
  const content = { about, creations: [], changes: [change], removals: new Set<never>() };
  const notes = { removing() {}, unsent() {}, kept() {}, undone() {} };
  const statuses = [busy, busy];
  await using server = await localServer(() => ({ status: statuses.pop() ?? 200 }));
  const run = openTestRun({ address: server.address, allow: 'write' });
  expect((await undo(content, 'assay-test-', run.client, notes)).left).toEqual([]);
  expect(server.received).toHaveLength(3);
});

test.each([409, 423])('a removal that is refused (%i) is repeated after the other removals', async (busy) => {
  const busyStatuses = [busy, busy];
  await using server = await localServer(({ url }) => ({
    status: url.endsWith('-2') ? (busyStatuses.pop() ?? 200) : 200,
  }));
  const run = openTestRun({ address: server.address, allow: 'write' });
  const notes = { removing() {}, unsent() {}, kept() {}, undone() {} };
  const creations = [agent('assay-test-1', { status: 200 }), agent('assay-test-2', { status: 200 })];
  const { left } = await undo({ about, creations, changes: [], removals: new Set() }, 'assay-test-', run.client, notes);
  expect(left).toEqual([]);
  expect(server.received.map(({ url }) => url.at(-1))).toEqual(['2', '1', '2', '2']);
});

test('all resources that stay busy are awaited together, and can be tried again', async () => {
  await using server = await localServer(() => ({ status: 409 }));
  const run = openTestRun({ address: server.address, allow: 'write' });
  const notes = { removing() {}, unsent() {}, kept() {}, undone() {} };
  const creations = [1, 2, 3].map((index) => agent(`assay-test-${index}`, { status: 200 }));
  const content = { about, creations, changes: [], removals: new Set<never>() };
  const { left } = await undo(content, 'assay-test-', run.client, notes, { busySeconds: 0 });
  expect(left.map(({ canRetry }) => canRetry)).toEqual([true, true, true]);
  expect(server.received).toHaveLength(6);
});

test('each name is listed once, and a resource that never existed is not listed', async () => {
  const created = agent('assay-test-1', { status: 200 });
  const creations = [created, agent('assay-test-1', { status: 409 }), agent('assay-test-1')];
  expect((await undone(200, { creations })).done).toEqual([created]);
  expect((await undone(500, { creations })).left.map(({ what }) => what)).toEqual([created]);
  expect((await undone(404, { creations: [agent('assay-test-2', { status: 400 })] })).done).toEqual([]);
});

test('what the target cannot remove is not tried again', async () => {
  for (const status of [404, 405])
    expect((await undone(status, { creations: [agent('assay-test-1')] })).left).toMatchObject([{ canRetry: false }]);
  expect((await undone(500, { creations: [agent('assay-test-1')] })).left).toMatchObject([{ canRetry: true }]);
});

test('a resource that stays busy is reported', async () => {
  const change = { number: 1, changed: 'updateAgent', path: { agentName: 'demo-agent' }, body: {} } as const;
  const content = { about, creations: [], changes: [change], removals: new Set<never>() };
  const notes = { removing() {}, unsent() {}, kept() {}, undone() {} };
  await using server = await localServer(() => ({ status: 409 }));
  const run = openTestRun({ address: server.address, allow: 'write' });
  const { left } = await undo(content, 'assay-test-', run.client, notes, { busySeconds: 0 });
  expect(left).toMatchObject([{ what: change, why: 'updateAgent returned status 409' }]);
});

test.each([
  ['removed if its displayName has the prefix', { status: 200, displayName: 'assay-test-1' }, 1, []],
  [
    'not removed if its displayName has another one',
    { status: 200, displayName: 'Demo' },
    0,
    ['its displayName does not begin with assay-test- (--force removes it anyway)'],
  ],
  ['removed if the target does not return it', { status: 405, displayName: undefined }, 1, []],
])('later, a resource whose name the target chose is %s', async (_, { status, displayName }, removals, left) => {
  await using server = await localServer(({ method }) =>
    method === 'GET' ? { status, body: { metadata: { name: 'demo-agent', displayName } } } : { status: 200 },
  );
  const run = openTestRun({ address: server.address, allow: 'write' });
  const content = {
    about,
    creations: [agent('demo-agent', { displayName: 'assay-test-1', status: 200 })],
    changes: [],
    removals: new Set<never>(),
  };
  const notes = { removing() {}, unsent() {}, kept() {}, undone() {} };
  const undoing = await undo(content, 'assay-test-', run.client, notes, { isLate: true });
  expect(server.received.filter(({ method }) => method === 'DELETE')).toHaveLength(removals);
  expect(undoing.left.map(({ why }) => why)).toEqual(left);
});

test('later, a resource that cannot be read is left, and the others are removed', async () => {
  await using server = await localServer(({ method }) => (method === 'GET' ? 'break' : { status: 200 }));
  const run = openTestRun({ address: server.address, allow: 'write' });
  const unread = agent('demo-agent', { displayName: 'assay-test-1', status: 200 });
  const content = { about, creations: [agent('assay-test-2'), unread], changes: [], removals: new Set<never>() };
  const notes = { removing() {}, unsent() {}, kept() {}, undone() {} };
  const { done, left } = await undo(content, 'assay-test-', run.client, notes, { isLate: true });
  expect(done).toMatchObject([{ name: 'assay-test-2' }]);
  expect(left).toMatchObject([{ what: unread, canRetry: true }]);
});

test('later, nothing is requested about a removal that does not match its creation', async () => {
  await using server = await localServer(() => ({ status: 200, body: { metadata: {} } }));
  const run = openTestRun({ address: server.address, allow: 'write' });
  const removal = { operation: 'deleteAgent', path: { agentName: 'other' }, headers: { Authorization: 'x' } } as const;
  const entry = agent('demo-agent', { displayName: 'assay-test-1', status: 200, removal });
  const content = { about, creations: [entry], changes: [], removals: new Set<never>() };
  const notes = { removing() {}, unsent() {}, kept() {}, undone() {} };
  const { left } = await undo(content, 'assay-test-', run.client, notes, { isLate: true });
  expect(left).toMatchObject([{ why: 'the removal in the ledger is not that of the resource' }]);
  expect(server.received).toEqual([]);
});
