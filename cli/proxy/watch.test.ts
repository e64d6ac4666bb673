/** What the proxy prints and counts, and which secrets it prints to nobody. */
import { once } from 'node:events';
import http from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MockOptions } from '../../mock/start-mock.ts';
import { startMock } from '../../mock/start-mock.ts';
import { operation } from '../../spec/operations.ts';
import type { PrismReader } from '../../spec/prism/reader.ts';
import { readByPrism } from '../../spec/prism/reader.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { adminOnlyOf } from './admin-only.ts';
import { secretsOf } from './secrets.ts';
import { startProxy } from './start-proxy.ts';
import type { Tally } from './tally.ts';
import { exitCodeOf, newTally, summaryOf } from './tally.ts';

let reader: PrismReader;
beforeAll(async () => {
  reader = await readByPrism();
});

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

/** The target file of a mock of ours. */
async function mockTarget(options: MockOptions = {}): Promise<TargetFile> {
  const mock = await startMock({ port: 0, ...options });
  opened.push(() => mock.close());
  return mock.target;
}

/** A target that answers as it is told, wherever it is asked. */
async function serve(listener: RequestListener): Promise<TargetFile> {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { addresses: { management: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v0` } };
}

interface Client {
  ask: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Response>;
  /** Reads no more than the head of the answer. */
  begin: (path: string) => Promise<Response>;
  /** Closes the proxy, and gives all that it printed and counted. */
  end: () => Promise<{ out: string; tally: Tally }>;
}

interface Around {
  environment?: Record<string, string>;
  readBy?: PrismReader;
}

async function clientOf(target: TargetFile, { environment = {}, readBy = reader }: Around = {}): Promise<Client> {
  let out = '';
  const print = (text: string): void => void (out += text);
  const tally = newTally();
  const watching = {
    reader: readBy,
    secrets: secretsOf(target, environment),
    adminOnly: adminOnlyOf(target, environment),
    tally,
    print,
  };
  const proxy = await startProxy(target.addresses, { port: 0, host: '127.0.0.1' }, watching);
  const { apiKey } = target.credentials ?? {};
  const token = apiKey !== undefined && 'value' in apiKey ? apiKey.value : 'none';
  return {
    async ask(method, path, body, more) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more };
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const answer = await fetch(`${proxy.addresses.management}${path}`, {
        method,
        headers,
        ...(text !== undefined && { body: text }),
      });
      await answer.clone().arrayBuffer();
      return answer;
    },
    begin: (path) => fetch(`${proxy.addresses.management}${path}`),
    async end() {
      await proxy.close();
      return { out, tally };
    },
  };
}

const FORM = 'application/x-www-form-urlencoded';
const agent = { metadata: { name: 'demo-agent' }, spec: { enabled: true } };

test('nothing is reported for a target that conforms to the documents', async () => {
  const { ask, end } = await clientOf(await mockTarget());
  await ask('GET', '/accounts');
  await ask('PUT', '/agents/demo-agent', agent);
  expect((await ask('PUT', '/agents/no-agent', agent)).status).toBe(404);
  const { out, tally } = await end();
  expect(out).toBe('');
  expect(summaryOf(tally)).toMatch(/ listAccounts +1 +0 +1 +0\n +updateAgent +2 +2 +0 +0\n +total +3 +2 +1 +0\n$/);
  expect(exitCodeOf(tally)).toBe(0);
});

describe('an exchange that violates the documents', () => {
  test('is reported with its operation, the violations, their rules, and a line that repeats it', async () => {
    const target = await mockTarget({
      deviate: ['resources.shapes.fit-the-schema/returns-the-events-of-an-updated-agent-as-an-object'],
    });
    const { ask, end } = await clientOf(target);
    await ask('PUT', '/agents/demo-agent', agent);
    const { out, tally } = await end();
    const [first, second, third, note, curl] = out.split('\n');
    expect([first, second, third]).toEqual([
      'Violation by the target: PUT /agents/{agentName} (updateAgent), status 200',
      '  /events must be an array; found an object',
      '  found by Ajv and Prism; rules: resources.shapes.fit-the-schema, resources.events.record-shape',
    ]);
    expect(note).toBe('  # set $SVC_… to the credentials');
    expect(curl).toContain(`  curl -sS -i -X PUT ${target.addresses.management}/agents/demo-agent `);
    expect(curl).toContain(`--data-raw '{"metadata":{"name":"demo-agent"},"spec":{"enabled":true}}'`);
    expect(exitCodeOf(tally)).toBe(1);
  });

  test('is the fault of the client if its request is invalid, and counts if the target accepts it', async () => {
    const { ask, end } = await clientOf(
      await serve((_, response) => {
        response.setHeader('content-type', 'application/json').end('{"metadata":{"name":"a"},"spec":{}}');
      }),
    );
    await ask('PUT', '/agents/demo-agent', { spec: {} });
    const { out, tally } = await end();
    expect(out).toMatch(/^Violation by the client: .*\(updateAgent\), status 200\n {2}\/metadata is required/);
    expect(exitCodeOf(tally)).toBe(1);
  });

  test('does not count if the target rejects the request', async () => {
    const { ask, end } = await clientOf(await mockTarget());
    await ask('PUT', '/agents/demo-agent', { spec: {} });
    const { out, tally } = await end();
    expect(out).toMatch(/^Violation by the client: .*\(updateAgent\), status 400, not counted\n/);
    expect(exitCodeOf(tally)).toBe(0);
  });

  test('does not affect the terminal, whatever the target sends', async () => {
    const { ask, end } = await clientOf(
      await serve((_, response) => void response.end(JSON.stringify({ ...agent, status: '\u001b[2J\u202e' }))),
    );
    await ask('PUT', '/agents/a', agent);
    const { out } = await end();
    expect(out).toContain('Violation by the target');
    // oxlint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u001b\u202e]/);
  });
});

describe('a request of no operation of the interface', () => {
  test('is reported each time, and counted', async () => {
    const { ask, end } = await clientOf(await mockTarget());
    for (const each of [1, 2]) {
      await ask('GET', `/nowhere?x=${each}`);
      await ask('GET', '/agents');
    }
    const { out, tally } = await end();
    expect(out.split('\n')).toEqual([
      'Not checked: GET /v0/nowhere, which is not in the documents.',
      'Not checked: GET /agents (listAgents), which is not a documented operation.',
      'Not checked: GET /v0/nowhere, which is not in the documents.',
      'Not checked: GET /agents (listAgents), which is not a documented operation.',
      '',
    ]);
    expect(summaryOf(tally)).toContain('4 requests of no documented operation');
    expect(exitCodeOf(tally)).toBe(0);
  });

  test('is not reported if it is a preflight, to which the target responds', async () => {
    const { ask, end } = await clientOf(
      await serve(({ method, headers }, response) => {
        const asked = `${method} ${headers['access-control-request-method']}`;
        response.setHeader('access-control-allow-methods', asked).writeHead(204).end();
      }),
    );
    const answer = await ask('OPTIONS', '/agents/a', undefined, { 'access-control-request-method': 'PUT' });
    expect(answer.headers.get('access-control-allow-methods')).toBe('OPTIONS PUT');
    expect((await end()).out).toBe('');
  });
});

test.each<[string, RequestListener, unknown, string]>([
  [
    'a response that is too large',
    (_, response) => void response.end(`"${'a'.repeat(17 * 2 ** 20)}"`),
    agent,
    'the response to PUT /v0/agents/a (updateAgent), because it is longer than 16777216 bytes.',
  ],
  [
    'a response that is nested too deeply',
    (_, response) => void response.end('['.repeat(1_000_000)),
    agent,
    'the response to PUT /v0/agents/a (updateAgent), because it is nested too deeply: more than 500 levels.',
  ],
  [
    'a request that is nested too deeply',
    (_, response) => void response.end(JSON.stringify(agent)),
    '['.repeat(1_000_000),
    'the body of PUT /v0/agents/a (updateAgent), because it is nested too deeply: more than 500 levels.',
  ],
  [
    'a stream',
    (_, response) => void response.setHeader('content-type', 'text/event-stream').end('data: 1'),
    agent,
    'the response to PUT /v0/agents/a (updateAgent), because it is a stream.',
  ],
  [
    'an encoding that is not known, whatever its name',
    (_, response) => void response.setHeader('content-encoding', `open-sesame-${Math.random()}\u009b`).end('a'),
    agent,
    'the response to PUT /v0/agents/a (updateAgent), because its Content-Encoding is wrong or unknown.',
  ],
  [
    'a response that is too long when it is decoded',
    (_, response) =>
      void response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(16 * 1024 * 1024 + 1, ' '))),
    agent,
    'the response to PUT /v0/agents/a (updateAgent), because it is longer than 16777216 bytes.',
  ],
  [
    'a response of very many values',
    (_, response) => void response.end(`[${'{},'.repeat(1_000_000)}0]`),
    agent,
    'the response to PUT /v0/agents/a (updateAgent), because it has more than 1000000 values.',
  ],
  [
    'a request of very many values',
    (_, response) => void response.end(JSON.stringify(agent)),
    `[${'0,'.repeat(1_000_000)}0]`,
    'the body of PUT /v0/agents/a (updateAgent), because it has more than 1000000 values.',
  ],
])('%s is reported each time, in one line, and counted', async (_what, listener, body, sentence) => {
  const { ask, end } = await clientOf(
    await serve((request, response) => {
      request.resume().once('end', () => listener(request, response));
    }),
  );
  for (const _ of [1, 2]) await (await ask('PUT', '/agents/a', body)).arrayBuffer();
  const { out, tally } = await end();
  expect(out.split('\n').filter((line) => line.startsWith('Not checked: '))).toEqual(
    [sentence, sentence].map((each) => `Not checked: ${each}`),
  );
  expect(summaryOf(tally)).toContain(`  2 not checked, ${sentence.slice(sentence.indexOf('because'), -1)}\n`);
});

test('exchanges that are open when the proxy closes are reported, but are no failure of the target', async () => {
  const { begin, end } = await clientOf(await serve((_, response) => void response.write('{"begins": ')));
  const answers = await Promise.all([1, 2, 3].map(() => begin('/accounts')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { out, tally } = await end();
  const line = 'Not checked: the response to GET /v0/accounts (listAccounts), because it is incomplete.\n';
  expect(out).toBe(line.repeat(3));
  expect(summaryOf(tally)).toContain('  3 not checked, because it is incomplete\n');
  expect(tally.operations.get('listAccounts')).toEqual({ exchanges: 3, checked: 0, undocumented: 0, violating: 0 });
  expect(exitCodeOf(tally)).toBe(0);
});

test.each(['{', '['.repeat(20_000) + ']'.repeat(20_000), '\0', '"\ud800"'])('any request is forwarded', async (odd) => {
  const { ask, end } = await clientOf(await mockTarget());
  expect((await ask('PUT', '/agents/demo-agent', odd)).status).toBe(400);
  const { tally } = await end();
  expect(tally.operations.get('updateAgent')).toEqual({ exchanges: 1, checked: 1, undocumented: 0, violating: 0 });
  expect(tally.proxyErrors).toBe(0);
});

test('an error in the proxy itself lets the exchange pass, and is reported', async () => {
  const requestFindings = () => {
    throw new Error('a reader that breaks');
  };
  const { ask, end } = await clientOf(await mockTarget(), { readBy: { ...reader, requestFindings } });
  expect((await ask('GET', '/accounts')).status).toBe(200);
  const { out, tally } = await end();
  expect(out).toMatch(/^GET \/v0\/accounts could not be checked: Error: a reader that breaks/);
  expect(exitCodeOf(tally)).toBe(3);
});

test('the output contains no secret', async () => {
  const echoing = await serve((request, response) => {
    const body = { status: request.headers.authorization, access_token: 'fresh-sesame', metadata: {}, spec: {} };
    response.setHeader('set-cookie', 'id=baked-sesame').end(JSON.stringify(body));
  });
  const target: TargetFile = {
    ...echoing,
    credentials: { apiKey: { value: 'known-sesame' }, admin: { env: 'MY_ADMIN' } },
    client: { id: { value: 'me' }, secret: { value: 'client-sesame' } },
  };
  const { ask, end } = await clientOf(target, { environment: { MY_ADMIN: 'variable-sesame' } });
  const spec = { integration: 'a', secret: { KEY: 'kept-sesame' }, password: 'typed-sesame' };
  const tokens = ['known-sesame', 'variable-sesame', 'foreign-sesame', 's'].map((token) => `Bearer ${token}`);
  for (const authorization of [...tokens, 'odd-sesame', `Basic ${btoa('me:client-sesame')}`]) {
    const more = { authorization, cookie: 'id=baked-sesame', 'x-api-key': 'custom-sesame' };
    await ask('PUT', '/agents/known-sesame?access_token=asked-sesame', { metadata: { name: 7 }, spec }, more);
  }
  await ask('GET', '/known-sesame/foreign-sesame');
  const { out } = await end();
  expect(out.match(/\S*sesame\S*/g)).toBeNull();
  expect(out).not.toContain(btoa('me:client-sesame'));
  expect(out).not.toMatch(/authorization: Bearer s\b/i);
  for (const name of ['$SVC_API_KEY', '$MY_ADMIN', '$SVC_TOKEN', '$SVC_CLIENT_BASIC']) expect(out).toContain(name);
});

/** What the client sends, and how. */
const sentSecrets: Readonly<
  Record<string, (secret: string) => [path: string, body: unknown, more: Record<string, string>]>
> = {
  'a bearer token': (secret) => ['/a', undefined, { authorization: `Bearer ${secret}` }],
  'the secret of a basic credential': (secret) => ['/a', undefined, { authorization: `Basic ${btoa(`me:${secret}`)}` }],
  'another header for credentials': (secret) => ['/a', undefined, { 'x-svc-authorization': `Bearer ${secret}` }],
  'a cookie': (secret) => ['/a', undefined, { cookie: `theme=a; sid=${secret}` }],
  'a parameter': (secret) => [`/a?api_key=${secret}`, undefined, {}],
  'a refresh token in a form': (secret) => ['/a', `grant_type=a&refresh_token=${secret}`, { 'content-type': FORM }],
  'a secret variable': (secret) => ['/a', { spec: { envs: [{ name: 'A', value: secret, secret: true }] } }, {}],
  'a member of JSON': (secret) => ['/a', { spec: { envs: [{ password: [secret] }] } }, {}],
};
const issuedSecrets: Readonly<Record<string, (secret: string) => { body: object; headers: Record<string, string> }>> = {
  'an issued token': (secret) => ({ body: { data: { refresh_token: secret } }, headers: {} }),
  'an issued cookie': (secret) => ({ body: {}, headers: { 'set-cookie': `sid=${secret}; Path=/` } }),
};
const SECRET = 'open-sesame-1234';

test.each([...Object.keys(sentSecrets), ...Object.keys(issuedSecrets), 'a secret of a connection'])(
  '%s that the target repeats is in no line',
  async (what) => {
    const issued = issuedSecrets[what]?.(SECRET);
    const repeated = [SECRET, btoa(SECRET), Buffer.from(SECRET).toString('hex')];
    const target = await serve(({ method, url = '' }, response) => {
      if (url.endsWith('/issue'))
        for (const [name, value] of Object.entries(issued?.headers ?? {})) response.setHeader(name, value);
      const body = method === 'PUT' ? { metadata: { name: 'a' }, events: repeated.shift(), spec: {} } : issued?.body;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body ?? {}));
    });
    const samples = { connectionSecrets: { mail: { CLIENT_SECRET: { value: SECRET } } } };
    const { ask, end } = await clientOf(what === 'a secret of a connection' ? { ...target, samples } : target);
    const [path, body, more] = sentSecrets[what]?.(SECRET) ?? ['/issue', undefined, {}];
    await ask(body === undefined ? 'GET' : 'POST', path, body, more);
    for (let count = 0; count < 3; count += 1) await ask('PUT', '/agents/a', { metadata: { name: 'a' }, spec: {} });
    const { out } = await end();
    expect(out.match(/\/events must be an array; found "\$SVC_\w+=*"/g)).toHaveLength(3);
    expect(out).not.toContain('sesame');
  },
);

test.each([
  ['YAML', 'spec:\n  password: open-sesame', {}],
  ['a form that the operation does not document', 'code=open-sesame', { 'content-type': FORM }],
  ['JSON that is odd', "{'password': 'open-sesame'}", {}],
])('a body of %s, which may hide a secret, is in no line', async (_what, body, more) => {
  const { ask, end } = await clientOf(await serve((_, response) => void response.end('{}')));
  await ask('PUT', '/agents/a', body, more);
  const { out } = await end();
  expect(out).not.toContain('sesame');
  expect(out).toMatch(/ {2}# .*the body is omitted: it is not JSON\n {2}curl .*agents\/a /);
});

test('thousands of credentials in one request do not delay the others', async () => {
  const { ask, end } = await clientOf(await serve((_, response) => void response.end('open-sesame-1')));
  const cookie = Array.from({ length: 1500 }, (_, index) => `c${index}=open-sesame-${index}`).join('; ');
  const startMs = performance.now();
  await ask('GET', '/agents/a', undefined, { cookie });
  const query = Array.from({ length: 2000 }, (_, index) => `q${index}=1`).join('&');
  await ask('GET', `/agents/a?${query}`);
  const { out } = await end();
  expect(performance.now() - startMs).toBeLessThan(10_000);
  expect(out).not.toContain('sesame');
});

test('a request that cannot be repeated is not printed incorrectly', async () => {
  const { ask, end } = await clientOf(await serve((_, response) => void response.end('{}')));
  await ask('PUT', '/agents/b', agent, { 'content-encoding': 'gzip' });
  const { out } = await end();
  expect(out).toMatch(/ {2}# .*the body is omitted: its Content-Encoding is wrong or unknown\n {2}curl .*agents\/b /);
});

test.each([
  ['code=open-sesame&client_secret=open-sesame', 'code=(redacted)&client_secret=(redacted)'],
  [`client%5Fsecret="a sesame;b='sesame'&scope=a`, 'client%5Fsecret=(redacted)&scope=a'],
])('only the secrets of a form are redacted: %s', (form, shown) => {
  const body = { describeProblem: () => undefined, text: () => form };
  const passed = { method: 'POST', url: operation('requestToken').path, headers: ['content-type', FORM], body };
  const { curl } = secretsOf({ addresses: { management: 'http://127.0.0.1' } }, {});
  expect(curl('http://127.0.0.1', passed)).toContain(`--data-raw '${shown}'`);
});

test('a refusal of the target of whom its file calls a member is held to the form that is promised', async () => {
  const answering = await serve((_, response) => void response.writeHead(403).end('{"error": "forbidden"}'));
  const credentials = { apiKey: { value: 'known-member' }, member: { value: 'known-member' } };
  const { ask, end } = await clientOf({ ...answering, account: 'a', credentials });
  const window = 'startTime=2026-10-01T00:00:00Z&endTime=2026-10-02T00:00:00Z';
  for (const account of ['a', 'b']) await ask('GET', `/accounts/${account}/metrics?${window}&workspace=w`);
  await ask('GET', `/accounts/a/metrics?${window}&workspace=w`, undefined, { authorization: 'Bearer another-token' });
  const { out, tally } = await end();
  expect(out).toContain('rules: metrics.roles.workspace-filter-admin-only\n');
  expect(tally.operations.get('getAccountMetrics')).toEqual({
    exchanges: 3,
    checked: 1,
    undocumented: 2,
    violating: 1,
  });
});
