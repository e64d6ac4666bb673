/** `assay lint`: lints an OpenAPI document with the conventions of the interface. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Option } from 'commander';
import { surfaces } from '../../spec/documents.ts';
import { redactUrl } from '../../spec/formats/secrets.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { oneOf } from '../command-line/flag-values.ts';
import { baselineText, NoBaseline, readBaseline, withoutKnown } from '../lint/baseline.ts';
import type { Linted, LintFinding, LintReport } from '../lint/finding.ts';
import { allFindings, counted } from '../lint/finding.ts';
import { github } from '../lint/formats/github.ts';
import { json } from '../lint/formats/json.ts';
import { junit } from '../lint/formats/junit.ts';
import { sarif } from '../lint/formats/sarif.ts';
import { stylish } from '../lint/formats/stylish.ts';
import { lintDocument } from '../lint/lint-document.ts';
import { isAddress, readDocument, Unreadable } from '../lint/read-source.ts';
import type { CommandModule } from '../command-line/run-command.ts';

const formats = { stylish, json, sarif, junit, github } satisfies Record<string, (report: LintReport) => string>;
type Format = keyof typeof formats;
const formatNames = Object.keys(formats) as Format[];

interface Flags {
  format: Format;
  coverage?: boolean;
  baseline?: string;
  writeBaseline?: string;
}

export const subcommand: CommandModule = {
  examples: [
    'assay lint openapi.yaml',
    'assay lint openapi.yaml --format sarif > lint.sarif',
    'assay lint openapi.yaml --write-baseline known.json',
    'assay lint openapi.yaml --baseline known.json',
  ],
  define: (command) =>
    void command
      .argument(
        '[document]',
        "OpenAPI 3.0 or 3.1 document, YAML or JSON: a file or a URL (default: the service's own documents)",
      )
      .addOption(
        new Option('--format <name>', `one of ${formatNames.join(', ')}`)
          .argParser(oneOf(formatNames))
          .default('stylish'),
      )
      .option('--coverage', 'also reports what the document lacks of the interface')
      .option('--baseline <file>', 'ignores the findings listed in this file')
      .addOption(
        new Option('--write-baseline <file>', 'writes all findings to this file, for --baseline').conflicts('baseline'),
      ),
  async run(options, _words, [document]) {
    const { format, coverage, baseline, writeBaseline } = options as unknown as Flags;
    const known = baseline === undefined ? [] : baselineEntries(baseline);
    const linted = await lintAll(typeof document === 'string' ? [document] : ownDocuments());
    const judged = coverage === true ? linted.map(withCoverageCounted) : linted;
    if (writeBaseline !== undefined) return write(writeBaseline, judged);
    const report = withoutKnown(judged, known);
    process.stdout.write(formats[format](relativeTo(process.cwd(), report)));
    return allFindings(report).length === 0 ? 0 : 1;
  },
};

const ownDocuments = (): string[] =>
  surfaces.map((surface) => fileURLToPath(new URL(`../../spec/generated/${surface}.json`, import.meta.url)));

async function lintAll(names: readonly string[]): Promise<Linted[]> {
  const all: Linted[] = [];
  for (const name of names) {
    try {
      all.push(await lintDocument(await readDocument(name)));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      throw new UsageError(`${name === '' ? '""' : redactUrl(name)}: ${error.message}`);
    }
  }
  return all;
}

function baselineEntries(file: string) {
  try {
    return readBaseline(file);
  } catch (error) {
    if (error instanceof NoBaseline) throw new UsageError(error.message);
    throw error;
  }
}

const withCoverageCounted = (linted: Linted): Linted => ({
  ...linted,
  findings: [...linted.findings, ...linted.coverage.map((each) => ({ ...each, severity: 'warning' as const }))],
  coverage: [],
});

function write(file: string, linted: readonly Linted[]): number {
  try {
    writeFileSync(file, baselineText(linted));
  } catch (error) {
    throw new UsageError(`The baseline ${file} cannot be written: ${(error as Error).message}`);
  }
  const { length } = linted.flatMap(({ findings }) => findings);
  process.stdout.write(`${counted(length, 'finding')} written to ${file}.\n`);
  return 0;
}

/** A query may contain a token. */
const withoutQuery = (address: string): string => address.replace(/[?#].*$/s, '');

/** Paths relative to the folder for files in it, as editors and CI expect. */
function relativeTo(folder: string, report: LintReport): LintReport {
  const name = (source: string) => {
    const relative = isAddress(source) ? withoutQuery(source) : path.relative(folder, source);
    return relative.startsWith('..') ? source : relative;
  };
  const named = (findings: readonly LintFinding[]) => findings.map((each) => ({ ...each, source: name(each.source) }));
  const documents = report.documents.map((each) => ({
    ...each,
    document: name(each.document),
    findings: named(each.findings),
    coverage: named(each.coverage),
  }));
  return { ...report, documents };
}
