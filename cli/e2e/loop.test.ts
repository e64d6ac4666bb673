/** The loop of somebody who writes a server: --watch, --failed, --bail, and what follows from the latest report. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { Report } from '../../spec/verdicts.ts';
import { DEFAULT_PATIENCE_SECONDS } from '../../suites/engine/open-run.ts';
import { newFolder, onlyThese, run } from './testing/assay-process.ts';

const RULE = 'metrics.resolution.hourly-cap';
const OTHER = 'metrics.resolution.explicit-echoed';
const cwd = newFolder();
const file = path.join(cwd, 'target.json');
const latest = (): Report => {
  const folders = readdirSync(path.join(cwd, 'reports/out')).map((name) => path.join(cwd, 'reports/out', name));
  const reports = folders.map((each) => JSON.parse(readFileSync(path.join(each, 'report.json'), 'utf8')) as Report);
  return reports.toSorted((one, other) => one.run.startedAt.localeCompare(other.run.startedAt)).at(-1)!;
};
const selectedIn = ({ requirements }: Report): string[] =>
  requirements.filter(({ reason }) => reason !== 'skipped by --only or --skip').map(({ id }) => id);
const assayTest = (...words: string[]) => run(['test', '--target', file, ...words], { cwd });
/** With one port for all mocks, as a server that restarts has. */
const start = async (deviate: string[], port = 0) => {
  const mock = await startMock({ port, deviate });
  writeFileSync(file, JSON.stringify({ ...mock.target, name: 'mine', allow: 'read' }));
  return mock;
};
const portOf = (address: string): number => Number(new URL(address).port);

/** The port of all mocks, as that of a server that restarts. */
let port = 0;

beforeAll(async () => {
  await using mock = await start([]);
  port = portOf(mock.addresses.management);
});

test('--failed without a report is a usage error, and then tests the rules that failed', async () => {
  await using _ = await start([RULE], port);
  const without = await assayTest('--failed');
  expect([without.code, without.out]).toEqual([2, expect.stringContaining('no report of mine was found')]);
  expect((await assayTest(...onlyThese(RULE, OTHER), '--runs', '5')).code).toBe(1);
  const { code } = await assayTest('--failed', '--runs', '5');
  expect([code, selectedIn(latest())]).toEqual([1, [RULE]]);
});

test('the last line and `assay diff` say what has changed', async () => {
  await using _ = await start([], port);
  const { code, out } = await assayTest('--failed');
  expect([code, selectedIn(latest())]).toEqual([0, [RULE]]);
  expect(out).toMatch(/1 passed \(\+1\), 0 failed \(−1\)/);
  const diff = await run(['diff'], { cwd });
  expect([diff.code, diff.out]).toEqual([0, expect.stringContaining(`Fixed (1)\n  ${RULE}\n`)]);
  const again = await assayTest('--failed');
  expect([again.code, again.out]).toEqual([2, expect.stringContaining('none of the selected rules failed')]);
});

/** Writes and waits. */
const WAITING_RULE = 'agents.enabled.false-does-not-serve';

test('`assay replay RULE` takes the latest report, its target, its allow level and its patience', async () => {
  await using _ = await start([WAITING_RULE], port);
  const words = onlyThese(WAITING_RULE);
  const { out } = await assayTest(...words, '--patience', '7', '--allow', 'write', '--quick');
  expect(out).toMatch(
    new RegExp(`replay +npx --no assay replay .* ${WAITING_RULE} --target .* --allow write --patience 7`),
  );
  const replayAgain = async () => {
    const { code, out: text } = await run(['replay', WAITING_RULE], { cwd });
    const [, waitedSeconds] = /^ *waited +(\d+) s/m.exec(text) ?? [];
    return { code, text, waitedSeconds: Number(waitedSeconds) };
  };
  const failsAgain = { code: 1, text: expect.stringContaining(`failed ${WAITING_RULE}`) as string };
  const again = await replayAgain();
  expect(again).toMatchObject(failsAgain);
  // Not as long as a run without --patience waits.
  expect(again.waitedSeconds).toBeGreaterThanOrEqual(7);
  expect(again.waitedSeconds).toBeLessThan(DEFAULT_PATIENCE_SECONDS / 2);
  // A run that did not reach the rule hides no failure of an earlier one.
  const { requirements: results, ...report } = latest();
  const cut = results.map(({ counterexample: __, ...result }) => ({
    ...result,
    verdict: 'not-tried',
    missing: 'time',
  }));
  mkdirSync(path.join(cwd, 'reports/out/cut'));
  writeFileSync(path.join(cwd, 'reports/out/cut/report.json'), JSON.stringify({ ...report, requirements: cut }));
  expect(await replayAgain()).toMatchObject(failsAgain);
  const unknown = await run(['replay', 'metrics.no.such-rule'], { cwd });
  expect([unknown.code, unknown.out]).toEqual([
    2,
    expect.stringContaining('No report in reports/out has a verdict of a rule'),
  ]);
  expect((await run(['replay'], { cwd })).code).toBe(2);
});

