/** The command `assay mock`: serves the mock until it is told to stop, or for as long as another command runs. */
import type { MockOptions, RunningMock } from '../../mock/start-mock.ts';
import { startMock } from '../../mock/start-mock.ts';
import { runBeside, stopRequested } from '../command-line/lifetime.ts';
import { escapeControls } from '../../reports/printable.ts';
import { mockBanner } from './banner.ts';

export interface ServeOptions extends MockOptions {
  readonly json?: boolean;
  /** What stands behind `--`; the mock then lives as long as it. */
  readonly command?: readonly string[];
}

/** Gives the exit code: the command's own, or 0 after SIGINT or SIGTERM. */
export async function serveMock({ json, command, ...options }: ServeOptions): Promise<number> {
  if (command !== undefined && command.length > 0)
    return runWithCommand(await startAndReport({ ...options, port: 0 }), command);
  const mock = await startAndReport(options);
  const stop = stopRequested();
  process.stdout.write(json ? `${JSON.stringify({ ready: true, target: mock.target })}\n` : mockBanner(mock));
  await stop;
  await mock.close();
  return 0;
}

/** Tells on standard error, so that the one line of `--json` stays alone, where the mock does otherwise than its profile. */
async function startAndReport(options: MockOptions): Promise<RunningMock> {
  const mock = await startMock(options);
  for (const { id, what, saw, why } of mock.notFollowed)
    process.stderr.write(`Not followed: ${escapeControls(`${id}, "${what}": ${saw} (${why})`)}\n`);
  return mock;
}

async function runWithCommand(mock: RunningMock, command: readonly string[]): Promise<number> {
  try {
    return await runBeside(mock.target, command);
  } finally {
    await mock.close();
  }
}
