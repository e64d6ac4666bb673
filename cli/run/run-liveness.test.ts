import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { LedgerHeader } from '../../suites/target/ledger.ts';
import { processFacts } from '../../suites/target/process-facts.ts';
import { newFolder } from '../e2e/testing/assay-process.ts';
import { describeActiveRun } from './run-liveness.ts';

const NOBODY = 2 ** 30; // No process has it.
const about: LedgerHeader = {
  run: 'r1',
  target: 'http://a/v0',
  pid: NOBODY,
  host: hostname(),
  startedAt: '2026-10-01T00:00:00Z',
};
const isOn = (lines: Partial<LedgerHeader>, folder = newFolder()): boolean =>
  describeActiveRun({ ...about, ...lines }, path.join(folder, 'ledger.ndjson')) !== undefined;

describe.runIf(existsSync('/proc/self/stat'))('a run of this machine, where /proc tells when a process began,', () => {
  const { start = '' } = processFacts(process.ppid) ?? {};

  test('is running while the process with that start time runs', () => {
    expect(isOn({ pid: process.ppid, processStart: start })).toBe(true);
    expect(isOn({ processStart: start })).toBe(false);
  });

  test('has ended if another process has its id, even the sweep itself', () => {
    expect(isOn({ pid: process.pid })).toBe(false);
    expect(isOn({ pid: process.ppid, processStart: `${start}0` })).toBe(false);
  });

  test('is running if its ledger has no start time and a process has its id', () => {
    expect(isOn({ pid: process.ppid })).toBe(true);
  });

  test('has ended if its process is a zombie', async () => {
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; wait']);
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    parent.kill('SIGSTOP'); // So that it does not ask.
    process.kill(pid, 'SIGKILL');
    while (processFacts(pid)?.hasExited === false) await setImmediate();
    expect(processFacts(pid)).toMatchObject({ hasExited: true });
    expect(isOn({ pid })).toBe(false);
    parent.kill('SIGKILL');
  });
});

describe('a run of another machine', () => {
  const [old, young] = [new Date('2026-10-01T00:00:00Z'), new Date()];
  /** The folder of a run whose last exchange was then. */
  function lastExchange(time: Date): string {
    const folder = newFolder();
    const file = path.join(folder, 'exchanges.ndjson');
    writeFileSync(file, '');
    utimesSync(file, time, time);
    return folder;
  }

  test.each([
    ['began an hour ago or less', { startedAt: young.toISOString() }, newFolder(), true],
    ['sent a request within the last hour', {}, lastExchange(young), true],
    ['did neither', {}, lastExchange(old), false],
    ['did neither, whatever process has its number here', { pid: process.pid }, newFolder(), false],
  ])('may go on unless it is quiet: it %s', (_, lines, folder, on) => {
    expect(isOn({ host: 'elsewhere', ...lines }, folder)).toBe(on);
  });
});
