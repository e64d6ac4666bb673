import http from 'node:http';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { requirement } from '../../spec/requirements/index.ts';
import { createRun } from '../engine/run.ts';
import { newTally } from '../engine/tally.ts';
import { listening } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';
import { observeIdleWatch } from './idle-watch.ts';

/** What each watch sends, and when: seconds after its request. */
type Lines = readonly (readonly [seconds: number, line: string])[];

async function sandboxWhoseWatchesSend(lines: Lines) {
  const server = http.createServer((request, response) => {
    if (request.url?.startsWith('/watch/') !== true) {
      const listing = { name: 'a', path: '/a', files: [], subdirectories: [] };
      response.writeHead(200, { 'content-type': 'application/json' });
      return void request.resume().on('end', () => response.end(JSON.stringify(listing)));
    }
    response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders();
    for (const [seconds, line] of lines) void wait(seconds * 1000).then(() => response.write(`${line}\n`));
  });
  return listening(server);
}

async function keepAliveLines(lines: Lines): Promise<unknown> {
  await using server = await sandboxWhoseWatchesSend(lines);
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const settings = {
    allow: 'write',
    ledgerFile,
    target: { resources: { sandbox: 'box' } },
    patienceSeconds: 3,
  } as const;
  const { context, close } = openTestContext({ address: server.address, ...settings });
  const tally = newTally();
  await observeIdleWatch(createRun(requirement('sandbox.undocumented.answers'), context, tally));
  await close();
  return tally.observations.find(({ what }) => what === 'keep-alive lines')?.value;
}

test.concurrent.each<[string, Lines, unknown]>([
  ['a line on opening keeps nothing alive', [[0, ': connected']], undefined],
  [
    'nor do two lines on opening',
    [
      [0, 'data: hello'],
      [0.01, 'data: hello'],
    ],
    undefined,
  ],
  [
    'a line that comes twice does',
    [
      [0.2, ': ping 1'],
      [1.2, ': ping 2'],
    ],
    { line: ': ping 0', everySeconds: 1 },
  ],
  [
    'also after a greeting',
    [
      [0, 'hello'],
      [0.3, 'ping'],
      [2.3, 'ping'],
    ],
    { line: 'ping', everySeconds: 2 },
  ],
  [
    'also if it is the greeting',
    [
      [0, ':'],
      [2, ':'],
    ],
    { line: ':', everySeconds: 2 },
  ],
  [
    'and so does one that could not come again in time',
    [
      [0, 'hello'],
      [2, 'ping'],
    ],
    { line: 'ping', everySeconds: 2 },
  ],
])('%s', async (_, lines, observed) => {
  expect(await keepAliveLines(lines)).toEqual(observed);
});
