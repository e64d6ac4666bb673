/** The command `assay test`: finds the target, then judges it, or says what that would send. */
import { randomInt } from 'node:crypto';
import path from 'node:path';
import type { RunSettings } from '../../suites/open-run.ts';
import { BadUsage } from '../command-line/usage-error.ts';
import { interruption } from '../command-line/interruption.ts';
import { readKnownFailures } from '../run/read-known-failures.ts';
import { namedTarget } from '../command-line/target-reference.ts';
import { prepareReportFolder } from '../run/report-folder.ts';
import { newRunId } from '../run/run-id.ts';
import { selectedRules } from '../run/select-rules.ts';
import type { Subcommand } from '../command-line/run-command.ts';
import { defineTestFlags } from '../command-line/test-flags.ts';
import type { TestFlags } from '../command-line/test-flags.ts';
import { findTarget, findTargetFile, Unreachable, unreachable } from '../command-line/find-target.ts';

export const subcommand: Subcommand = {
  define: defineTestFlags,
  async run(options) {
    const flags = options as unknown as TestFlags;
    const knownFailures = flags.knownFailures === undefined ? undefined : readKnownFailures(flags.knownFailures);
    if (flags.plan === true) return planned(flags);
    try {
      const settings = runSettings(flags);
      const interrupted = interruption('test');
      const target = await findTarget(flags, process.env);
      const { runId } = settings;
      const folder = prepareReportFolder(flags.report ?? path.join('reports', 'out', runId));
      // Loaded here: whoever mistypes a flag need not wait for vitest.
      const { judge } = await import('../run/judge.ts');
      const { strict, shard } = flags;
      const judging = {
        ...(strict && { strict }),
        ...(shard && { shard }),
        ...(knownFailures && { knownFailures }),
        ...namedTarget(flags, target),
      };
      const isShard = shard !== undefined && shard.count > 1;
      return await judge({ ...settings, target, isShard }, judging, folder, interrupted);
    } catch (error) {
      if (error instanceof Unreachable) return unreachable('test', error);
      throw error;
    }
  },
};

function runSettings(flags: TestFlags): Omit<RunSettings, 'target'> {
  const selected = selectedRules(flags.only, flags.skip);
  return {
    runId: newRunId(),
    seed: flags.seed ?? randomInt(2 ** 31),
    runs: flags.runs,
    budget: flags.budget,
    patienceSeconds: flags.patience,
    ...(selected === undefined ? {} : { selected }),
    ...(flags.oracle === undefined ? {} : { oracle: flags.oracle }),
  };
}

async function planned(flags: TestFlags): Promise<number> {
  if (flags.shard !== undefined) throw new BadUsage('--plan is of a whole run: leave --shard out.');
  const settings = runSettings(flags);
  const file = await findTargetFile(flags, process.env);
  const { plan } = await import('../plan/rehearse-run.ts');
  process.stdout.write(await plan(file, process.env, settings));
  return 0;
}
