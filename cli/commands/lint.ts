/** `assay lint`: lints an OpenAPI document with the conventions of the interface. */
import { Option } from 'commander';
import { duration, oneOf } from '../command-line/flag-values.ts';
import type { CommandModule } from '../command-line/run-command.ts';
import type { Severity } from '../lint/finding.ts';
import { formatNames } from '../lint/formats/names.ts';
import type { FormatName } from '../lint/formats/names.ts';
import { DEFAULT_TIME_MS, lintInChild } from '../lint/lint-in-child.ts';

interface Flags {
  format: FormatName;
  coverage?: boolean;
  failSeverity?: FailSeverity;
  ruleset?: string;
  baseline?: string;
  writeBaseline?: string;
  time?: number;
}

/** The words of Spectral for severities. */
const FAIL_SEVERITIES = { error: 'error', warn: 'warning', info: 'info', hint: 'hint' } as const satisfies Record<
  string,
  Severity
>;

type FailSeverity = keyof typeof FAIL_SEVERITIES;

export const subcommand: CommandModule = {
  examples: [
    'assay lint openapi.yaml',
    'assay lint billing.yaml agents.yaml',
    'assay lint openapi.yaml --format sarif > lint.sarif',
    'assay lint openapi.yaml --fail-severity error',
    'assay lint openapi.yaml --ruleset team.yaml',
    'assay lint openapi.yaml --write-baseline known.json',
    'assay lint openapi.yaml --baseline known.json',
  ],
  define: (command) =>
    void command
      .argument(
        '[document...]',
        "OpenAPI 3.0, 3.1 or 3.2 documents, YAML or JSON: files, URLs, or - for standard input (default: the service's own documents)",
      )
      .addOption(
        new Option('--format <name>', `one of ${formatNames.join(', ')}`)
          .argParser(oneOf(formatNames))
          .default('stylish'),
      )
      .option(
        '--coverage',
        'also reports what the document lacks of the interface, and lists the resources it recognizes',
      )
      .addOption(
        new Option(
          '--fail-severity <level>',
          `one of ${Object.keys(FAIL_SEVERITIES).join(', ')}; less severe findings are printed, but do not fail the run`,
        )
          .argParser(oneOf(Object.keys(FAIL_SEVERITIES)))
          .default('hint'),
      )
      .option(
        '--ruleset <file>',
        'uses this Spectral ruleset, YAML, JSON or JavaScript, instead of ours, which it may extend',
      )
      .option('--baseline <file>', 'ignores the findings listed in this file')
      .addOption(
        new Option('--write-baseline <file>', 'writes all findings to this file, for --baseline').conflicts('baseline'),
      )
      .option(
        '--time <duration>',
        `stops with an error after this time (default: ${DEFAULT_TIME_MS / 1000}s)`,
        duration,
      ),
  async run(options, _words, positional) {
    const { time = DEFAULT_TIME_MS, failSeverity = 'hint', ...flags } = options as unknown as Flags;
    const request = { ...flags, failSeverity: FAIL_SEVERITIES[failSeverity] };
    return lintInChild({ ...request, documents: positional.flat() }, time);
  },
};
