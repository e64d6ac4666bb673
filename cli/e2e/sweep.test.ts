/** What a run leaves behind that was killed is undone by `assay sweep`, tried with the real commands. */
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { openLedger } from '../../suites/target/ledger.ts';
import type { LedgerHeader } from '../../suites/target/ledger.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import { assay, newFolder, onlyThese, run, targetFile } from './testing/assay-process.ts';
import { isNightly, sampleSize } from './testing/sample-size.ts';
import { changesOf, refuseAgents, startRecordingMock } from './testing/recording-mock.ts';
import type { RecordedRequest } from './testing/recording-mock.ts';

const areas = ['versions', 'functions', 'vpcs', 'integrations', 'sandboxes', 'sandbox', 'agents', 'resources'];
const selected = onlyThese(...areas.map((area) => `${area}.*`));

/** The first round of inputs is enough: it creates everything that a run creates. */
const flags = ['--allow', 'write', '--runs', '1', '--quick'];

const groupSize = sampleSize(2, 5);
/** Of all moments; printed, so that a failure can be repeated. */
const seed = Number(process.env['ASSAY_SEED'] ?? sampleSize(20_260_416, Date.now() % 2 ** 31));

/** What runs at the same time do that are not killed. */
interface WholeRuns {
  /** Writing requests of one of them, on average. */
  readonly writes: number;
  /** When they have sent the first one, and when all have ended, since their start. */
  readonly firstMs: number;
  readonly endMs: number;
}

const isWriting = ({ method, url }: RecordedRequest): boolean =>
  /^(PUT|POST|DELETE)$/.test(method) && url.startsWith('/v0/');

async function wholeRuns(): Promise<WholeRuns> {
  const started = performance.now();
  let firstMs = Infinity;
  const tell = (request: RecordedRequest): void => {
    if (isWriting(request)) firstMs = Math.min(firstMs, performance.now() - started);
  };
  await using watched = await startRecordingMock(tell);
  const target = targetFile(watched.target);
  const runs = Array.from({ length: groupSize }, (_, at) =>
    run(['test', '--target', target, '--seed', String(at), ...flags, ...selected]),
  );
  expect((await Promise.all(runs)).map(({ code }) => code)).toEqual(runs.map(() => 0));
  return { writes: watched.seen.filter(isWriting).length / groupSize, firstMs, endMs: performance.now() - started };
}

let whole: WholeRuns = { writes: 0, firstMs: 0, endMs: 0 };
beforeAll(async () => {
  whole = await wholeRuns();
  process.stdout.write(`Seed of the moments: ${seed} (ASSAY_SEED).\n`);
});

/** When a run is killed: after so many percent of its writing requests, on the way in or on the way out. */
const moment = fc.record({ percent: fc.integer({ min: 0, max: 90 }), answered: fc.boolean() });
const moments = [
  ...fc.sample(fc.noBias(moment), { numRuns: sampleSize(1, 20), seed }).map((each) => ({ ...each, agents: 'its own' })),
  { percent: 0, answered: true, agents: 'the named ones' },
];

/** Of the run that changes the named agents: it has not restored them. */
const NTH_OF_NAMED = 15;

test.concurrent.each(moments)(
  'a run that is killed after $percent % of its writing requests (answered: $answered, agents: $agents) is undone',
  async (at) => {
    let child: ChildProcess | undefined;
    let writes = 0;
    const nth = at.agents === 'its own' ? 1 + Math.floor((at.percent / 100) * whole.writes) : NTH_OF_NAMED;
    const tell = (request: RecordedRequest): void => {
      const isCounted = isWriting(request) && (request.status !== undefined) === at.answered;
      if (isCounted && (writes += 1) === nth) child?.kill('SIGKILL');
    };
    await using watched = await startRecordingMock(tell);
    const changesNamed = at.agents === 'the named ones';
    if (changesNamed) await refuseAgents(watched.mock);
    const target = targetFile(watched.target);
    const before = await watched.contents();
    const report = path.join(newFolder(), 'report');
    const tested = ['test', '--target', target, '--report', report, '--seed', '1', ...flags];
    const killed = await run([...tested, ...(changesNamed ? ['--only', 'agents.*'] : selected)], {
      onStart: (started) => (child = started),
    });
    expect(killed.code).toBeNull();
    expect(watched.seen.some(({ method, url }) => method === 'PUT' && url === '/v0/agents/demo-agent')).toBe(
      changesNamed,
    );
    expect(statSync(path.join(report, 'ledger.ndjson')).mode & 0o777).toBe(0o600);

    const { code, out } = await run(['sweep', '--target', target, '--report', report]);
    const left = out.split('\n').filter((line) => line.startsWith('Not '));
    // Files cannot be removed, and a removal without a response may or may not have happened.
    expect(
      left.filter((line) => !/created by writeTree|it is already gone|^Not removed: an unnamed resource/.test(line)),
    ).toEqual([]);
    expect(code).toBe(0);
    const { added, gone } = changesOf(before, await watched.contents());
    expect(gone).toEqual([]);
    expect(added.filter((line) => !line.includes('/tmp/assay-'))).toEqual([]);
  },
);

