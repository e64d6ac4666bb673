/** Examples for `/_mock`: of request bodies and path parameters, which the default world accepts, and of response bodies. */

const bearer = { kind: 'api-key', caller: 'ada@demo.example', scopes: ['admin'], workspace: 'demo' };
const noTokens = { codes: [], refreshTokens: [], revoked: [] };

/** The smallest world: an account with a workspace and its admin, who has two keys. */
const snapshot = {
  snapshot: 1,
  seed: 1,
  clock: { now: '2026-11-28T12:00:00Z', mode: 'running' },
  random: 1,
  accounts: [{ id: 'acc-demo', displayName: 'Demo Company', plan: 'team' }],
  workspaces: [{ name: 'demo', account: 'acc-demo', region: 'local' }],
  invitations: [],
  callers: [
    {
      id: 'ada@demo.example',
      kind: 'user',
      account: 'acc-demo',
      accountRole: 'account-admin',
      workspaces: [{ name: 'demo', role: 'workspace-admin' }],
    },
  ],
  credentials: [
    { token: 'key-of-ada', ...bearer },
    { token: 'second-key-of-ada', ...bearer },
  ],
  namedCredentials: [
    { name: 'admin', token: 'key-of-ada', lifetimeSeconds: 31_536_000, ...bearer },
    { name: 'apiKey', token: 'second-key-of-ada', lifetimeSeconds: 31_536_000, ...bearer },
  ],
  integrations: [],
  connectionSecrets: [],
  verifyOnCreate: false,
  resources: {},
  lifetimes: [],
  sandboxes: {},
  target: { account: 'acc-demo', workspace: 'demo', client: 'demo-client', resources: {} },
  clients: [],
  oauth: noTokens,
  identityProvider: { users: [], clients: [], state: noTokens },
  replies: [],
  callbackOrigins: [],
  lifecycles: { plan: {}, used: {}, lastUsed: {}, sessions: {} },
  inference: { threads: {}, uses: {}, invocations: [], requests: [], messages: [], repliesGiven: {}, cronUpTo: 0 },
  mcpOrigins: [],
};

const deployment = { status: 'FAILED', message: 'npm ci failed' };

const faultRules = {
  rules: [{ operation: 'updateAgent', probability: 0.2, status: 503, headers: { 'retry-after': '1' } }],
};

const scripts = {
  responses: [
    {
      match: { operation: 'updateAgent', body: { spec: { enabled: false } } },
      sequence: [{ status: 503 }, { status: 429, headers: { 'retry-after': '1' } }],
      afterwards: 'operation',
    },
  ],
};

/** By method and path below `/_mock`. */
export const requestExamples: Readonly<Record<string, object>> = {
  'PUT /clock': { mode: 'frozen', advanceMs: 3_600_000 },
  'PUT /snapshot': snapshot,
  'POST /verify': {
    requests: [
      { operation: 'createVpc', times: 0 },
      { operation: 'updateAgent', atMost: 3, body: { spec: { enabled: false } } },
    ],
  },
  'PUT /faults': faultRules,
  'PUT /responses': scripts,
  'PUT /deployments/{collection}/{name}': deployment,
  'POST /tokens': { scopes: ['agents:get'], lifetimeSeconds: 60 },
  'POST /worlds': { id: 'test-1', seed: 7 },
};

/** By the name of the path parameter. */
export const pathExamples: Readonly<Record<string, string>> = {
  collection: 'agents',
  name: 'demo-agent',
  id: 'test-1',
};

const host = 'http://127.0.0.1:4010';
const now = '2026-11-28T12:00:00.000Z';
const clock = { now, mode: 'running' };
const noFaults = { rules: [], counts: [] };
const noScripts = { responses: [], counts: [] };
const target = {
  name: 'mock',
  addresses: { management: `${host}/v0`, host, inference: host },
  workspace: 'demo',
  account: 'acc-demo',
  credentials: { apiKey: { value: 'svc-key-5e2d177214e498f0d20ea1fdb382f339' } },
};

export const problemExamples = {
  Invalid: {
    summary: 'An invalid body',
    value: { error: 'invalid_request', code: 400, message: 'mode: "x" is not one of running, frozen.' },
  },
  OtherProblem: {
    summary: 'Another error',
    value: { error: 'failure', code: 500, message: 'The request failed.' },
  },
};

/** By method and path below `/_mock`. */
export const responseExamples: Readonly<Record<string, object>> = {
  'GET /health': { status: 'ok', now, seed: 1 },
  'GET /target': target,
  'GET /openapi.json': { documents: { management: `${host}/_mock/docs/management.json` } },
  'GET /clock': clock,
  'PUT /clock': { now: '2026-11-28T13:00:00.000Z', mode: 'frozen' },
  'POST /reset': clock,
  'GET /snapshot': snapshot,
  'PUT /snapshot': clock,
  'GET /requests': {
    count: 1,
    received: 1,
    kept: 1000,
    requests: [
      {
        number: 1,
        time: now,
        method: 'GET',
        path: '/v0/agents',
        query: [['limit', '2']],
        headers: { authorization: '[redacted]' },
        body: null,
        operation: 'listAgents',
        status: 200,
        answer: { text: '{"data":[]}', cut: false },
      },
    ],
  },
  'DELETE /requests': { deleted: 1 },
  'POST /verify': {
    verified: false,
    failures: ['requests[0] (createVpc): 1 received; expected 0.'],
    received: ['POST /v0/vpcs 200'],
  },
  'GET /invocations': {
    count: 1,
    invocations: [
      { time: now, workspace: 'demo', workload: 'agents/demo-agent', by: 'call', inputs: 'Hello', status: 200 },
    ],
  },
  'GET /outbox': {
    count: 1,
    callbacks: [],
    messages: [
      {
        time: now,
        workspace: 'demo',
        function: 'demo-function',
        connection: 'demo-mail',
        to: 'grace@demo.example',
        subject: 'Hello',
        text: 'How are you?',
      },
    ],
  },
  'GET /faults': noFaults,
  'PUT /faults': { ...faultRules, counts: [{ matched: 0, fired: 0 }] },
  'DELETE /faults': noFaults,
  'GET /responses': noScripts,
  'PUT /responses': { ...scripts, counts: [{ used: 0 }] },
  'DELETE /responses': noScripts,
  'PUT /deployments/{collection}/{name}': {
    metadata: { name: 'demo-agent', createdAt: now, updatedAt: now },
    spec: { enabled: true },
    status: 'FAILED',
  },
  'POST /tokens': {
    token: 'svc-key-8c0f',
    kind: 'api-key',
    caller: { id: 'minted-1', account: 'acc-demo' },
    scopes: ['agents:get'],
    expiresAt: now,
  },
  'GET /resources': {
    resources: [
      {
        home: 'demo',
        collection: 'agents',
        kind: 'Agent',
        name: 'demo-agent',
        displayName: 'Demo agent',
        status: 'DEPLOYED',
        updatedAt: now,
      },
    ],
  },
  'GET /worlds': { worlds: [{ id: null, control: `${host}/_mock`, seed: 1, now, mode: 'running', received: 1 }] },
  'POST /worlds': { id: 'test-1', control: `${host}/_mock/w/test-1/_mock`, target },
  'DELETE /worlds/{id}': { deleted: 'test-1' },
};
