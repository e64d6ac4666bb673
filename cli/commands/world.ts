/** `assay world`: writes a world file of what a deployment shows, read-only. */
import { outputLine } from '../../reports/workflow-command.ts';
import {
  findTarget,
  NoTargetError,
  reportUnreachable,
  TargetUnreachableError,
  withUsageErrors,
} from '../command-line/find-target.ts';
import { nonNegativeNumber } from '../command-line/flag-values.ts';
import type { CommandModule } from '../command-line/run-command.ts';
import { UsageError } from '../command-line/usage-error.ts';

interface Flags {
  from?: string;
  baseUrl?: string;
  rate?: number;
  out?: string;
}

export const subcommand: CommandModule = {
  examples: [
    'assay world --from assay.target.yaml --out world.yaml',
    'assay world --from staging.yaml > staging-world.yaml',
  ],
  define: (command) =>
    void command
      .option('--from <file>', 'target file of the deployment; - is standard input (default: ASSAY_TARGET)')
      .option(
        '--base-url <url>',
        'management address, in place of that of --from; without a file, credentials come from SVC_ADMIN_TOKEN, …',
      )
      .option('--rate <n>', 'requests per second (default: that of the target file, or 20)', nonNegativeNumber)
      .option(
        '--out <file>',
        'world file to write, as JSON if it ends in .json, otherwise YAML; an existing file is never overwritten (default: standard output)',
      ),
  async run(options) {
    const { from, out, ...flags } = options as Flags;
    const { describeWorld, isJsonName, requireNoFile, worldText, writeWorldFile } =
      await import('../world/world-text.ts');
    if (out !== undefined) requireNoFile(out, '--out');
    const file = { ...flags, ...(from !== undefined && { target: from }) };
    try {
      const target = await findTarget(file, process.env);
      const { worldOfTarget } = await import('../world/read-deployment.ts');
      const world = await withUsageErrors(() => worldOfTarget(target));
      const text = worldText(world.file, out !== undefined && isJsonName(out));
      if (out === undefined) process.stdout.write(text);
      else writeWorldFile(out, text, '--out');
      for (const line of describeWorld(world, out)) process.stderr.write(outputLine(line, process.stderr));
      return 0;
    } catch (error) {
      if (error instanceof NoTargetError)
        throw new UsageError(
          'No target. Expected --from FILE, --base-url URL, or ASSAY_TARGET=FILE in the environment.',
        );
      if (error instanceof TargetUnreachableError) return reportUnreachable('world', error);
      throw error;
    }
  },
};