test('--bail leaves rules untried, and a known failure does not count', async () => {
  await using _ = await start([RULE], port);
  const words = [...onlyThese('metrics.resolution.*'), '--concurrency', '1', '--quick', '--bail', '1'];
  const { code, out } = await assayTest(...words);
  expect(code).toBe(1);
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(
    /The run stopped after \d+ failed rules? \(--bail\): \d+ rules? (was|were) not tried\./,
  );
  const known = path.join(cwd, 'known.yaml');
  const ids = latest()
    .requirements.filter(({ verdict }) => verdict === 'failed')
    .map(({ id }) => id);
  for (const accepted of [ids, ['getAccountMetrics']]) {
    writeFileSync(known, JSON.stringify(accepted.map((id) => ({ id, reason: 'later' }))));
    await assayTest(...words, '--known-failures', known);
    expect(latest().requirements.filter(({ missing }) => missing === 'bail')).toEqual([]);
  }
});

test('--watch tests again when the server has restarted, and Ctrl-C ends it', async () => {
  let mock = await start([RULE], port);
  let child: ChildProcess | undefined;
  let out = '';
  const seen = async (text: RegExp): Promise<void> => {
    await expect.poll(() => text.test(out), { timeout: 60_000, interval: 50 }).toBe(true);
  };
  const ended = run(['test', '--target', file, '--watch', ...onlyThese(RULE)], {
    cwd,
    onStart(started) {
      child = started;
      started.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    },
  });
  await seen(/0 passed.*1 failed[^]*Watching .*target\.json, the server at 127\.0\.0\.1/);
  await mock.close();
  // As long as a supervisor takes.
  await new Promise((resolve) => setTimeout(resolve, 500));
  out = '';
  mock = await start([], port);
  await seen(/Changed: [^]*1 passed \(\+1\), 0 failed \(−1\)[^]*Watching/);
  child?.kill('SIGINT');
  // That of the last run; 3 if Ctrl-C interrupts a further one.
  expect([0, 3]).toContain((await ended).code);
  await mock.close();
});

test('--watch reads the target file and the known failures again when they change', async () => {
  await using mock = await start([RULE], port);
  const known = path.join(cwd, 'watched-known.json');
  const list = (id: string) => writeFileSync(known, JSON.stringify([{ id, reason: 'later' }]));
  list(OTHER);
  let child: ChildProcess | undefined;
  let out = '';
  const ended = run(['test', '--target', file, '--watch', '--known-failures', known, ...onlyThese(RULE)], {
    cwd,
    onStart(started) {
      child = started;
      started.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    },
  });
  const seen = async (text: RegExp): Promise<void> => {
    await expect.poll(() => text.test(out), { timeout: 60_000, interval: 50 }).toBe(true);
  };
  await seen(/1 failed[^]*Watching /);
  list(RULE);
  await seen(/Changed: .*watched-known\.json[^]*0 failed.*1 known failure[^]*Watching /);
  out = '';
  writeFileSync(file, JSON.stringify({ ...mock.target, operations: ['getAccountMetrics'] }));
  await seen(/Changed: .*target\.json[^]*not implemented: \d+ operations[^]*Watching /);
  out = '';
  await using moved = await start([RULE]);
  await seen(new RegExp(`1 known failure[^]*Watching .*, the server at ${new URL(moved.addresses.management).host}`));
  child?.kill('SIGINT');
  expect((await ended).code).toBe(0);
});

test('with --watch, a verdict after a change comes in half the time of a first run, which also starts', async () => {
  await using _ = await start([], port);
  const source = path.join(cwd, 'server.ts');
  writeFileSync(source, '');
  let child: ChildProcess | undefined;
  /** When each line came, of those that begin a run and that end it. */
  const at = { changed: [] as number[], watching: [] as number[] };
  const startedMs = performance.now();
  const ended = run(['test', '--target', file, '--watch', source, ...onlyThese(RULE)], {
    cwd,
    onStart(started) {
      child = started;
      started.stdout?.on('data', (chunk: Buffer) => {
        if (/^Changed: /m.test(chunk.toString())) at.changed.push(performance.now());
        if (/^Watching /m.test(chunk.toString())) at.watching.push(performance.now());
      });
    },
  });
  const EDITS = 3;
  for (let edit = 1; edit <= EDITS; edit += 1) {
    await expect.poll(() => at.watching.length, { timeout: 60_000, interval: 20 }).toBe(edit);
    writeFileSync(source, `// ${edit}`);
  }
  await expect.poll(() => at.watching.length, { timeout: 60_000, interval: 20 }).toBe(EDITS + 1);
  child?.kill('SIGINT');
  expect((await ended).code).toBe(0);
  const [firstMs = 0, ...laterMs] = at.watching.map((end, index) => end - (at.changed[index - 1] ?? startedMs));
  expect(at.changed).toHaveLength(EDITS);
  // The fastest: other processes may use the processor meanwhile.
  expect(Math.min(...laterMs)).toBeLessThan(firstMs / 2);
});

