import http from 'node:http';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listening } from '../../testing/local-server.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { watchInput, watchPath } from './watch-path.ts';

/** A sandbox whose tree requests are below `root`, whose watches need absolute paths, and whose listings have this path. */
async function sandboxAt(root: string, listedPath: (absolute: string) => string) {
  const server = http.createServer((request, response) => {
    const [, area, rest = ''] = /^\/(filesystem\/tree|watch\/filesystem)\/(.*)$/.exec(request.url ?? '') ?? [];
    const given = decodeURIComponent(rest);
    request.resume().on('end', () => {
      if (area?.startsWith('watch') === true) {
        const isFound = given.startsWith(`${root}/tmp/`);
        response.writeHead(isFound ? 200 : 404, { 'content-type': 'text/plain' }).flushHeaders();
        return void (isFound ? response.write('any\n') : response.end());
      }
      const listing = {
        name: path.basename(given),
        path: listedPath(`${root}/${given}`),
        files: [],
        subdirectories: [],
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(listing));
    });
  });
  return listening(server);
}

test.each(['', '/', '//'])('an absolute watch is below the root of a listing whose path ends with %j', async (end) => {
  await using server = await sandboxAt('/home/u', (absolute) => `${absolute}${end}`);
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const target = { resources: { sandbox: 'box' } };
  const run = openTestRun({ address: server.address, allow: 'write', ledgerFile, target });
  expect(await watchPath(run)).toBe('absolute');
  expect(await watchInput(run, 'tmp/a')).toMatchObject({ path: { path: '/home/u/tmp/a' } });
});
