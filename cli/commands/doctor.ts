/** `assay doctor`: checks a target file against its target, read-only and in seconds. */
import { styleFor } from '../../reports/terminal.ts';
import { outputLine } from '../../reports/workflow-command.ts';
import type { CommandModule } from '../command-line/run-command.ts';
import { findTargetFile, withUsageErrors } from '../command-line/find-target.ts';
import { defineRequestFlags } from '../command-line/target-flags.ts';

export const subcommand: CommandModule = {
  examples: ['assay doctor --target assay.target.yaml', 'assay doctor --base-url https://api.example.com/v0'],
  define(command) {
    defineRequestFlags(command);
  },
  async run(options) {
    const file = await findTargetFile(options, process.env);
    const { examineTarget } = await import('../doctor/examine-target.ts');
    const { renderChecks } = await import('../doctor/render-checks.ts');
    const { checks, isReachable } = await withUsageErrors(() => examineTarget(file, process.env));
    const { paint } = styleFor(process.stdout);
    // Escaped, because names and statuses come from the target.
    for (const line of renderChecks(checks).trimEnd().split('\n'))
      process.stdout.write(
        outputLine(line, process.stdout).replace(/^(?:failed|warning)/, (word) =>
          paint(word === 'failed' ? 'red' : 'bold', word),
        ),
      );
    if (!isReachable) return 3;
    return checks.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
  },
};
