/** `assay merge`: combines the reports of several shards of a run. */
import path from 'node:path';
import type { Command } from 'commander';
import { writeActionsOutput } from '../../reports/actions.ts';
import { MergeError, mergeShards } from '../../reports/merge.ts';
import { mergeExchanges } from '../../reports/merge-exchanges.ts';
import { readShard } from '../../reports/read-report.ts';
import { displayFolder } from '../../reports/replay-command.ts';
import { exitCodeOf } from '../../reports/failure-causes.ts';
import { buildReport } from '../../reports/report.ts';
import type { RunRecord } from '../../reports/report.ts';
import { styleFor, terminalReport } from '../../reports/terminal.ts';
import { writeReport } from '../../reports/write-report.ts';
import { outputLine, withoutCommands } from '../../reports/workflow-command.ts';
import { counted } from '../../spec/counted.ts';
import { REPORTS_FOLDER } from '../command-line/reports-folder.ts';
import { AREAS_DESCRIPTION } from '../command-line/flag-values.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { prepareReportFolder } from '../run/prepare-report-folder.ts';
import { EXCHANGES_FILE } from '../run/report-folder.ts';
import type { CommandModule } from '../command-line/run-command.ts';

interface Flags {
  report?: string;
  har?: boolean;
  areas?: boolean;
}

export const subcommand: CommandModule = {
  examples: ['assay merge shard-1 shard-2 shard-3 --report merged'],
  define(command: Command) {
    command
      .argument('<dir...>', 'report folders of all shards of one run')
      .option('--report <dir>', 'report folder (default: reports/out/RUN-merged)')
      .option('--har', 'also writes the exchanges as a HAR file')
      .option('--areas', AREAS_DESCRIPTION);
  },
  async run(options, _, positional) {
    const folders = positional.flat().map((folder) => path.resolve(folder));
    const record = merged(folders);
    const {
      report: given = path.join(REPORTS_FOLDER, `${record.run.id.split('+', 1)[0]}-merged`),
      har = false,
      areas = false,
    } = options as Flags;
    const folder = prepareReportFolder(given);
    if (folders.includes(folder)) throw new UsageError('--report must not be the folder of a shard.');
    const report = buildReport(record);
    const files = folders.map((each) => path.join(each, EXCHANGES_FILE));
    for (const { file, lines } of await mergeExchanges(files, path.join(folder, EXCHANGES_FILE)))
      process.stderr.write(outputLine(`Skipped ${counted(lines, 'truncated line')} of ${displayFolder(file)}.`));
    await writeReport(report, record, folder, { har });
    process.stdout.write(withoutCommands(terminalReport(report, styleFor(process.stdout), { folder, areas })));
    writeActionsOutput(report, folder, process.env, process.stdout);
    process.stdout.write(outputLine(`The report is in ${displayFolder(folder)}.`));
    return exitCodeOf(report);
  },
};

function merged(folders: readonly string[]): RunRecord {
  try {
    return mergeShards(folders.map(readShard));
  } catch (error) {
    if (error instanceof MergeError) throw new UsageError(error.message);
    throw error;
  }
}
