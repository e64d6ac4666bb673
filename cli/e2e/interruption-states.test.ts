/** SIGINT ends a run within 5 s in any state and the report is there; tried with the real command and hanging targets. */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readReport } from '../../reports/read-report.ts';
import type { MockOptions } from '../../mock/start-mock.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { behaviours, respond } from './testing/hostile-behaviours.ts';
import type { Behaviour } from './testing/hostile-behaviours.ts';
import { hostileServer } from './testing/hostile-server.ts';
import { newFolder, run, targetFile } from './testing/assay-process.ts';
import { changesOf, startRecordingMock } from './testing/recording-mock.ts';
import type { RecordedRequest } from './testing/recording-mock.ts';
import { isNightly } from './testing/sample-size.ts';

/** In `npm test` other processes may have the processor, so that there only waiting would exceed it. */
const MAX_SECONDS = isNightly ? 5 : 25;

const later = (seconds: number): Behaviour =>
  respond('{}', { status: '429 Too Many', headers: `Retry-After: ${seconds}\r\n` });

/** Issues tokens that live almost as long as a case waits. */
const shortTokens: Behaviour = (socket, received) =>
  respond(
    received.url.endsWith('/oauth/token')
      ? '{"access_token":"short-lived","token_type":"bearer","expires_in":55}'
      : '[{"id":"acc-1"}]',
  )(socket, received);

const targetAt = (address: string): TargetFile => ({
  addresses: { management: `${address}/v0`, inference: address, sandbox: address },
  account: 'acc-1',
  workspace: 'demo',
  credentials: { admin: { value: 'marked-secret' } },
  client: { id: { value: 'client' }, secret: { value: 'marked-client-secret' } },
  resources: { agent: 'demo-agent', sandbox: 'demo-box', integration: 'github' },
});

interface Ended {
  readonly code: number | null;
  readonly seconds: number;
  readonly folder: string;
  readonly out: string;
}

/** Runs the command; `begin` gets the function that signals it. */
async function interrupt(words: readonly string[], target: TargetFile, onStart: (signal: () => void) => void) {
  const folder = path.join(newFolder(), 'report');
  const env = { ASSAY_TARGET: targetFile(target) };
  let signalled = Infinity;
  const signal = (child: ChildProcess) => (): void => {
    if (signalled < Infinity) return;
    signalled = performance.now();
    child.kill('SIGINT');
  };
  const report = words[0] === 'test' ? ['--report', folder] : [];
  const ended = await run([...words, ...report], { env, onStart: (child) => onStart(signal(child)) });
  return { ...ended, seconds: (performance.now() - signalled) / 1000, folder };
}

const seconds: string[] = [];
afterAll(() => void (isNightly && process.stdout.write(`Seconds after SIGINT:\n${seconds.join('\n')}\n`)));

function expectEnd(what: string, { code, seconds: taken, folder, out }: Ended): void {
  seconds.push(`${taken.toFixed(1)} ${what}`);
  expect({ code, out }).toEqual({ code: 3, out: expect.stringContaining('Shutting down') as string });
  expect(readReport(folder).run.complete).toBe(false);
  expect(taken).toBeLessThan(MAX_SECONDS);
}

/** `probes`: to how many requests the target responds. `at`: which request is followed by the signal. */
interface HostileState {
  readonly behave: Behaviour;
  readonly probes?: number;
  readonly at: number;
  readonly words?: readonly string[];
}

const hostileStates: Readonly<Record<string, HostileState>> = {
  'the first request is not answered': { behave: behaviours['no response']!, probes: 0, at: 1 },
  'the first response arrives by the byte': { behave: behaviours['a byte now and then']!, probes: 0, at: 1 },
  'responses arrive by the byte': { behave: behaviours['a byte now and then']!, at: 4 },
  'every response asks to wait': { behave: later(30), at: 4 },
  'the first response asks to wait': { behave: later(30), probes: 0, at: 1 },
  'responses are endless': { behave: behaviours['an endless body']!, at: 4, words: ['--max-body', '64MiB'] },
  'pages are endless': { behave: behaviours['new pages forever']!, at: 200 },
  'heads arrive by the byte': { behave: behaviours['a header byte now and then']!, at: 4 },
  'a case waits until a token expires': {
    behave: shortTokens,
    at: 3,
    words: ['--only', 'auth.credentials.expired-refused'],
  },
  'every response asks to wait for a year': { behave: later(31_536_000), at: 2 },
};

