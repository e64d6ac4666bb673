import http from 'node:http';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { brokenByOther } from '../../spec/missing-operation.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { listening } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE = 'sandbox.watch.every-write-a-line';

/** A sandbox whose watches report a file at most once in so many milliseconds, or nothing. */
async function sandboxWith(gapMs: number | 'silent') {
  const watches = new Map<http.ServerResponse, string>();
  const reportedAt = new Map<string, number>();
  const report = (file: string): void => {
    if (gapMs === 'silent' || performance.now() < (reportedAt.get(file) ?? -Infinity) + gapMs) return;
    reportedAt.set(file, performance.now());
    for (const [response, directory] of watches) if (path.dirname(file) === directory) response.write(`${file}\n`);
  };
  const server = http.createServer(async (request, response) => {
    const [, area, rest = ''] = /^\/(filesystem\/tree|watch\/filesystem)\/?(.*)$/.exec(request.url ?? '') ?? [];
    const directory = path.join('/', decodeURIComponent(rest));
    if (area?.startsWith('watch') === true) {
      watches.set(response, directory);
      response.on('close', () => watches.delete(response));
      response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders();
      return;
    }
    const sent = await text(request);
    const { files = {} } = JSON.parse(sent === '' ? '{}' : sent) as { files?: object };
    for (const name of Object.keys(files)) report(path.join(directory, name));
    const listing = { name: path.basename(directory), path: directory, files: [], subdirectories: [] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(listing));
  });
  return listening(server);
}

interface Settings {
  readonly patienceSeconds?: number;
  readonly operations?: readonly OperationId[];
}

async function resultWith(
  gapMs: number | 'silent',
  { patienceSeconds = 2, operations }: Settings = {},
): Promise<RuleResult> {
  await using server = await sandboxWith(gapMs);
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const target = { resources: { sandbox: 'box' }, ...(operations && { operations }) };
  const settings = { allow: 'write', ledgerFile, target, patienceSeconds } as const;
  const { context, close } = openTestContext({ address: server.address, ...settings });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, { ...context, maxRounds: 1 });
  await close();
  return result;
}

test.each([
  [200, 'passed'],
  [60_000, 'failed'],
])('a watch may report a file only once in %d ms: %s', async (gapMs, verdict) => {
  expect(await resultWith(gapMs)).toMatchObject({ verdict });
});

test('the failure of a silent watch says how long its lines were awaited', async () => {
  const { counterexample } = await resultWith('silent', { patienceSeconds: 5 });
  expect(counterexample?.waitedSeconds).toBeGreaterThanOrEqual(5);
});

test.each(['silent', 60_000] as const)(
  'missing lines are the fault of the watch, whichever operations are declared (gap: %s)',
  async (gapMs) => {
    expect(await resultWith(gapMs, { operations: ['watchDirectory'] })).toMatchObject({ verdict: 'failed' });
    expect(await resultWith(gapMs, { operations: ['writeTree'] })).toMatchObject({
      verdict: 'not-tried',
      reason: brokenByOther('GET /watch/filesystem/{path}', 200),
    });
  },
);
