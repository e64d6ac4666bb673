/** The command ends in time against a hostile target, within 512 MiB, with a complete report: `npm run nightly` prints the table. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readReport } from '../../reports/read-report.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { behaviours } from './testing/hostile-behaviours.ts';
import { hostileServer } from './testing/hostile-server.ts';
import { newFolder, onlyThese, run, targetFile } from './testing/assay-process.ts';
import { measureMemory } from './testing/peak-memory.ts';
import { isNightly } from './testing/sample-size.ts';

/**
 * `--time`, and what the inputs that began before may take: two attempts of 30 s or one of 60 s for a request, the same for a
 * second request after it, such as the end of a session, and the report.
 */
const TIME_SECONDS = 20;
const MAX_SECONDS = TIME_SECONDS + 140;
const MAX_MEBIBYTES = 512;

/** Those that end soon, of different kinds. */
const sample = ['a body of 100 MB', 'escape sequences', '429 for a year'];
const tested = isNightly ? Object.keys(behaviours) : sample;
/** In `npm test` a few rules, of different areas. */
const few = ['accounts.*', 'metrics.pagination.*', 'oauth.token.*', 'inference.agents.*'];
const selected = isNightly ? [] : onlyThese(...few);
const files = ['badge.json', 'exchanges.ndjson', 'junit.xml', 'observations.json', 'report.html', 'summary.md'];

/** A table, row by row, because it takes long. */
function print(...cells: readonly (string | number | null)[]): void {
  if (isNightly) process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

beforeAll(() => {
  print('target', 'seconds', 'exit code', 'MiB', 'verdicts');
  print('---', '---:', '---:', '---:', '---');
});

test.each(tested)('assay test against a target with %s', async (name) => {
  await using server = await hostileServer(behaviours[name]!, { probes: 1 });
  const target = targetFile({
    addresses: { management: `${server.address}/v0`, inference: server.address, sandbox: server.address },
    account: 'acc-1',
    workspace: 'demo',
    credentials: { admin: { value: 'marked-admin-secret' } },
    client: { id: { value: 'client' }, secret: { value: 'marked-client-secret' } },
    resources: { agent: 'demo-agent', model: 'demo-model', integration: 'github', sandbox: 'demo-box' },
    allow: 'read',
  });
  const folder = path.join(newFolder(), 'report');
  const words = ['test', '--target', target, '--report', folder, '--time', `${TIME_SECONDS}s`, '--patience', '2'];
  let memory: ReturnType<typeof measureMemory> | undefined;
  const started = performance.now();
  const { code, out } = await run([...words, '--seed', '1', ...selected], {
    onStart: ({ pid = 0 }) => (memory = measureMemory(pid)),
  });
  const seconds = (performance.now() - started) / 1000;
  const mebibytes = memory?.stop() ?? 0;
  const { run: facts, summary, requirements: results } = readReport(folder);
  const { passed, failed, notTried, observed, error } = summary;
  const counts = { passed, failed, 'not tried': notTried, observed, error };
  const verdicts = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`);
  print(name, seconds.toFixed(1), code, Math.round(mebibytes), verdicts.join(', '));

  expect({ code, complete: facts.complete }).toEqual({ code: expect.toBeOneOf([1, 3]) as number, complete: true });
  expect(results).toHaveLength(requirements.length);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(files));
  expect(seconds).toBeLessThan(MAX_SECONDS);
  expect(mebibytes).toBeLessThan(MAX_MEBIBYTES);
  expect(out).not.toMatch(/marked-(?:admin|client)-secret/);
});
