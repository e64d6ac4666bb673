/** Serves the mock until a signal arrives, or while a command runs. */
import type { MockOptions, RunningMock } from '../../mock/start-mock.ts';
import { startMock } from '../../mock/start-mock.ts';
import { runBeside, stopRequested } from '../command-line/lifetime.ts';
import { escapeReferences } from '../../suites/target/escape-references.ts';
import { escapeControls } from '../../reports/printable.ts';
import { mockBanner } from './banner.ts';

export interface ServeOptions extends MockOptions {
  readonly json?: boolean;
  /** What follows `--`: the mock stops when this command ends. */
  readonly command?: readonly string[];
}

/** Returns the exit code: the command's, or 0 after SIGINT or SIGTERM. */
export async function serveMock({ json, command, ...options }: ServeOptions): Promise<number> {
  if (command !== undefined && command.length > 0)
    return runWithCommand(await startAndReport({ ...options, port: 0 }), command);
  const mock = await startAndReport(options);
  const stop = stopRequested();
  process.stdout.write(
    json ? `${JSON.stringify({ ready: true, target: escapeReferences(mock.target) })}\n` : mockBanner(mock),
  );
  await stop;
  await mock.close();
  return 0;
}

/** Lists the observations that the mock does not follow, on standard error because of the single line of `--json`. */
async function startAndReport(options: MockOptions): Promise<RunningMock> {
  const mock = await startMock(options);
  for (const { id, what, saw, why } of mock.notFollowed)
    process.stderr.write(`Not followed: ${escapeControls(`${id}, "${what}": ${saw} (${why})`)}\n`);
  return mock;
}

async function runWithCommand(mock: RunningMock, command: readonly string[]): Promise<number> {
  try {
    return await runBeside(escapeReferences(mock.target), command);
  } finally {
    await mock.close();
  }
}