/** Each of the runs at the same time is killed after so many percent of the time that whole ones take. */
const groups = fc.sample(
  fc.array(fc.noBias(fc.integer({ min: 0, max: 90 })), { minLength: groupSize, maxLength: groupSize }),
  { numRuns: sampleSize(1, 10), seed: seed + 1 },
);

test.each(groups.map((percents) => ({ percents, list: percents.join(', ') })))(
  'runs at the same time that are killed after $list % of their time are undone by one sweep',
  async ({ percents }) => {
    const delays = percents.map((percent) => whole.firstMs + (percent / 100) * (whole.endMs - whole.firstMs));
    await using watched = await startRecordingMock();
    const target = targetFile(watched.target);
    const before = await watched.contents();
    const cwd = newFolder();
    const killed = await Promise.all(
      delays.map((after, at) =>
        run(['test', '--target', target, '--seed', String(at), ...flags, ...selected], {
          cwd,
          onStart: (child) => void setTimeout(() => child.kill('SIGKILL'), after),
        }),
      ),
    );
    const during = changesOf(before, await watched.contents()).added.length;
    const { code, out } = await run(['sweep', '--target', target], { cwd });
    const listed = out.split('\n').filter((line) => line.startsWith('Not '));
    const { added, gone } = changesOf(before, await watched.contents());
    const left = added.filter((line) => !line.includes('/tmp/assay-'));
    if (isNightly) {
      const ended = killed.filter((each) => each.code === null).length;
      process.stdout.write(
        `${ended} killed, ${during} left, ${left.length} after the sweep, ${listed.length} listed\n`,
      );
    }
    expect({ gone, left }).toEqual({ gone: [], left: [] });
    expect(
      listed.filter((line) => !/created by writeTree|it is already gone|^Not removed: an unnamed resource/.test(line)),
    ).toEqual([]);
    expect(code).toBe(0);
  },
);

test('everything that cannot be removed is listed, including repeated creates, and can be swept later', async () => {
  await using watched = await startRecordingMock(undefined, { onlyDocumented: true });
  const before = await watched.contents();
  const report = path.join(newFolder(), 'report');
  const target = targetFile(watched.target);
  const words = ['test', '--target', target, '--report', report, '--allow', 'write', '--runs', '1'];
  const { out } = await run([...words, ...onlyThese('vpcs.*', 'naming.name.unique-in-workspace')]);
  expect(out).toContain(`npx --no assay sweep --target ${target} --report ${report}`);
  const { added } = changesOf(before, await watched.contents());
  const there = added.map((line) => (JSON.parse(line) as string[])[1]);
  expect(there.length).toBeGreaterThan(1);
  expect(new Set(out.matchAll(/^Not removed: (\S+)/gm).map(([, name]) => name))).toEqual(new Set(there));
  expect(existsSync(path.join(report, 'ledger.ndjson'))).toBe(true);
});

test('an agent that an update made is removed', async () => {
  await using watched = await startRecordingMock(undefined, { deviate: ['agents.update.unknown-404'] });
  const before = await watched.contents();
  const words = ['test', '--target', targetFile(watched.target), '--allow', 'write', '--seed', '1'];
  const { code, out } = await run([...words, '--only', 'agents.update.unknown-404', '--runs', '100']);
  expect({ code, removed: out.includes('Not removed') }).toEqual({ code: 1, removed: false });
  expect(changesOf(before, await watched.contents())).toEqual({ added: [], gone: [] });
  expect(
    watched.seen.filter(({ method, url }) => method === 'DELETE' && url.startsWith('/v0/agents/assay-')),
  ).not.toEqual([]);
});

