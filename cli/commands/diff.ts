/** The command `assay diff`: what two runs say differently, and whether the second is worse. */
import { writeFileSync } from 'node:fs';
import { Option } from 'commander';
import { compareReports } from '../../reports/diff/compare-reports.ts';
import type { ReportDiff } from '../../reports/diff/compare-reports.ts';
import { toHtml } from '../../reports/diff/html.ts';
import { toText } from '../../reports/diff/text.ts';
import { painterFor } from '../../reports/terminal.ts';
import type { Terminal } from '../../reports/terminal.ts';
import { withoutCommands } from '../../reports/workflow-command.ts';
import { jsonText } from '../../spec/json-text.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { oneOf } from '../command-line/flag-values.ts';
import { loadReport } from '../command-line/load-report.ts';
import type { CommandModule } from '../command-line/run-command.ts';

/** Colour is for what goes to `out`. */
const formats = {
  text: (diff, out) => toText(diff, painterFor(out)),
  json: (diff) => `${jsonText(diff, 2)}\n`,
  html: toHtml,
} satisfies Record<string, (diff: ReportDiff, out: Terminal) => string>;
type Format = keyof typeof formats;
const formatNames = Object.keys(formats) as Format[];

interface Flags {
  format: Format;
  output?: string;
}

export const subcommand: CommandModule = {
  define: (command) =>
    void command
      .argument('<first>', 'report.json, or the folder that holds it')
      .argument('<second>', 'the one that may be worse')
      .addOption(
        new Option('--format <name>', `one of ${formatNames.join(', ')}`).argParser(oneOf(formatNames)).default('text'),
      )
      .option('--output <file>', 'where it goes (default: standard output)'),
  async run(options, _, [first, second]) {
    const flags = options as unknown as Flags;
    const diff = compareReports(loadReport(String(first)), loadReport(String(second)));
    write(diff, flags);
    return diff.worse.length > 0 ? 1 : 0;
  },
};

function write(diff: ReportDiff, { format, output }: Flags): void {
  if (output === undefined) {
    const text = formats[format](diff, process.stdout);
    // What reads JSON or HTML from a pipe must find nothing else.
    process.stdout.write(format === 'text' ? withoutCommands(text) : text);
    return;
  }
  try {
    writeFileSync(output, formats[format](diff, { write: () => true }));
  } catch (error) {
    throw new UsageError(`"${output}" cannot be written: ${(error as Error).message}. Give --output FILE.`);
  }
}
