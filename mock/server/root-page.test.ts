import { expect, test } from 'vitest';
import { surfaces } from '../../spec/openapi-document.ts';
import { startMock, type MockOptions } from '../start-mock.ts';

async function getRoot(options: MockOptions = {}, accept = '*/*') {
  await using mock = await startMock(options);
  const response = await fetch(mock.addresses.host, { headers: { accept } });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text(), mock };
}

test('GET / says where the console, the reference, the credentials and the documents are', async () => {
  const { status, text, mock } = await getRoot();
  const { host, management } = mock.addresses;
  expect([status, JSON.parse(text)]).toEqual([
    200,
    {
      message: 'This is a mock.',
      management,
      console: `${host}/_mock/`,
      reference: `${host}/_mock/docs`,
      target: `${host}/_mock/target`,
      documents: {
        management: `${host}/_mock/docs/management.json`,
        host: `${host}/_mock/docs/host.json`,
        inference: `${host}/_mock/docs/inference.json`,
        sandbox: `${host}/_mock/docs/sandbox.json`,
      },
    },
  ]);
});

test('a browser gets a page with links that work', async () => {
  await using mock = await startMock();
  await using world = await mock.newWorld({ id: 'other' });
  for (const { host } of [mock.addresses, world.addresses]) {
    const response = await fetch(`${host}/`, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    const links = [...(await response.text()).matchAll(/<a href="([^"]+)"/g)].map(
      ([, link = '']) => new URL(link, host),
    );
    expect(links.map(({ href }) => href)).toEqual(
      ['/_mock/', '/_mock/docs', '/_mock/target', ...surfaces.map((each) => `/_mock/docs/${each}.json`)].map(
        (path) => host + path,
      ),
    );
    for (const link of links) expect((await fetch(link)).status).toBe(200);
  }
});

test('/_mock/openapi.json lists the documents that / names', async () => {
  await using mock = await startMock();
  await using world = await mock.newWorld({ id: 'other' });
  for (const { host } of [mock.addresses, world.addresses]) {
    const { documents } = (await (await fetch(host)).json()) as { documents: Record<string, string> };
    expect(await (await fetch(`${host}/_mock/openapi.json`)).json()).toEqual({ documents });
    for (const url of Object.values(documents)) {
      const text = await (await fetch(url)).text();
      expect(JSON.parse(text)).toHaveProperty('openapi');
      // Its servers and examples name no other mock; 8765 is the port of a client.
      const others = [...text.matchAll(/http:\/\/127\.0\.0\.1:(?!8765\/callback)[^"\\]*/g)].filter(
        ([address]) => !address.startsWith(host),
      );
      expect(others.map(([other]) => other)).toEqual([]);
    }
  }
});

test('the request is recorded, and fault rules apply to it', async () => {
  await using mock = await startMock();
  await mock.faults.set([{ path: '/', status: 503, times: 1 }]);
  expect((await fetch(mock.addresses.host)).status).toBe(503);
  expect((await fetch(mock.addresses.host, { method: 'HEAD' })).status).toBe(200);
  expect((await mock.requests({ path: '/' })).map(({ status }) => status)).toEqual([503, 200]);
});

test('with only the documented operations, / is an unknown path', async () => {
  expect((await getRoot({ onlyDocumented: true })).status).toBe(404);
});

test('an upstream gets /', async () => {
  await using upstream = await startMock();
  const { text } = await getRoot({ upstream: upstream.addresses.host });
  expect(JSON.parse(text)).toMatchObject({ console: `${upstream.addresses.host}/_mock/` });
});

test('on the host name of a sandbox, / is an operation', async () => {
  await using mock = await startMock();
  const { request } = await import('undici');
  const { statusCode } = await request(mock.addresses.host, {
    headers: { host: new URL(mock.target.addresses.sandbox ?? '').host },
  });
  expect(statusCode).toBe(401);
});
