/** `assay doctor` and `assay init` end in time against a target that is broken in ways nobody planned, with readable output. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseTargetFile } from '../../suites/target/target-file.ts';
import { newFolder, run } from './testing/assay-process.ts';
import { behaviours, respond } from './testing/hostile-behaviours.ts';
import type { Behaviour } from './testing/hostile-behaviours.ts';
import { hostileServer } from './testing/hostile-server.ts';
import { sampleSize } from './testing/sample-size.ts';

const list = (...names: string[]): Behaviour =>
  respond(JSON.stringify(names.map((name) => ({ id: name, name, metadata: { name, workspace: name, url: name } }))));

const probed: Readonly<Record<string, Behaviour>> = {
  ...behaviours,
  'names with line breaks': list('a\nallow: destroy', 'b\r\n::error::x', 'c\u2028d'),
  'names with escape sequences': list('\u001b[2J', 'a\u0007', 'b\u009b31m', '\u202eabc'),
  'very long names': list('x'.repeat(1_000_000)),
  'names with half characters': list('\ud800', 'a\udfff'),
  'names that refer to variables': list('${SVC_API_KEY}', '$SVC_API_KEY', '`id`', '../../etc/passwd'),
  'Retry-After of years': respond('{}', { status: '503 X', headers: 'Retry-After: 999999999999\r\n' }),
};

/** They take half a minute each: no byte arrives, or bytes arrive all the time. */
const slow = ['a byte now and then', 'a header byte now and then', 'no response', 'status 100 forever'];
const tested = ['an endless body', 'a redirect to itself', '401 to everything', '429 for a year', 'a deep object'];
const added = Object.keys(probed).filter((name) => !(name in behaviours));
const others = Object.keys(probed).filter((name) => ![...tested, ...added, ...slow].includes(name));
const names = [
  ...tested,
  'escape sequences',
  ...added,
  ...[...others, ...slow].slice(0, sampleSize(0, others.length + slow.length)),
];

/** Of the longest allowed time for one complete response, and some more. */
const MAX_SECONDS = 90;
// oxlint-disable-next-line no-control-regex -- They are what must not be printed.
const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/;
const env = { SVC_API_KEY: 'marked-api-key-secret' };

test.each([...new Set(names)])(
  'assay doctor and assay init end against a target with %s',
  { timeout: 200_000 },
  async (name) => {
    await using server = await hostileServer(probed[name]!, { probes: 0 });
    const address = ['--base-url', `${server.address}/v0`];
    const cwd = newFolder();
    const started = performance.now();
    const [doctor, init] = await Promise.all([
      run(['doctor', ...address], { env }),
      run(['init', ...address], { env, cwd }),
    ]);
    expect((performance.now() - started) / 1000).toBeLessThan(MAX_SECONDS);
    expect(doctor.out).toMatch(/^(?:passed|failed) +addresses\.management .*\n[^]*\d+ checks: /);
    for (const { out, code } of [doctor, init]) {
      expect([0, 1, 2, 3]).toContain(code);
      expect(out).not.toMatch(raw);
      expect(out).not.toContain('marked');
      expect(out).not.toMatch(/^ +at .*\.ts:\d/m);
      expect(out.length).toBeLessThan(20_000);
    }
    if (init.code !== 0) return;
    const text = readFileSync(path.join(cwd, 'assay.target.yaml'), 'utf8');
    expect(text).not.toMatch(raw);
    expect(parseTargetFile(text, 'the file', { environment: env }).allow).toBe('read');
  },
);
