/** `assay diff`: compares two reports; exit code 1 if the second has regressions. */
import { writeFileSync } from 'node:fs';
import { Option } from 'commander';
import { compareReports } from '../../reports/diff/compare-reports.ts';
import type { ReportDiff } from '../../reports/diff/compare-reports.ts';
import { toHtml } from '../../reports/diff/html.ts';
import { toText } from '../../reports/diff/text.ts';
import { styleFor } from '../../reports/terminal.ts';
import type { Terminal } from '../../reports/fit-terminal.ts';
import { withoutCommands } from '../../reports/workflow-command.ts';
import { jsonText } from '../../spec/json-text.ts';
import type { Report } from '../../spec/verdicts.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { oneOf } from '../command-line/flag-values.ts';
import { loadReport } from '../command-line/load-report.ts';
import { lastTwoRuns } from '../command-line/recent-reports.ts';
import type { CommandModule } from '../command-line/run-command.ts';

/** `out` decides about colours. */
const formats = {
  text: (diff, out) => toText(diff, styleFor(out)),
  json: (diff) => `${jsonText(diff, 2)}\n`,
  html: toHtml,
} satisfies Record<string, (diff: ReportDiff, out: Terminal) => string>;
type Format = keyof typeof formats;
const formatNames = Object.keys(formats) as Format[];

/** JSON and HTML are for programs that read them from a pipe, so they stay what they are. No line of them begins with `::`. */
const inert: Readonly<Record<Format, (text: string) => string>> = {
  text: (text) => withoutCommands(text),
  json: (text) => text.replaceAll('##[', String.raw`#\u0023[`),
  html: (text) => text.replaceAll('##[', '##&#91;'),
};

interface Flags {
  format: Format;
  output?: string;
  timings?: boolean;
}

export const subcommand: CommandModule = {
  examples: [
    'assay diff',
    'assay diff before/report.json after/report.json',
    'assay diff before after --format html --output diff.html',
  ],
  define: (command) =>
    void command
      .argument('[first]', 'report.json or its folder, of the earlier run (default: the last two runs of a target)')
      .argument('[second]', 'report.json or its folder, of the later run')
      .addOption(
        new Option('--format <name>', `one of ${formatNames.join(', ')}`).argParser(oneOf(formatNames)).default('text'),
      )
      .option('--output <file>', 'output file (default: standard output)')
      .option('--timings', 'also compares how long each rule took'),
  async run(options, _, [first, second]) {
    const flags = options as unknown as Flags;
    const [earlier, later] = reportsOf([first, second].filter((each) => each !== undefined).map(String));
    const diff = compareReports(earlier, later, { timings: flags.timings === true });
    write(diff, flags);
    return diff.worse.length > 0 ? 1 : 0;
  },
};

function reportsOf([first, second]: readonly string[]): [Report, Report] {
  if (first === undefined) return lastTwoRuns();
  if (second !== undefined) return [loadReport(first), loadReport(second)];
  throw new UsageError("'second' is missing. Pass two reports, or none to compare the last two runs of a target.");
}

function write(diff: ReportDiff, { format, output }: Flags): void {
  if (output === undefined) {
    const text = formats[format](diff, process.stdout);
    process.stdout.write(inert[format](text));
    return;
  }
  try {
    writeFileSync(output, formats[format](diff, { write: () => true }));
  } catch (error) {
    throw new UsageError(`"${output}" cannot be written: ${(error as Error).message}. Choose another --output FILE.`);
  }
}
