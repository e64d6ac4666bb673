/** What is asked of which address when a document refers to others. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { localProxy } from '../../suites/testing/local-proxy.ts';
import { lintDocument } from './lint-document.ts';
import { readDocument } from './read-source.ts';

type Page = { text: string } | { location: string } | { status: number };

/** Pages by path, and the paths that were asked for. */
async function startSite() {
  const pages = new Map<string, Page>();
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    requestedPaths.push(request.url ?? '');
    const page = pages.get(request.url ?? '') ?? { status: 404 };
    if ('location' in page) response.writeHead(302, { location: page.location }).end();
    else if ('text' in page) response.writeHead(200).end(page.text);
    else response.writeHead(page.status).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, pages, requestedPaths: requestedPaths, close: () => server.close() };
}

type Site = Awaited<ReturnType<typeof startSite>>;
let [own, other]: Site[] = [];
const folder = mkdtempSync(path.join(tmpdir(), 'assay-addresses-'));

beforeAll(async () => {
  [own, other] = await Promise.all([startSite(), startSite()]);
});
beforeEach(() => {
  for (const site of sites()) {
    site.pages.clear();
    site.requestedPaths.length = 0;
  }
});
afterAll(() => {
  for (const site of sites()) site.close();
  rmSync(folder, { recursive: true });
});

function sites(): [Site, Site] {
  if (own === undefined || other === undefined) throw new Error('The sites are not up.');
  return [own, other];
}

const documentWith = (reference: string) =>
  `openapi: 3.1.0\ninfo: {}\npaths: {}\ncomponents: { schemas: { A: { $ref: '${reference}' } } }\n`;
const part = 'A: { type: array, description: A. }\n';

async function lint(name: string): Promise<string[]> {
  const { findings } = await lintDocument(await readDocument(name));
  return findings.map(({ rule, source, message }) => `${source} ${rule}: ${message}`);
}

test('references of an address lead on within its origin', async () => {
  const [site] = sites();
  site.pages.set('/api/api.yaml', { text: documentWith('../parts.yaml#/A') }).set('/parts.yaml', { text: part });
  expect(await lint(`${site.origin}/api/api.yaml`)).toEqual([
    expect.stringMatching(new RegExp(`^${site.origin}/parts.yaml open-shape-marked`)),
  ]);
});

test('another origin is not requested', async () => {
  const [site, foreign] = sites();
  site.pages.set('/api.yaml', { text: documentWith(`${foreign.origin}/parts.yaml#/A`) });
  foreign.pages.set('/parts.yaml', { text: part });
  expect(await lint(`${site.origin}/api.yaml`)).toEqual([expect.stringContaining(`not of the origin ${site.origin}`)]);
  expect(foreign.requestedPaths).toEqual([]);
});

test('a reference does not lead to another origin by a redirect either', async () => {
  const [site, foreign] = sites();
  site.pages.set('/api.yaml', { text: documentWith('parts.yaml#/A') });
  site.pages.set('/parts.yaml', { location: `${foreign.origin}/parts.yaml` });
  expect(await lint(`${site.origin}/api.yaml`)).toEqual([expect.stringContaining('is not followed')]);
  expect(foreign.requestedPaths).toEqual([]);
});

test('the document itself may be elsewhere, and its references are of that place', async () => {
  const [site, foreign] = sites();
  site.pages.set('/api.yaml', { location: `${foreign.origin}/v1/api.yaml` });
  foreign.pages.set('/v1/api.yaml', { text: documentWith('parts.yaml#/A') }).set('/v1/parts.yaml', { text: part });
  expect(await lint(`${site.origin}/api.yaml`)).toHaveLength(1);
  expect(foreign.requestedPaths).toEqual(['/v1/api.yaml', '/v1/parts.yaml']);
});

test('an address that leads on without end is given up', async () => {
  const [site] = sites();
  site.pages.set('/api.yaml', { location: '/api.yaml' });
  await expect(readDocument(`${site.origin}/api.yaml`)).rejects.toThrow('not followed');
});

test('an address does not refer to files', async () => {
  const [site] = sites();
  site.pages.set('/api.yaml', { text: documentWith('file:///etc/hostname#/A') });
  expect(await lint(`${site.origin}/api.yaml`)).toEqual([expect.stringContaining('cannot be followed')]);
});

test('a file does not refer to addresses', async () => {
  const [site] = sites();
  writeFileSync(path.join(folder, 'api.yaml'), documentWith(`${site.origin}/parts.yaml#/A`));
  expect(await lint(path.join(folder, 'api.yaml'))).toEqual([
    expect.stringContaining('A file may only refer to files'),
  ]);
  expect(site.requestedPaths).toEqual([]);
});

test('an address with another response is rejected', async () => {
  const [site] = sites();
  site.pages.set('/api.yaml', { status: 403 });
  await expect(readDocument(`${site.origin}/api.yaml`)).rejects.toThrow('status 403');
});

test('a password in an address is neither sent nor printed', async () => {
  const [site] = sites();
  const address = site.origin.replace('//', '//user:hunter2@');
  await expect(readDocument(`${address}/api.yaml`)).rejects.toThrow(/^((?!hunter2).)*$/);
  expect(site.requestedPaths).toEqual([]);
});

test('a document is read through the proxy of the environment', async () => {
  await using proxy = await localProxy();
  const [site] = sites();
  site.pages.set('/openapi.yaml', { text: 'openapi: 3.1.0' });
  const address = `http://docs.example:${new URL(site.origin).port}/openapi.yaml`;
  vi.stubEnv('HTTP_PROXY', proxy.address);
  try {
    expect((await readDocument(address)).text).toBe('openapi: 3.1.0');
  } finally {
    vi.unstubAllEnvs();
  }
  expect(proxy.received).toEqual([`GET ${address}`]);
});

test('an invalid proxy is not blamed on the server', async () => {
  vi.stubEnv('HTTP_PROXY', 'no proxy');
  try {
    await expect(readDocument('http://docs.example/openapi.yaml')).rejects.toThrow(/^Invalid value of HTTP_PROXY/);
  } finally {
    vi.unstubAllEnvs();
  }
});
