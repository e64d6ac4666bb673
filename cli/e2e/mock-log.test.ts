/** What a served mock prints while it runs: requests, and that it loaded its world file again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MockTarget } from '../../mock/world/target.ts';
import { assay } from './testing/assay-process.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'assay-log-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** `stop` resolves to everything on standard output; `nextLine` to the next line on standard error. */
async function startServed(...flags: string[]) {
  const child = spawn(process.execPath, [assay, 'mock', '--port', '0', '--json', ...flags], { cwd: folder });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const lines = createInterface(child.stderr)[Symbol.asyncIterator]();
  const ended = once(child, 'close');
  while (!output.includes('\n')) await once(child.stdout, 'data');
  const { target } = JSON.parse(output) as { target: MockTarget };
  const get = (address: string) =>
    fetch(address, { headers: { authorization: `Bearer ${target.credentials.apiKey.value}` } });
  return {
    target,
    get,
    nextLine: async () => String((await lines.next()).value),
    stop: async () => {
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      return output;
    },
  };
}

test('each request is a line on standard error, also of other worlds; standard output stays one line', async () => {
  const { target, get, nextLine, stop } = await startServed();
  const { management, host } = target.addresses;
  await get(`${management}/agents?limit=2`);
  expect(await nextLine()).toMatch(/^GET \/v0\/agents\?limit=2 200 [\d.]+ ms$/);
  await get(`${management}/agents/nobody`);
  expect(await nextLine()).toMatch(/^GET \/v0\/agents\/nobody 404 [\d.]+ ms: .*nobody/);
  await fetch(`${host}/_mock/worlds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"id":"other"}',
  });
  await get(`${host}/_mock/w/other/v0/agents?api_key=s3cret`);
  expect(await nextLine()).toMatch(/^GET \/_mock\/w\/other\/v0\/agents\?api_key=\[redacted\] \d+ [\d.]+ ms/);
  expect((await stop()).match(/\n/g)).toHaveLength(1);
});

test('with --quiet nothing is logged', async () => {
  const { target, get, nextLine, stop } = await startServed('--quiet');
  await get(`${target.addresses.management}/agents`);
  await stop();
  expect(await nextLine()).toBe('undefined');
});

test('with --watch, a changed world file is loaded; an invalid one is reported, and the world stays', async () => {
  const file = path.join(folder, 'world.yaml');
  const write = (plan: string): void => {
    writeFileSync(
      `${file}.new`,
      `extends: default\naccounts:\n  - { id: acc-demo, displayName: Demo, plan: ${plan} }\n  - { id: acc-other, displayName: Other, plan: free }\n`,
    );
    renameSync(`${file}.new`, file);
  };
  write('first');
  const { target, get, nextLine, stop } = await startServed('--quiet', '--watch', '--world', 'world.yaml');
  const plan = async () =>
    ((await (await get(`${target.addresses.management}/accounts`)).json()) as [{ plan: string }])[0].plan;
  expect(await plan()).toBe('first');
  write('second');
  expect(await nextLine()).toBe('Reloaded world.yaml: the mock has its world now.');
  expect(await plan()).toBe('second');
  writeFileSync(file, 'extends: default\nresourcs: []\n');
  expect(await nextLine()).toMatch(
    /^Not reloaded, the mock keeps its world: --world: world\.yaml: .*resourcs.* Did you mean "resources"[^?]*\?$/,
  );
  expect(await plan()).toBe('second');
  write('third');
  expect(await nextLine()).toBe('Reloaded world.yaml: the mock has its world now.');
  expect(await plan()).toBe('third');
  await stop();
});
