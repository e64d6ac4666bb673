/** How long a server of ours lives: until it is told to stop, or as long as a command beside it. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exitCodeFor, onSignal } from './signals.ts';

/** A port that is taken, an address this machine does not have, or a name that no address is known of. */
export function isListenError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall));
}

/** By SIGINT or SIGTERM; a second one ends the process at once. */
export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    onSignal((signal, nth) => (nth === 1 ? resolve() : process.exit(exitCodeFor(signal))));
  });
}

/** Runs a command with ASSAY_TARGET set to a file that holds the target; gives its exit code. */
export async function runBeside(target: object, [program = '', ...words]: readonly string[]): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-target-'));
  const file = path.join(folder, 'target.json');
  try {
    // Only its owner may read it: it holds credentials.
    await writeFile(file, JSON.stringify(target, null, 2), { mode: 0o600 });
    return await exitCodeOf(program, words, { ...process.env, ASSAY_TARGET: file });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** 127 where the command cannot be started, 128 + n where signal n ended it, as a shell has it. */
function exitCodeOf(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: 'inherit', env });
    // What closes after the command may take a while: the first signal does not cut it off.
    onSignal((signal, nth) => {
      const isPassedOn = child.kill(signal);
      if (!isPassedOn && nth > 1) process.exit(exitCodeFor(signal));
    });
    child.once('error', (error) => {
      process.stderr.write(`assay: ${program} cannot be started: ${error.message}\n`);
      resolve(127);
    });
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 0) : exitCodeFor(signal)));
  });
}
