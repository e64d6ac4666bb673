/** Lints in a child process whose time and memory are limited, because no parser or rule is safe against every document. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { UsageError } from '../command-line/usage-error.ts';
import { printableName, STANDARD_INPUT } from './document-name.ts';
import type { LintMessage } from './lint-messages.ts';
import type { LintRequest } from './run-lint.ts';
import { watchMemory } from './watch-memory.ts';

/** From the start of this process. Linting terminates within 10 s. */
export const DEFAULT_TIME_MS = 9500;

/** This process and the child together stay below this many MiB. */
const MAX_MEMORY_MIB = 512;
/** The child is stopped above this many MiB, because it may take more until that is noticed. */
const STOP_MEMORY_MIB = 470;
/** Of the child, without what is outside of its heap. */
const HEAP_FLAGS = ['--max-old-space-size=256', '--max-semi-space-size=8'];

const childFile = path.join(import.meta.dirname, `lint-process${path.extname(import.meta.filename)}`);

/** Returns the exit code. Throws UsageError, also if a limit is exceeded. */
export async function lintInChild(request: LintRequest, timeMs: number): Promise<number> {
  const pipes = request.documents.filter((each) => openedDescriptor(each) !== undefined);
  if (pipes.length > 1)
    throw new UsageError(`Documents from pipes: ${pipes.join(', ')}; allowed: one. Write the others to files.`);
  const [pipe] = pipes;
  const child = fork(childFile, [], {
    execArgv: HEAP_FLAGS,
    // A pipe that the shell opened is the input of the child. It could not be read with a deadline here.
    stdio: [pipe === undefined ? 'ignore' : openedDescriptor(pipe), 'inherit', 'pipe', 'ipc'],
  });
  const stop = (): void => void child.kill('SIGKILL');
  const errors = collect(child.stderr);
  let isLate = false;
  const deadline = startDeadline(timeMs, child.pid, () => {
    isLate = true;
    stop();
  });
  let isTooLarge = false;
  const memory = watchMemory([process.pid, child.pid ?? process.pid], STOP_MEMORY_MIB, () => {
    isTooLarge = true;
    stop();
  });
  let outcome: LintMessage | undefined;
  child.on('message', (message: LintMessage) => {
    outcome = message;
    deadline.clear();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => endBy(signal, stop));
  child.send(request, () => {}); // The exit of the child reports an error.
  await once(child, 'close');
  deadline.clear();
  memory.clear();
  if (outcome !== undefined && 'code' in outcome) return outcome.code;
  if (outcome !== undefined && 'usage' in outcome) throw new UsageError(outcome.usage);
  const what = describeSubject(request);
  if (isLate)
    throw new UsageError(
      `${what} more than ${timeMs / 1000} s to be linted. Split it, or raise the limit with --time.`,
    );
  if (
    isTooLarge ||
    (outcome !== undefined && 'outOfMemory' in outcome) ||
    /out of memory|allocation failed/i.test(errors())
  )
    throw new UsageError(`${what} more than ${MAX_MEMORY_MIB} MiB of memory to be linted. Split it.`);
  throw new Error(`The child process ended unexpectedly (${child.signalCode ?? child.exitCode}). ${errors()}`);
}

/** A ruleset of the user may be what takes long. */
function describeSubject({ documents, ruleset }: LintRequest): string {
  const named = documents.length === 0 ? '' : `${documents.map(printableName).join(', ')}: `;
  const noun = documents.length === 1 ? 'document' : 'documents';
  if (ruleset !== undefined) return `${named}The ${noun} and the ruleset ${ruleset} need`;
  return `${named}The ${noun} ${documents.length === 1 ? 'needs' : 'need'}`;
}

/**
 * Counts from the start of this process. Time in which another program had the processor that the child needs does not count,
 * so that a document is not refused because the machine is busy. This process waits at the same time as the child, so it counts
 * only until the child is started.
 */
function startDeadline(timeMs: number, childPid: number | undefined, onLate: () => void): { clear(): void } {
  const waitedBefore = processorWaitMs(process.pid);
  let timer: NodeJS.Timeout;
  const check = (): void => {
    const waitedMs = waitedBefore + (childPid === undefined ? 0 : processorWaitMs(childPid));
    const leftMs = timeMs - (performance.now() - waitedMs);
    if (leftMs <= 0) onLate();
    else timer = setTimeout(check, leftMs);
  };
  check();
  return { clear: () => clearTimeout(timer) };
}

/** For how long the main thread of a process was ready to run, but waited for a processor. 0 where that is unknown. */
function processorWaitMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1] ?? 0) / 1e6;
  } catch {
    return 0;
  }
}

/** The child ends too, although it may be too busy to notice the signal. */
function endBy(signal: NodeJS.Signals, stop: () => void): void {
  stop();
  process.kill(process.pid, signal);
}

/** Of `-`, `/dev/stdin` and `/dev/fd/63`. Undefined for any other document. */
function openedDescriptor(document: string): number | undefined {
  if (document === STANDARD_INPUT || document === '/dev/stdin') return 0;
  const [, descriptor] = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(document) ?? [];
  return descriptor === undefined ? undefined : Number(descriptor);
}

const MAX_COLLECTED = 100_000;

/** Returns a function that returns the text so far. */
function collect(stream: Readable | null): () => string {
  let text = '';
  stream?.on('data', (chunk: Buffer) => {
    if (text.length < MAX_COLLECTED) text += chunk.toString();
  });
  return () => text;
}
