import http from 'node:http';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { requirement } from '../../spec/requirements/index.ts';
import { matchesGlob } from '../../spec/wildcard.ts';
import { createRun } from '../engine/run.ts';
import { newTally } from '../engine/tally.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { listening } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';
import { observeIgnored } from './ignored-files.ts';
import { patienceOf } from './watch.ts';

/** Whether a watch with this query does not report the file; 'refused' if there is no such watch. */
type Ignores = (name: string, query: URLSearchParams) => boolean | 'refused';

async function sandboxThat(ignores: Ignores) {
  const watches = new Map<http.ServerResponse, readonly [directory: string, query: URLSearchParams]>();
  const server = http.createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://any');
    const [, area, rest = ''] = /^\/(filesystem\/tree|watch\/filesystem)\/?(.*)$/.exec(pathname) ?? [];
    const directory = path.join('/', decodeURIComponent(rest));
    if (area?.startsWith('watch') === true) {
      if (ignores('any', searchParams) === 'refused') return void response.writeHead(400).end();
      watches.set(response, [directory, searchParams]);
      response.on('close', () => watches.delete(response));
      return response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders();
    }
    const { files = {} } = JSON.parse((await text(request)) || '{}') as { files?: object };
    for (const name of Object.keys(files))
      for (const [watch, [watched, query]] of watches)
        if (directory === watched && ignores(name, query) === false) watch.write(`${directory}/${name}\n`);
    const listing = { name: path.basename(directory), path: directory, files: [], subdirectories: [] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(listing));
  });
  const opened: string[] = [];
  server.prependListener('request', ({ url = '' }) => void (url.includes('?') && opened.push(url)));
  return { ...(await listening(server)), opened };
}

/** What is observed, without `a watch with ?`, and how many watches that takes. */
async function observed(ignores: Ignores) {
  await using server = await sandboxThat(ignores);
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const target = { resources: { sandbox: 'box' } };
  const { context, close } = openTestContext({ address: server.address, allow: 'write', ledgerFile, target });
  const tally = newTally();
  const run = createRun(requirement('sandbox.undocumented.answers'), context, tally);
  await observeIgnored(run, patienceOf(run), await newWritableDirectory(run));
  await close();
  const values = tally.observations.map(({ what, value }) => [what.replace('a watch with ?', ''), value]);
  return { values: Object.fromEntries(values) as Record<string, unknown>, watchCount: server.opened.length };
}

const glob = (name: string, pattern: string | null): boolean => pattern !== null && matchesGlob(name, pattern);
const part = (name: string, pattern: string): boolean => pattern !== '' && name.includes(pattern);
const none = { ignorePatterns: [], ignore_patterns: [], exclude: [], excludePatterns: [], patterns: [] };

test.each<[string, Ignores, readonly string[], number]>([
  ['one glob', (name, query) => glob(name, query.get('ignore')), ['exact name', 'glob'], 6],
  [
    'repeated parameters',
    (name, query) => query.getAll('ignore').some((each) => part(name, each)),
    ['exact name', 'extension', 'prefix', 'part of a name'],
    6,
  ],
  [
    'a list of globs',
    (name, query) => (query.get('ignore') ?? '').split(',').some((each) => glob(name, each)),
    ['exact name', 'glob'],
    2,
  ],
  ['only exact names', (name, query) => query.get('ignore') === name, ['exact name'], 6],
  ['no such parameter', () => false, [], 2],
])('a server with %s is observed as it is', async (_, ignores, ignore, watchCount) => {
  expect(await observed(ignores)).toEqual({ values: { ignore, ...none }, watchCount });
});

test('a parameter of which a pattern is refused is not observed, so that nothing takes it for one without patterns', async () => {
  const { values } = await observed((name, query) =>
    [...query.values()].some((value) => value.includes('*') || value.includes(','))
      ? 'refused'
      : query.get('ignore') === name,
  );
  expect(values).toEqual({});
});