test('a run that was killed behind a proxy is undone at the target, which the proxy stood for', async () => {
  let proxy: ChildProcess | undefined;
  const tell = ({ method, url }: RecordedRequest): void => {
    if (method === 'POST' && url === '/v0/vpcs') process.kill(-(proxy?.pid as number), 'SIGKILL');
  };
  await using watched = await startRecordingMock(tell);
  const target = targetFile(watched.target);
  const before = await watched.contents();
  const report = path.join(newFolder(), 'report');
  const behind = [process.execPath, assay, 'test', '--report', report, '--allow', 'write', '--runs', '1'];
  await run(['proxy', '--target', target, '--', ...behind, '--only', 'vpcs.*'], {
    detached: true,
    onStart: (started) => (proxy = started),
  });
  expect(existsSync(path.join(report, 'ledger.ndjson'))).toBe(true);
  const { code, out } = await run(['sweep', '--target', target, '--report', report]);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('1 run swept; nothing is left.') as string });
  expect(changesOf(before, await watched.contents())).toEqual({ added: [], gone: [] });
});

const RUN = 'r1';
const about = (address: string): LedgerHeader => ({
  run: RUN,
  target: `${address}/v0`,
  pid: 2 ** 30, // no process has it
  host: hostname(),
  startedAt: '2026-10-01T00:00:00Z',
});

/** Creates a working directory with the ledger of a run that created a VPC. Returns the ledger. */
async function ledgerIn(cwd: string, lines: Partial<LedgerHeader> & { target: string }, run_ = RUN): Promise<string> {
  const folder = path.join(cwd, 'reports', 'out', run_);
  mkdirSync(folder, { recursive: true });
  const ledger = openLedger(path.join(folder, 'ledger.ndjson'), { ...about(''), run: run_, ...lines });
  const vpcName = `assay-${run_}-1`;
  await ledger.willCreate({
    created: 'createVpc',
    name: vpcName,
    removal: { operation: 'deleteVpc', path: { vpcName } },
  });
  ledger.close();
  return ledger.file;
}

const targetAt = (address: string, more: object = {}): string => {
  const addresses = { management: `${address}/v0` };
  return targetFile({ addresses, credentials: { admin: { value: 'marked-secret' } }, ...more });
};
const removalsOf = ({ received }: { received: { method: string; url: string }[] }): string[] =>
  received.filter(({ method }) => method === 'DELETE').map(({ url }) => url);

test('0 when everything is removed: every ledger in reports/out is undone, latest run first, and deleted', async () => {
  await using server = await localServer(() => ({}));
  const cwd = newFolder();
  const [target, old, young] = [`${server.address}/v0`, '2026-10-01T00:00:00Z', '2026-10-02T00:00:00Z'];
  const files = [
    await ledgerIn(cwd, { target, startedAt: old }, 'a'),
    await ledgerIn(cwd, { target, startedAt: young }, 'b'),
  ];
  const { code, out } = await run(['sweep', '--target', targetAt(server.address)], { cwd });
  expect({ code, there: files.map((file) => existsSync(file)) }).toEqual({ code: 0, there: [false, false] });
  expect(removalsOf(server)).toEqual(['/v0/vpcs/assay-b-1', '/v0/vpcs/assay-a-1']);
  expect(out).toContain('Removed: assay-b-1 (created by createVpc).');
  expect(out).toContain('2 runs swept; nothing is left.');
});

test('1 when another sweep may remove more: it is listed with the reason, and the ledger is kept', async () => {
  await using server = await localServer(({ method }) => ({ status: method === 'DELETE' ? 500 : 200 }));
  const cwd = newFolder();
  const file = await ledgerIn(cwd, { target: `${server.address}/v0` });
  const { code, out } = await run(['sweep', '--target', targetAt(server.address)], { cwd });
  expect(out).toContain('Not removed: assay-r1-1 (created by createVpc), because deleteVpc returned status 500.');
  expect(out).toMatch(/\nTo try again: npx --no assay sweep --target \S+\n$/);
  expect({ code, there: existsSync(file) }).toEqual({ code: 1, there: true });
});

