/** Serves the mock until a signal arrives, or while a command runs. */
import type { MockOptions, RunningMock } from '../../mock/start-mock.ts';
import { startMock } from '../../mock/start-mock.ts';
import { WorldFileError } from '../../mock/state/world-file-error.ts';
import { waitForStopSignal } from '../command-line/lifetime.ts';
import { writeMockNote } from '../command-line/mock-note.ts';
import { escapeReferences } from '../../suites/target/escape-references.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { escapeControls } from '../../reports/printable.ts';
import { mockBanner } from './banner.ts';
import type { BannerAccess } from './banner.ts';
import { commandEnvironment, trustCertificate } from './command-environment.ts';
import { limitHeapGrowth } from './limit-heap-growth.ts';
import { readWorld } from './read-world.ts';
import { logRequest } from './request-log.ts';
import { watchFile, type WatchedFile } from './watch-file.ts';

export interface ServeOptions extends MockOptions {
  readonly json?: boolean;
  /** Whether requests are not logged. Default: only if a command runs, whose output they would bury. */
  readonly quiet?: boolean;
  /** The world file that is loaded again when it changes. */
  readonly watch?: WatchedFile;
  /** The file of `--tls-cert`. */
  readonly certificateFile?: string;
  /** What follows `--`: the mock stops when this command ends. */
  readonly command?: readonly string[];
  /** The flags that start such a mock again. */
  readonly flags?: readonly string[];
}

/** Without a command, which gets the address in variables. */
export const DEFAULT_PORT = 4010;

/** Returns the exit code: the command's, or 0 after SIGINT or SIGTERM. */
export async function serveMock(settings: ServeOptions): Promise<number> {
  const { json, quiet, watch, certificateFile, command = [], flags = [], ...options } = settings;
  const hasCommand = command.length > 0;
  const isLogged = !(quiet ?? hasCommand);
  const mock = await startAndReport({
    ...options,
    port: options.port ?? (hasCommand ? 0 : DEFAULT_PORT),
    ...(isLogged && { onRequest: logRequest }),
  });
  const stopWatching = watch && watchFile(watch, () => reload(mock, watch.path));
  try {
    if (!hasCommand)
      return await serveUntilSignal(
        mock,
        { certificateFile, hasControlToken: options.controlToken !== undefined },
        json,
      );
    const { runBeside } = await import('../command-line/run-beside.ts'); // Only here: slow to load.
    return await runBeside(escapeReferences(mock.target), command, (folder) => {
      writeMockNote(folder, flags);
      return {
        ...commandEnvironment(mock.target),
        ...(options.tls && trustCertificate(options.tls, folder, process.env)),
      };
    });
  } finally {
    stopWatching?.();
    await mock.close();
  }
}

async function serveUntilSignal(mock: RunningMock, access: BannerAccess, json = false): Promise<number> {
  const stop = waitForStopSignal();
  process.stdout.write(
    json ? `${JSON.stringify({ ready: true, target: escapeReferences(mock.target) })}\n` : mockBanner(mock, access),
  );
  await stop;
  return 0;
}

/** Lists the observations that the mock does not follow, on standard error because of the single line of `--json`. */
async function startAndReport(options: MockOptions): Promise<RunningMock> {
  const mock = await startMock(options);
  limitHeapGrowth();
  for (const { id, what, saw, why } of mock.notFollowed)
    process.stderr.write(`Not followed: ${escapeControls(`${id}, "${what}": ${saw} (${why})`)}\n`);
  return mock;
}

/** If the file is invalid, the world stays. */
async function reload(mock: RunningMock, file: string): Promise<void> {
  process.stderr.write(`${escapeControls(await outcomeOfReload(mock, file))}\n`);
}

async function outcomeOfReload(mock: RunningMock, file: string): Promise<string> {
  try {
    await mock.loadWorld(await readWorld(file, false));
    return `Reloaded ${file}: the mock has its world now.`;
  } catch (error) {
    if (error instanceof UsageError || error instanceof WorldFileError)
      return `Not reloaded, the mock keeps its world: ${error.message}`;
    throw error;
  }
}
