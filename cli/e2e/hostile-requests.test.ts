/** Hostile requests cause no server error and no hang, other clients are still served, and the mock keeps its memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sampleSize } from './testing/sample-size.ts';

const script = path.join(import.meta.dirname, '../dev/hostile.ts');
/** Much longer than 250 ms, so that the test does not depend on the speed of the machine. */
const MAX_P99_MS = 30_000;

async function attack(...words: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

test('hostile requests of five kinds exceed no limit', async () => {
  const requests = sampleSize(2000, 100_000);
  const { code, output } = await attack('--requests', String(requests), '--seed', '1', '--max-p99', String(MAX_P99_MS));
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('No limit was exceeded.') });
  for (const kind of ['operations', 'control API', 'malformed bytes', 'slow clients', 'pipelining'])
    expect(output).toContain(`| ${kind} | ${requests / 5} | 0 |`);
});

test('a run can begin in the middle', async () => {
  const words = ['--requests', '500', '--seed', '2', '--from', '440'];
  const { code, output } = await attack(...words, '--max-p99', String(MAX_P99_MS));
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('| pipelining | 60 | 0 |') });
  expect(output).toContain('npm run hostile -- --requests 500 --seed 2 --from 440');
  expect(output).not.toContain('| operations |');
});