test.each<[string[], number, string]>([
  [[], 0, '0 runs swept: every ledger was skipped'],
  // A folder with several.
  [['--report', 'reports/out'], 2, 'Nothing was removed: every ledger in reports/out was skipped.'],
])('ledgers of an active run and of another target are skipped: %j', async (report, exitCode, sentence) => {
  await using server = await localServer(() => ({}));
  const cwd = newFolder();
  const goesOn = await ledgerIn(cwd, { target: `${server.address}/v0`, pid: process.pid }, 'a');
  const elsewhere = await ledgerIn(cwd, { target: 'http://elsewhere.example/v0' }, 'b');
  const { code, out } = await run(['sweep', '--target', targetAt(server.address), ...report], { cwd });
  expect(out).toMatch(/a[/\\]ledger\.ndjson belongs to a run that is still active/);
  expect(out).toMatch(/b[/\\]ledger\.ndjson belongs to another target \(http:\/\/elsewhere\.example\/v0\)/);
  expect({ code, there: [goesOn, elsewhere].map((file) => existsSync(file)) }).toEqual({
    code: exitCode,
    there: [true, true],
  });
  expect(out).toContain(sentence);
  expect(out).not.toContain('nothing is left');
  expect(removalsOf(server)).toEqual([]);
});

test.each([
  ['belongs to a run that is still active', (address: string) => ({ target: `${address}/v0`, pid: process.pid })],
  [
    'belongs to a run on another machine (elsewhere) that was active less',
    (address: string) => ({ target: `${address}/v0`, host: 'elsewhere', startedAt: new Date().toISOString() }),
  ],
  ['belongs to another target', (address: string) => ({ target: `${address.replace('127.0.0.1', 'localhost')}/v0` })],
])('2 if the ledger that --report names %s', async (what, lines) => {
  await using server = await localServer(() => ({}));
  const file = await ledgerIn(newFolder(), lines(server.address));
  const words = ['sweep', '--target', targetAt(server.address), '--report', path.dirname(file)];
  const { code, out } = await run(words);
  expect(out).toContain(`ledger.ndjson ${what}`);
  expect({ code, there: existsSync(file), asked: removalsOf(server) }).toEqual({ code: 2, there: true, asked: [] });
});

test('0 if there is no ledger, with a note that the target may not be clean', async () => {
  await using server = await localServer(() => ({}));
  const target = targetAt(server.address);
  const none = await run(['sweep', '--target', target]);
  expect(none).toEqual({
    code: 0,
    out: 'Nothing to sweep: no run in reports/out left a ledger. For a run with --report DIR, pass the same --report DIR.\n',
  });
  const folder = newFolder();
  const { code, out } = await run(['sweep', '--target', target, '--report', folder]);
  expect({ code, out }).toEqual({
    code: 0,
    out: `No ledger in ${folder}: the run left nothing behind, or what it left was forgotten.\n`,
  });
});

test.each([
  ['seems to go on', { pid: process.pid }],
  ['went on a while ago on another machine', { host: 'elsewhere', startedAt: new Date().toISOString() }],
])('--force sweeps also a run that %s', async (_, lines) => {
  await using server = await localServer(() => ({}));
  const cwd = newFolder();
  await ledgerIn(cwd, { target: `${server.address}/v0`, ...lines });
  const words = ['sweep', '--target', targetAt(server.address)];
  const skipped = await run(words, { cwd });
  expect(skipped.out).toContain('(--force sweeps it anyway): skipped.');
  expect(removalsOf(server)).toEqual([]);
  expect((await run([...words, '--force'], { cwd })).code).toBe(0);
  expect(removalsOf(server)).toHaveLength(1);
});

test('a ledger of another workspace at the same address is skipped; one without a workspace is not', async () => {
  await using server = await localServer(() => ({}));
  const cwd = newFolder();
  const target = `${server.address}/v0`;
  await ledgerIn(cwd, { target, workspace: 'theirs' }, 'a');
  await ledgerIn(cwd, { target, workspace: 'ours' }, 'b');
  await ledgerIn(cwd, { target }, 'c');
  const { code, out } = await run(['sweep', '--target', targetAt(server.address, { workspace: 'ours' })], { cwd });
  expect(out).toMatch(/a[/\\]ledger\.ndjson belongs to another workspace \(theirs\), not to ours: skipped/);
  expect(code).toBe(0);
  expect(removalsOf(server).toSorted()).toEqual(['/v0/vpcs/assay-b-1', '/v0/vpcs/assay-c-1']);
});

