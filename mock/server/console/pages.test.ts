import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { startMock } from '../../start-mock.ts';

const closed = await startMock({ seed: 3, controlToken: 'open-sesame', brand: 'Acme' });
const { host } = closed.addresses;

afterAll(() => closed.close());

const ask = (path: string, headers: Record<string, string> = {}) => fetch(host + path, { headers, redirect: 'manual' });
const withToken = { authorization: 'Bearer open-sesame' };

test.each(['/_mock/', '/_mock/docs', '/_mock/console/style.css', '/_mock/docs/inference.json'])(
  'the page %s comes without the control token and holds nothing of the world',
  async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    for (const { value } of [closed.target.credentials.admin, closed.target.credentials.apiKey])
      expect(text).not.toContain(value);
    expect(text).not.toContain('acc-demo');
  },
);

test.each(['/_mock/target', '/_mock/resources', '/_mock/worlds', '/_mock/requests', '/_mock/console/x/target'])(
  'what is behind the pages stays closed: %s',
  async (path) => expect((await ask(path)).status).toBe(401),
);

test.each([
  ['/_mock/', "style-src 'self'"],
  ['/_mock/docs', "style-src 'self' 'unsafe-inline'"],
])('the policy of %s lets it fetch from this mock alone', async (path, style) => {
  const policy = (await ask(path)).headers.get('content-security-policy')?.split('; ');
  expect(policy?.sort()).toEqual(
    [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      style,
    ].sort(),
  );
});

test('the address without its slash leads to the console, of every world', async () => {
  const first = await ask('/_mock', withToken);
  expect([first.status, new URL(first.headers.get('location') ?? '', `${host}/_mock`).pathname]).toEqual([
    308,
    '/_mock/',
  ]);
  await fetch(`${host}/_mock/worlds`, { method: 'POST', headers: withToken });
  const other = await ask('/_mock/w/world-1/_mock', withToken);
  const location = new URL(other.headers.get('location') ?? '', `${host}/_mock/w/world-1/_mock`);
  expect(location.pathname).toBe('/_mock/w/world-1/_mock/');
});

test('a page under a foreign host name is refused where no token closes the mock', async () => {
  await using open = await startMock({ seed: 3 });
  const { port } = new URL(open.addresses.host);
  const request = get({ host: '127.0.0.1', port, path: '/_mock/', headers: { host: `evil.example:${port}` } });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(403);
});

test.each(['/_mock/console/bundle-page.ts', '/_mock/docs/..%2fpackage.json', '/_mock/docs/swagger-ui.js'])(
  'a file that is none of a page is not found: %s',
  async (path) => expect((await ask(path, withToken)).status).toBe(404),
);

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { flows?: Record<string, { tokenUrl: string }> }>>;
  };
}

test('the documents name this world as their server, and its brand', async () => {
  await fetch(`${host}/_mock/worlds`, {
    method: 'POST',
    headers: { ...withToken, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'docs' }),
  });
  const documentOf = async (path: string) => (await (await ask(path)).json()) as Document;
  const urlsOf = (root: string) =>
    Promise.all(
      ['management', 'host', 'inference', 'sandbox'].map(
        async (surface) => (await documentOf(`${root}/_mock/docs/${surface}.json`)).servers[0]?.url,
      ),
    );
  expect(await urlsOf('')).toEqual(['/v0', '/', '/', '/sandbox/{workspace}/{sandbox}']);
  const other = '/_mock/w/docs';
  expect(await urlsOf(other)).toEqual([`${other}/v0`, other, other, `${other}/sandbox/{workspace}/{sandbox}`]);
  const document = await documentOf(`${other}/_mock/docs/management.json`);
  expect(document.components.securitySchemes['oauth']?.flows?.['clientCredentials']?.tokenUrl).toBe(
    `${other}/oauth/token`,
  );
  expect(JSON.stringify(document)).toContain('X-Acme-Workspace');
});

const startMockUrl = new URL('../../start-mock.ts', import.meta.url).href;

/** Prints whether the bundler is loaded after a management call, after the page and after its script. */
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
  const said = [];
  for (const path of ['/v0/agents', '/_mock/requests', '/_mock/', '/_mock/console/script.js']) {
    await (await fetch(mock.addresses.host + path)).text();
    said.push(loaded);
  }
  await mock.close();
  console.log(JSON.stringify(said));
`;

test('nothing of the pages is loaded before one is looked at, and the bundler only for its script', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const [managed, steered, looked, bundled] = JSON.parse(stdout) as (string | false)[];
  expect([managed, steered, bundled]).toEqual([false, false, 'rolldown']);
  expect(looked).toContain('get-console');
});
