/** An example for each request body and path parameter of `/_mock`, which the default world accepts. */

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
  'PUT /faults': {
    rules: [{ operation: 'updateAgent', probability: 0.2, status: 503, headers: { 'retry-after': '1' } }],
  },
  'PUT /responses': {
    responses: [
      {
        match: { operation: 'updateAgent', body: { spec: { enabled: false } } },
        sequence: [{ status: 503 }, { status: 429, headers: { 'retry-after': '1' } }],
        afterwards: 'operation',
      },
    ],
  },
  'PUT /deployments/{collection}/{name}': { status: 'FAILED', message: 'npm ci failed' },
  'POST /tokens': { scopes: ['agents:get'], lifetimeSeconds: 60 },
  'POST /worlds': { id: 'test-1', seed: 7 },
};

/** By the name of the path parameter. */
export const pathExamples: Readonly<Record<string, string>> = {
  collection: 'agents',
  name: 'demo-agent',
  id: 'test-1',
};
