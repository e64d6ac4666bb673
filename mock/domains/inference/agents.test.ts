import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { scriptedWorld, START } from '../../testing/scripted-world.ts';

let mock: RunningMock;
beforeAll(async () => {
  const world = scriptedWorld([
    { workload: 'agents/demo-agent', pattern: 'order (\\d+)', reply: 'Order $1 is on its way.' },
    { pattern: '^slowly', reply: 'At last.', delayMs: 60_000 },
    {
      pattern: '^twice',
      times: 2,
      error: { status: 429, error: 'rate_limited', message: 'Slow down.', retryAfterSeconds: 7 },
    },
    { pattern: '^own', body: { choices: ['a'] } },
  ]);
  mock = await startMock({ clock: 'frozen', now: START, world });
});
afterAll(() => mock.close());

interface AgentRequest {
  readonly thread?: string;
  readonly token?: string | null;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

async function queryAgent(agent: string, inputs: unknown, { thread, token, body, signal }: AgentRequest = {}) {
  const bearer = token === undefined ? mock.target.credentials.admin.value : token;
  const response = await fetch(`${mock.addresses.inference}/demo/agents/${agent}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      ...(thread !== undefined && { 'x-svc-thread-id': thread }),
    },
    body: body ?? JSON.stringify({ inputs }),
    ...(signal && { signal }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as ReturnType<typeof JSON.parse>,
  };
}

async function put(agent: string, spec: object) {
  const response = await fetch(`${mock.addresses.management}/agents/${agent}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${mock.target.credentials.admin.value}` },
    body: JSON.stringify({ metadata: { name: agent }, spec }),
  });
  expect(response.status).toBe(200);
}

test('an agent repeats its input', async () => {
  const { status, body } = await queryAgent('demo-agent', 'What is the weather in Lyon?');
  expect(status).toBe(200);
  expect(body).toEqual({
    agent: 'demo-agent',
    inputs: 'What is the weather in Lyon?',
    output: expect.stringContaining('You said: "What is the weather in Lyon?"'),
  });
});

test('the reply depends only on input and seed', async () => {
  await using other = await startMock({ clock: 'frozen', now: START, seed: 2 });
  const once = await queryAgent('demo-agent', 'Hello');
  expect((await queryAgent('demo-agent', 'Hello')).body).toEqual(once.body);
  const elsewhere = await fetch(`${other.addresses.inference}/demo/agents/demo-agent`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${other.target.credentials.admin.value}`,
    },
    body: '{"inputs":"Hello"}',
  });
  const { output } = (await elsewhere.json()) as { output: string };
  expect(output).toContain('You said: "Hello"');
  expect(output).not.toBe(once.body.output);
});

describe('threads', () => {
  test('a thread contains only its own messages', async () => {
    await queryAgent('demo-agent', 'My name is Ada', { thread: 't-one' });
    const { body } = await queryAgent('demo-agent', 'Who am I?', { thread: 't-one' });
    expect([body.output, body.thread]).toEqual([expect.stringContaining('My name is Ada'), { id: 't-one', turn: 2 }]);
    expect(JSON.stringify(await queryAgent('demo-agent', 'Who am I?', { thread: 't-two' }))).not.toContain('Ada');
    expect(JSON.stringify(await queryAgent('demo-agent-mk3', 'Who am I?', { thread: 't-one' }))).not.toContain('Ada');
  });

  test('a call without a thread neither stores nor uses messages', async () => {
    await queryAgent('demo-agent', 'Remember the blue door');
    expect(JSON.stringify(await queryAgent('demo-agent', 'Which door?'))).not.toContain('blue');
    expect(JSON.stringify(await queryAgent('demo-agent', 'Which door?', { thread: 't-new' }))).not.toContain('blue');
    expect(JSON.stringify(mock.world.inference.threads)).not.toContain('blue');
  });

  test('a thread may have the name of an Object.prototype member', async () => {
    const { status, body } = await queryAgent('demo-agent', 'Hi', { thread: '__proto__' });
    expect([status, body.thread.turn]).toEqual([200, 1]);
  });
});