test('--forget lists what the target cannot remove, then drops its ledger', async () => {
  await using server = await localServer(({ method }) => ({ status: method === 'DELETE' ? 405 : 200 }));
  const cwd = newFolder();
  const file = await ledgerIn(cwd, { target: `${server.address}/v0` });
  const words = ['sweep', '--target', targetAt(server.address), '--forget'];
  const { code, out } = await run(words, { cwd });
  expect(out).toContain('Not removed: assay-r1-1');
  expect(out).toContain('1 run swept; the ledgers of what is left (see above) were deleted.');
  expect({ code, there: existsSync(file) }).toEqual({ code: 0, there: false });
});

test('an agent that others have changed since is restored only with --force', async () => {
  const body = { metadata: { name: 'shop', labels: {} }, spec: { enabled: true } };
  await using server = await localServer(({ method }) => (method === 'GET' ? { body } : {}));
  const cwd = newFolder();
  const file = path.join(cwd, 'ledger.ndjson');
  const ledger = openLedger(file, about(server.address));
  const before = { ...body, spec: { enabled: false } };
  ledger.willChange({ changed: 'updateAgent', path: { agentName: 'shop' }, body: before });
  ledger.close();
  const puts = (): number => server.received.filter(({ method }) => method === 'PUT').length;
  const words = ['sweep', '--target', targetAt(server.address), '--report', cwd];
  const { code, out } = await run(words);
  expect(out).toContain('Not restored: shop (changed by updateAgent), because others have changed it since');
  expect({ code, there: existsSync(file), puts: puts() }).toEqual({ code: 1, there: true, puts: 0 });
  expect((await run([...words, '--force'])).code).toBe(0);
  expect({ there: existsSync(file), puts: puts() }).toEqual({ there: false, puts: 1 });
});

test('1 for a ledger that cannot be read', async () => {
  await using server = await localServer(() => ({}));
  const folder = newFolder();
  appendFileSync(path.join(folder, 'ledger.ndjson'), 'nonsense\n');
  const { code, out } = await run(['sweep', '--target', targetAt(server.address), '--report', folder]);
  expect(out).toContain('not a readable ledger');
  expect(code).toBe(1);
});

test('2 for a missing folder, 3 if nothing listens', async () => {
  const closed = await localServer(() => ({}));
  await closed[Symbol.asyncDispose]();
  const target = targetAt(closed.address);
  expect((await run(['sweep', '--target', target, '--report', 'nowhere'])).code).toBe(2);
  expect((await run(['sweep', '--target', target])).code).toBe(3);
});

test('a run does not write over the ledger of another', async () => {
  await using server = await localServer(() => ({}));
  const cwd = newFolder();
  const folder = path.dirname(await ledgerIn(cwd, { target: `${server.address}/v0` }));
  const words = ['test', '--target', targetAt(server.address), '--report', folder];
  const { code, out } = await run(words, { cwd });
  expect(out).toContain('npx --no assay sweep --target FILE --report');
  expect(code).toBe(2);
});

test('run and sweep list the same leftovers until they are forgotten, and the folder can be used again', async () => {
  await using watched = await startRecordingMock();
  const target = targetFile(watched.target);
  const report = path.join(newFolder(), 'report');
  const words = ['--target', target, '--report', report];
  const tested = ['test', ...words, '--allow', 'write', '--runs', '1', '--only', 'sandbox.tree.*'];
  const listed = (out: string): string[] => out.split('\n').filter((line) => line.startsWith('Not removed: '));
  const first = await run(tested);
  expect(listed(first.out)).not.toEqual([]);
  expect(first.out).toContain(`To forget it: npx --no assay sweep ${words.join(' ')} --forget`);
  expect(first.out).not.toContain('To try again');

  const swept = await run(['sweep', ...words]);
  expect(listed(swept.out)).toEqual(listed(first.out));
  expect(swept).toMatchObject({
    code: 0,
    out: expect.stringContaining(`To forget it: npx --no assay sweep ${words.join(' ')} --forget`) as string,
  });
  expect(swept.out).not.toContain('To try again');

  const again = await run(tested);
  expect(again.code).toBe(first.code);
  expect((await run(['sweep', ...words, '--forget'])).code).toBe(0);
  expect(await run(['sweep', ...words])).toMatchObject({
    code: 0,
    out: expect.stringContaining('was forgotten') as string,
  });
});