const inTest = ['the first request is not answered', 'a case waits until a token expires'];
const all = Object.keys(hostileStates);

// oxlint-disable-next-line vitest/expect-expect -- expectEnd asserts
test.concurrent.each(isNightly ? all : inTest)('while %s', async (name) => {
  const { behave, probes = 1, at, words = [] } = hostileStates[name]!;
  let signal = (): void => {};
  await using server = await hostileServer(behave, { probes, onRequest: (nth) => nth === at && signal() });
  const ended = await interrupt(['test', '--seed', '1', ...words], targetAt(server.address), (tell) => (signal = tell));
  expectEnd(name, ended);
});

/** A run against the mock. `isAt`: whether this request or response is followed by the signal. */
interface MockState {
  readonly rule: string;
  readonly options?: MockOptions;
  readonly words?: readonly string[];
  readonly isAt: (request: RecordedRequest, nth: number) => boolean;
  /** Whether nothing is answered from then on. */
  readonly hangs?: true;
}

const isWrite = ({ method }: RecordedRequest): boolean => method === 'PUT' || method === 'POST';

const mockStates: Readonly<Record<string, MockState>> = {
  'a watch is open': { rule: 'sandbox.watch.*', isAt: ({ url, status }) => status === 200 && url.includes('watch') },
  'a deployment is awaited': {
    rule: 'agents.enabled.false-does-not-serve',
    options: { clock: 'frozen' },
    isAt: (_, nth) => nth === 30,
  },
  'resources are created': { rule: 'resources.*', isAt: (request, nth) => nth > 20 && isWrite(request) },
  'resources are created and the target hangs': {
    rule: 'resources.*',
    isAt: (request, nth) => nth > 20 && isWrite(request) && request.status === undefined,
    hangs: true,
  },
  'resources are removed and the target hangs': {
    rule: 'versions.*',
    isAt: ({ method, status }) => method === 'DELETE' && status === undefined,
    hangs: true,
  },
  'a failing input is shrunk': {
    rule: 'metrics.pagination.every-group-once',
    options: { deviate: ['metrics.pagination.every-group-once'], latency: { min: 30, max: 30 } },
    isAt: (_, nth) => nth === 80, // The first input fails, and the run takes 57 requests and as many responses.
  },
};

const mocksInTest = ['resources are created and the target hangs'];

test.concurrent.each(isNightly ? Object.keys(mockStates) : mocksInTest)('while %s', async (name) => {
  const { rule, options = {}, words = [], isAt, hangs } = mockStates[name]!;
  let signal = (): void => {};
  let [nth, isOver] = [0, false];
  const onRequest = (request: RecordedRequest): Promise<void> | undefined => {
    nth += 1;
    if (!isOver && isAt(request, nth)) {
      signal();
      isOver = true;
    }
    return isOver && hangs === true && request.status === undefined ? new Promise(() => {}) : undefined;
  };
  await using watched = await startRecordingMock(
    (request) => (hangs === undefined || !swept ? onRequest(request) : undefined),
    options,
  );
  let swept = false;
  const before = await watched.contents();
  const given = ['test', '--seed', '1', '--allow', 'write', '--only', rule, ...words];
  const ended = await interrupt(given, watched.target, (tell) => (signal = tell));
  expectEnd(name, ended);
  if (hangs === undefined) return;
  // What is left can be swept when the target is well again.
  expect(existsSync(path.join(ended.folder, 'ledger.ndjson'))).toBe(true);
  swept = true;
  const { out } = await run(['sweep', '--target', targetFile(watched.target), '--report', ended.folder]);
  expect(out).not.toContain('no response');
  const { added, gone } = changesOf(before, await watched.contents());
  expect(gone).toEqual([]);
  expect(added.filter((line) => !line.includes('/tmp/assay-'))).toEqual([]); // Files cannot be removed.
});

const others = [['doctor'], ['sweep']];

test.concurrent.each(isNightly ? others : [])('assay %s ends by the signal', async (...words) => {
  let signal = (): void => {};
  await using server = await hostileServer(behaviours['a byte now and then']!, {
    probes: 0,
    onRequest: () => signal(),
  });
  const { code, seconds: taken } = await interrupt(words, targetAt(server.address), (tell) => (signal = tell));
  expect(code).toBeNull();
  expect(taken).toBeLessThan(MAX_SECONDS);
});