describe('availability', () => {
  test('a disabled agent does not serve; an enabled one serves once deployed', async () => {
    await put('demo-agent', { enabled: false });
    const { status, body } = await queryAgent('demo-agent', 'Hi');
    expect([status, body]).toEqual([
      503,
      { error: 'not_serving', code: 503, message: expect.stringContaining('spec.enabled is false') },
    ]);
    mock.world.clock.advance(1000);
    await put('demo-agent', { enabled: true });
    expect((await queryAgent('demo-agent', 'Hi')).body.message).toContain('UPLOADING');
    mock.world.clock.advance(1000);
    expect((await queryAgent('demo-agent', 'Hi')).status).toBe(200);
  });

  test('during an update the previous revision serves', async () => {
    await put('demo-agent', { enabled: true });
    expect((await queryAgent('demo-agent', 'Hi')).status).toBe(200);
  });

  test('an unknown agent returns 404', async () => {
    expect((await queryAgent('no-such-agent', 'Hi')).status).toBe(404);
  });
});

describe('credentials', () => {
  const anonymous = (agent: string) => queryAgent(agent, 'Hi', { token: null });

  test('a public agent requires no credential until it becomes private', async () => {
    expect((await anonymous('demo-agent-mk3')).status).toBe(401);
    const spec = { runtime: { generation: 'mk3' } };
    await put('demo-agent-mk3', { ...spec, public: true });
    expect((await anonymous('demo-agent-mk3')).status).toBe(200);
    await put('demo-agent-mk3', { ...spec, public: false });
    expect((await anonymous('demo-agent-mk3')).status).toBe(401);
  });

  test('an invalid credential is rejected even if none is required', async () => {
    expect((await queryAgent('demo-agent-mk3', 'Hi', { token: 'nonsense' })).status).toBe(401);
  });

  test('without a credential, unknown agents and workspaces return 401', async () => {
    expect((await anonymous('no-such-agent')).status).toBe(401);
    const elsewhere = await fetch(`${mock.addresses.inference}/nowhere/agents/x`, {
      method: 'POST',
      body: '{"inputs":""}',
    });
    expect(elsewhere.status).toBe(401);
  });

  test('a caller of another account has no access', async () => {
    const token = await foreignToken();
    expect((await queryAgent('demo-agent', 'Hi', { token })).status).toBe(403);
  });
});

async function foreignToken(): Promise<string> {
  const { mintToken } = await import('../oauth/tokens.ts');
  return mintToken(mock.world, {
    caller: 'olga@other.example',
    scopes: ['admin'],
    workspace: 'other',
    lifetimeSeconds: 60,
  });
}

describe('scripts', () => {
  test('the first matching pattern is used, and its groups are substituted', async () => {
    expect((await queryAgent('demo-agent', 'Where is order 17?')).body.output).toBe('Order 17 is on its way.');
    expect((await queryAgent('demo-agent-mk3', 'Where is order 17?')).body.output).toContain('You said');
  });

  test('a scripted error is returned the scripted number of times', async () => {
    for (let nth = 0; nth < 2; nth++) {
      const { status, headers, body } = await queryAgent('demo-agent', 'twice please');
      expect([status, headers.get('retry-after')]).toEqual([429, '7']);
      expect(body).toEqual({ error: 'rate_limited', code: 429, message: 'Slow down.' });
    }
    expect((await queryAgent('demo-agent', 'twice please')).status).toBe(200);
  });

  test('a scripted body is returned unchanged', async () => {
    expect((await queryAgent('demo-agent', 'own')).body).toEqual({ choices: ['a'] });
  });

  test('a scripted delay uses the virtual clock', async () => {
    const pending = queryAgent('demo-agent', 'slowly now');
    await expect.poll(() => mock.world.timers.count()).toBe(1);
    mock.world.clock.advance(60_000);
    expect((await pending).body.output).toBe('At last.');
    expect(mock.world.timers.count()).toBe(0);
  });

  test('a client that disconnects during a delay leaves no pending timer', async () => {
    const leave = new AbortController();
    const pending = queryAgent('demo-agent', 'slowly now', { signal: leave.signal });
    await expect.poll(() => mock.world.timers.count()).toBe(1);
    leave.abort();
    await expect(pending).rejects.toThrow('abort');
    await expect.poll(() => mock.world.timers.count()).toBe(0);
  });
});

test.each([
  ['no JSON', '{"inputs":', 400],
  ['nothing', '', 400],
  ['no inputs', '{}', 400],
  ['inputs that are no text', '{"inputs":7}', 400],
  ['a list', '[]', 400],
  ['null', 'null', 400],
  ['too much', `{"inputs":"${'x'.repeat(6_000_000)}"}`, 413],
])('a body with %s is rejected with a clear message', async (_, sent, expected) => {
  const { status, body } = await queryAgent('demo-agent', '', { body: sent });
  expect([status, body]).toEqual([
    expected,
    { error: expect.any(String), code: expected, message: expect.any(String) },
  ]);
});
