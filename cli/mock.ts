/** The command `assay mock`: serves the mock until it is told to stop, or for as long as another command runs. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import type { MockOptions, RunningMock } from '../mock/start-mock.ts';
import { startMock } from '../mock/start-mock.ts';
import { mockBanner } from './mock-banner.ts';

export interface MockCommand extends MockOptions {
  readonly json?: boolean;
  /** What stands behind `--`; the mock then lives as long as it. */
  readonly command?: readonly string[];
}

/** Gives the exit code: the command's own, or 0 after SIGINT or SIGTERM. */
export async function mockCommand({ json, command, ...options }: MockCommand): Promise<number> {
  if (command !== undefined && command.length > 0) return runBeside(await startMock({ ...options, port: 0 }), command);
  const mock = await startMock(options);
  const stop = toldToStop();
  process.stdout.write(json ? `${JSON.stringify({ ready: true, target: mock.target })}\n` : mockBanner(mock));
  await stop;
  await mock.close();
  return 0;
}

function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

async function runBeside(mock: RunningMock, [program = '', ...words]: readonly string[]): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-mock-'));
  const file = path.join(folder, 'target.json');
  try {
    // Only its owner may read it: it holds the mock's credentials.
    await writeFile(file, JSON.stringify(mock.target, null, 2), { mode: 0o600 });
    return await exitCodeOf(program, words, { ...process.env, ASSAY_TARGET: file });
  } finally {
    await rm(folder, { recursive: true });
    await mock.close();
  }
}

/** 127 where the command cannot be started, 128 + n where signal n ended it, as a shell has it. */
function exitCodeOf(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: 'inherit', env });
    const pass = (signal: NodeJS.Signals) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, pass);
    child.once('error', (error) => {
      process.stderr.write(`assay: ${program} cannot be started: ${error.message}\n`);
      resolve(127);
    });
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}
