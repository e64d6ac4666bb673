/** Runs again and again, each time something has changed, until the user ends it. */
import { setTimeout as wait } from 'node:timers/promises';
import { outputLine, outputLines } from '../../reports/workflow-command.ts';
import { INTERRUPTED } from '../command-line/interruption.ts';
import { TargetUnreachableError } from '../command-line/find-target.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { THE_SERVER, watchChanges, type WatchedServer } from './watch-changes.ts';

export interface Watched {
  /** Files and folders. */
  readonly paths: readonly string[];
  /** A server on this machine, whose restarts are changes. */
  readonly server: WatchedServer;
  /** A folder in which nothing counts as changed. */
  readonly ignored: string;
}

/** Restarts during as many runs in a row, which do not come from a change: a supervisor may start a server that a test crashes. */
const MAX_RESTARTS = 2;
/** After the end of a run. */
const MAX_RESTART_MS = 2000;

const NEVER = new AbortController().signal;

/**
 * Returns the exit code of the last run. A usage error ends the first run; later ones may be repaired. `run` ends with INTERRUPTED
 * when its signal is aborted, and may throw TargetUnreachableError.
 */
export async function runOnChanges(
  { paths, server, ignored }: Watched,
  interrupted: AbortSignal,
  run: (changed: AbortSignal) => Promise<number>,
): Promise<number> {
  const changes = watchChanges(paths, server, ignored);
  const watched = (): string => {
    const address = server.address();
    return [...paths, ...(address === undefined ? [] : [`the server at ${new URL(address).host}`])].join(', ');
  };
  const onDown = (): void => print('The server does not listen. Waiting for it.');
  let wasStopped = false;
  /** A change of a file stops the run, unless it follows one that was stopped: a server may write files while it is tested. */
  async function runNext(): Promise<number> {
    const canBeStopped = !wasStopped;
    wasStopped = false;
    return whenReachable(async () => {
      const changed = canBeStopped ? changes.fileChange() : NEVER;
      const code = await run(changed);
      wasStopped = changed.aborted && code === INTERRUPTED;
      return code;
    }, interrupted);
  }
  try {
    let code = await runNext();
    for (let restartCount = 0; ;) {
      const endMs = performance.now();
      if (!interrupted.aborted && !wasStopped) print(`Watching ${watched()}; press Ctrl-C to end.`);
      const what = await changes.next(interrupted, onDown);
      if (what === undefined) return code;
      process.stdout.write('\n');
      const isOfRun = what === THE_SERVER && performance.now() - endMs < MAX_RESTART_MS;
      restartCount = isOfRun ? restartCount + 1 : 0;
      if (restartCount >= MAX_RESTARTS) {
        print(
          'The server restarted again during the tests: they may have crashed it. The next restart is tested again; with --watch PATH, so are changes of files.',
        );
        continue;
      }
      print(`Changed: ${what}`);
      code = await runNext().catch(printUsageError);
    }
  } finally {
    changes.close();
  }
}

const print = (line: string): void => void process.stdout.write(outputLine(line, process.stdout));

function printUsageError(error: unknown): number {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(outputLines(`assay test: ${error.message}`, process.stderr));
  return 2;
}

const RETRY_MS = 100;

/** Runs as soon as the target responds. Prints why it does not. */
async function whenReachable(run: () => Promise<number>, interrupted: AbortSignal): Promise<number> {
  for (let isReported = false; ;) {
    if (interrupted.aborted) return INTERRUPTED;
    try {
      return await run();
    } catch (error) {
      if (interrupted.aborted) return INTERRUPTED;
      if (!(error instanceof TargetUnreachableError)) throw error;
      if (!isReported)
        process.stderr.write(outputLines(`assay test: ${error.message} Waiting for it.`, process.stderr));
      isReported = true;
      await wait(RETRY_MS);
    }
  }
}
