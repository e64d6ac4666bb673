/** The child process that lints: receives a request from its parent, and writes the result to standard output. */
import module from 'node:module';
import { UsageError } from '../command-line/usage-error.ts';
import type { LintMessage } from './lint-messages.ts';
import type { LintRequest } from './run-lint.ts';

module.enableCompileCache();
// If the reader of a pipe exits, as in `assay lint | head`, the exit code is still that of the result.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  finish();
});
process.once('message', (request: LintRequest) => void answer(request));

let code = 0;

async function answer(request: LintRequest): Promise<void> {
  try {
    const { runLint } = await import('./run-lint.ts');
    const outcome = await runLint(request);
    code = outcome.code;
    await send({ writing: true });
    process.stdout.write(outcome.output, finish);
  } catch (error) {
    if (error instanceof UsageError) return exitAfter({ usage: error.message });
    // A string or list larger than V8 allows.
    if (error instanceof RangeError) return exitAfter({ outOfMemory: true });
    throw error;
  }
}

function finish(): void {
  void exitAfter({ code });
}

async function exitAfter(message: LintMessage): Promise<void> {
  await send(message);
  process.disconnect();
  // A ruleset of a user may have left something open that would keep this process alive.
  process.exit();
}

const send = (message: LintMessage): Promise<void> =>
  new Promise((resolve) => void process.send?.(message, () => resolve()));