/** Much longer than it takes to stop a run, also on a slow machine. */
const PATIENCE_SECONDS = 60;

test('with --watch, an edit stops a run that waits, which leaves nothing, but not the run that follows', async () => {
  await using mock = await start([WAITING_RULE], port);
  writeFileSync(file, JSON.stringify({ ...mock.target, name: 'mine', allow: 'write' }));
  const source = path.join(cwd, 'server.ts');
  writeFileSync(source, '');
  mkdirSync(path.join(cwd, 'reports/out'), { recursive: true });
  const folders = () => readdirSync(path.join(cwd, 'reports/out'));
  const foldersBefore = folders();
  let child: ChildProcess | undefined;
  let out = '';
  const words = ['--patience', String(PATIENCE_SECONDS), '--quick', ...onlyThese(WAITING_RULE)];
  const ended = run(['test', '--target', file, '--watch', source, ...words], {
    cwd,
    onStart(started) {
      child = started;
      started.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    },
  });
  const agents = new Set<string>();
  /** Until a run has called another agent, and polls for an effect that does not come. */
  const runWaits = async (): Promise<void> => {
    const countBefore = agents.size;
    const agentCount = async (): Promise<number> => {
      for (const { path: called } of await mock.requests({ method: 'POST' }))
        if (called.startsWith('/demo/agents/assay-')) agents.add(called);
      return agents.size;
    };
    await expect.poll(agentCount).toBeGreaterThan(countBefore);
  };
  await runWaits();
  const editedMs = performance.now();
  writeFileSync(source, '1');
  await expect
    .poll(() => out)
    .toMatch(/^The run is stopped, because a file has changed\.\n[^]*^Changed: .*server\.ts/m);
  await runWaits();
  expect((performance.now() - editedMs) / 1000).toBeLessThan(PATIENCE_SECONDS / 2);
  writeFileSync(source, '2');
  // Long enough for a run to be stopped.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  child?.kill('SIGINT');
  expect((await ended).code).toBe(3);
  expect([out.match(/is stopped/g), out.match(/selected must rules? tried/g)]).toEqual([
    ['is stopped'],
    [expect.any(String)],
  ]);
  // That of the run that Ctrl-C ended.
  expect(folders()).toHaveLength(foldersBefore.length + 1);
});

test('with --watch and --report, what a stopped run could not undo hinders no later run', async () => {
  const mock = await start([WAITING_RULE], port);
  const target = JSON.stringify({ ...mock.target, name: 'mine', allow: 'write' });
  writeFileSync(file, target);
  const source = path.join(cwd, 'restarting.ts');
  writeFileSync(source, '');
  let child: ChildProcess | undefined;
  let out = '';
  const words = ['--watch', source, '--report', 'watched', '--patience', '10', '--quick', ...onlyThese(WAITING_RULE)];
  const ended = run(['test', '--target', file, ...words], {
    cwd,
    onStart(started) {
      child = started;
      started.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
      started.stderr?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    },
  });
  const calls = async () => (await mock.requests({ method: 'POST' })).map(({ path: called }) => called);
  await expect.poll(async () => (await calls()).some((called) => called.startsWith('/demo/agents/assay-'))).toBe(true);
  await mock.close();
  writeFileSync(source, '1');
  await expect.poll(() => out).toMatch(/is stopped[^]*Not removed: assay-/);
  const second = await start([WAITING_RULE], port);
  writeFileSync(file, target);
  await expect.poll(() => out).toMatch(/selected must rules? tried/);
  expect(out).toMatch(/To try again, after Ctrl-C: .* sweep .*left-by-/);
  expect(out).not.toContain('contains the ledger');
  const countBefore = (await second.requests({ method: 'PUT' })).length;
  writeFileSync(source, '2');
  await expect.poll(async () => (await second.requests({ method: 'PUT' })).length).toBeGreaterThan(countBefore);
  await second.close();
  child?.kill('SIGINT');
  await ended;
  expect(out).toMatch(/^To try again: /m);
  await using _ = await start([], port);
  writeFileSync(file, target);
  const swept = await run(['sweep', '--target', file, '--report', 'watched'], { cwd });
  expect(swept.out).toMatch(/^Not removed: assay-/m);
});

test.each<[string, string[], string]>([
  ['a shard', ['--watch', '--shard', '1/2'], '--shard'],
  ['a path that does not exist', ['--watch', 'nowhere'], '"nowhere" does not exist'],
  ['a bail of 0', ['--bail', '0'], 'an integer from 1'],
])('2 for %s', async (_, words, message) => {
  const { code, out } = await assayTest(...words);
  expect([code, out]).toEqual([2, expect.stringContaining(message)]);
});
