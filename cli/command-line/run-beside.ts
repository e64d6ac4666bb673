/** Runs a command that gets the target of a running server. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exitCodeFor, onSignal } from './signals.ts';

const FOLDER = path.join(tmpdir(), 'assay-target-');

/** Whether `runBeside` wrote the file, which is removed when the command has ended. */
export const isTargetOfCommand = (file: string): boolean => file.startsWith(FOLDER);

/**
 * Runs a command with ASSAY_TARGET set to a file that contains the target. Returns its exit code. `variablesFor`: further
 * variables, of which undefined ones are not set; it may write files to the folder, which is removed when the command has ended.
 */
export async function runBeside(
  target: object,
  [program = '', ...words]: readonly string[],
  variablesFor: (folder: string) => Readonly<Record<string, string | undefined>> = () => ({}),
): Promise<number> {
  const folder = await mkdtemp(FOLDER);
  const file = path.join(folder, 'target.json');
  try {
    // Readable only by its owner, because it contains credentials.
    await writeFile(file, JSON.stringify(target, null, 2), { mode: 0o600 });
    return await exitCodeOf(program, words, { ...process.env, ...variablesFor(folder), ASSAY_TARGET: file });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** As in a shell: 127 if the command cannot be started, 128 + n if signal n ended it. */
function exitCodeOf(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: 'inherit', env });
    // Closing the server after the command may take a while; the first signal does not interrupt it.
    onSignal((signal, nth) => {
      const wasForwarded = child.kill(signal);
      if (!wasForwarded && nth > 1) process.exit(exitCodeFor(signal));
    });
    child.once('error', (error) => {
      process.stderr.write(`assay: ${program} cannot be started: ${error.message}\n`);
      resolve(127);
    });
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 0) : exitCodeFor(signal)));
  });
}
