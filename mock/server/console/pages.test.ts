import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { startMock } from '../../start-mock.ts';

const closed = await startMock({ seed: 3, controlToken: 'open-sesame', brand: 'Acme' });
const { host } = closed.addresses;

afterAll(() => closed.close());

const request = (path: string, headers: Record<string, string> = {}) =>
  fetch(host + path, { headers, redirect: 'manual' });
const withToken = { authorization: 'Bearer open-sesame' };

test.each(['/_mock/', '/_mock/docs', '/_mock/console/style.css', '/_mock/docs/inference.json'])(
  '%s is served without the control token and contains no data of the world',
  async (path) => {
    const response = await request(path);
    expect(response.status).toBe(200);
    const text = await response.text();
    for (const { value } of [closed.target.credentials.admin, closed.target.credentials.apiKey])
      expect(text).not.toContain(value);
    expect(text).not.toContain('acc-demo');
  },
);

test.each(['/_mock/target', '/_mock/resources', '/_mock/worlds', '/_mock/requests', '/_mock/console/x/target'])(
  '%s requires the control token',
  async (path) => expect((await request(path)).status).toBe(401),
);

test.each(['/_mock/', '/_mock/docs'])(
  'the content security policy of %s allows requests only to this mock',
  async (path) => {
    const policy = (await request(path)).headers.get('content-security-policy')?.split('; ');
    expect(policy?.sort()).toEqual(
      [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "style-src 'self'",
      ].sort(),
    );
  },
);

test('the URL without a trailing slash redirects to the console, in every world', async () => {
  const first = await request('/_mock', withToken);
  expect([first.status, new URL(first.headers.get('location') ?? '', `${host}/_mock`).pathname]).toEqual([
    308,
    '/_mock/',
  ]);
  await fetch(`${host}/_mock/worlds`, { method: 'POST', headers: withToken });
  const other = await request('/_mock/w/world-1/_mock', withToken);
  const location = new URL(other.headers.get('location') ?? '', `${host}/_mock/w/world-1/_mock`);
  expect(location.pathname).toBe('/_mock/w/world-1/_mock/');
});

test('a page requested with a foreign Host header returns 403 if the mock has no control token', async () => {
  await using open = await startMock({ seed: 3 });
  const { port } = new URL(open.addresses.host);
  const foreign = get({ host: '127.0.0.1', port, path: '/_mock/', headers: { host: `evil.example:${port}` } });
  const [response] = (await once(foreign, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(403);
});

test.each(['/_mock/console/bundle-page.ts', '/_mock/docs/..%2fpackage.json', '/_mock/docs/other.js'])(
  '%s is not part of a page and returns 404',
  async (path) => expect((await request(path, withToken)).status).toBe(404),
);

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { flows?: Record<string, { tokenUrl: string }> }>>;
  };
}

test('the documents contain the servers and the brand of this world', async () => {
  await fetch(`${host}/_mock/worlds`, {
    method: 'POST',
    headers: { ...withToken, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'docs' }),
  });
  const documentOf = async (path: string) => (await (await request(path)).json()) as Document;
  const urlsOf = (root: string) =>
    Promise.all(
      ['management', 'host', 'inference', 'sandbox'].map(async (surface) =>
        (await documentOf(`${root}/_mock/docs/${surface}.json`)).servers.map(({ url }) => url),
      ),
    );
  const { workspace, resources = {} } = closed.target;
  const serversBelow = (address: string, root: string) => [
    [`${address}/v0`, `${root}/v0`],
    [address, root || '/'],
    [address, root || '/'],
    [`${address}/sandbox/${workspace}/${resources.sandbox}`, `${root}/sandbox/{workspace}/{sandbox}`],
  ];
  expect(await urlsOf('')).toEqual(serversBelow(host, ''));
  const other = '/_mock/w/docs';
  expect(await urlsOf(other)).toEqual(serversBelow(host + other, other));
  const document = await documentOf(`${other}/_mock/docs/management.json`);
  expect(document.components.securitySchemes['oauth']?.flows?.['clientCredentials']?.tokenUrl).toBe(
    `${other}/oauth/token`,
  );
  expect(JSON.stringify(document)).toContain('X-Acme-Workspace');
});

test('the first server of a document is the address that the client knows', async () => {
  const headers = { 'x-forwarded-host': 'mock.example', 'x-forwarded-proto': 'https' };
  const response = await request('/_mock/docs/management.json', headers);
  expect(((await response.json()) as Document).servers[0]?.url).toBe('https://mock.example/v0');
  expect(response.headers.get('cache-control')).toBe('no-store');
});

const startMockUrl = new URL('../../start-mock.ts', import.meta.url).href;

/** Prints what is loaded after a management call, a control call, the page and its script. */
const script = `
  import { registerHooks } from 'node:module';
  let loaded = false;
  registerHooks({
    resolve: (name, context, next) => {
      if (name === 'rolldown' || name.includes('/console/')) loaded = name;
      return next(name, context);
    },
  });
  const { startMock } = await import(${JSON.stringify(startMockUrl)});
  const mock = await startMock();
  const results = [];
  for (const path of ['/v0/agents', '/_mock/requests', '/_mock/', '/_mock/console/script.js']) {
    await (await fetch(mock.addresses.host + path)).text();
    results.push(loaded);
  }
  await mock.close();
  console.log(JSON.stringify(results));
`;

test('page code is loaded with the first page, and the bundler with its script', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const [afterManagement, afterControl, afterPage, afterScript] = JSON.parse(stdout) as (string | false)[];
  expect([afterManagement, afterControl, afterScript]).toEqual([false, false, 'rolldown']);
  expect(afterPage).toContain('get-console');
});
