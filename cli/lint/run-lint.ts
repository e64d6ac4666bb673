/** Lints the documents of one call of the command, and formats what was found. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fitTerminal } from '../../reports/fit-terminal.ts';
import { counted } from '../../spec/counted.ts';
import { surfaces } from '../../spec/openapi-document.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { baselineText, canBeInBaseline, UnusableBaseline, readBaseline, removeKnownFindings } from './baseline.ts';
import { groupByCause } from './causes.ts';
import { printableName } from './document-name.ts';
import type { LintedDocument, LintFinding, LintReport, Severity } from './finding.ts';
import { allFindings, sortFindings, isFailing } from './finding.ts';
import { github } from './formats/github.ts';
import { json } from './formats/json.ts';
import { junit } from './formats/junit.ts';
import type { FormatName } from './formats/names.ts';
import { sarif } from './formats/sarif.ts';
import { stylish } from './formats/stylish.ts';
import { lintDocument } from './lint-document.ts';
import { isAddress, readDocument, UnreadableSource } from './read-source.ts';
import { repositoryRoot } from './repository-root.ts';
import type { UserRuleset } from './ruleset/load-ruleset.ts';
import { loadRuleset } from './ruleset/load-ruleset.ts';

type Format = (report: LintReport, options: { listsRecognized: boolean; folder: string }) => string;

const formats: Readonly<Record<FormatName, Format>> = {
  stylish: (report, options) => fitTerminal(stylish(report, options), process.stdout),
  json,
  sarif,
  junit,
  github,
};

/** Read by tools that know the repository, not the working directory. */
const IN_REPOSITORY: readonly FormatName[] = ['sarif', 'junit', 'github'];

export interface LintRequest {
  /** Files, URLs, and `-` for standard input. Empty: the service's own documents. */
  readonly documents: readonly string[];
  readonly format: FormatName;
  readonly coverage?: boolean;
  /** Less severe findings are printed, but do not fail the run. Absent: every finding fails it. */
  readonly failSeverity?: Severity;
  /** A file that replaces our ruleset, which it may extend. */
  readonly ruleset?: string;
  readonly baseline?: string;
  readonly writeBaseline?: string;
}

export interface LintOutcome {
  readonly code: number;
  readonly output: string;
}

/** Throws UsageError. */
export async function runLint(request: LintRequest): Promise<LintOutcome> {
  const { documents, format, coverage = false, failSeverity = 'hint', baseline, writeBaseline } = request;
  if (documents.length > 1 && (baseline ?? writeBaseline) !== undefined)
    throw new UsageError('A baseline is of one document, because its entries do not name it. Lint one at a time.');
  const known = baseline === undefined ? [] : baselineEntries(baseline);
  const ruleset = request.ruleset === undefined ? undefined : await loadRuleset(request.ruleset);
  const linted = await lintAll(documents.length === 0 ? ownDocuments() : documents, ruleset);
  const judged = coverage ? linted.map(withCoverageCounted) : linted;
  if (writeBaseline !== undefined) return { code: 0, output: write(writeBaseline, judged) };
  const remaining = removeKnownFindings(judged, known);
  const report = { ...remaining, documents: remaining.documents.map(groupByCause), failSeverity };
  const folder = IN_REPOSITORY.includes(format) ? repositoryRoot(process.cwd()) : process.cwd();
  const output = formats[format](relativeTo(folder, report), { listsRecognized: coverage, folder });
  return { code: allFindings(report).some((each) => isFailing(each, report)) ? 1 : 0, output };
}

const ownDocuments = (): string[] =>
  surfaces.map((surface) => fileURLToPath(new URL(`../../spec/generated/${surface}.json`, import.meta.url)));

async function lintAll(names: readonly string[], ruleset: UserRuleset | undefined): Promise<LintedDocument[]> {
  const all: LintedDocument[] = [];
  for (const name of names) {
    try {
      all.push(await lintDocument(await readDocument(name), ruleset));
    } catch (error) {
      // Rules call themselves for each level of a schema and for each reference in a chain.
      const isTooDeep = error instanceof RangeError && error.message.includes('call stack');
      if (!isTooDeep && !(error instanceof UnreadableSource)) throw error;
      const why = isTooDeep ? 'It is nested too deeply.' : error.message;
      throw new UsageError(`${printableName(name)}: ${why}`);
    }
  }
  return all;
}

function baselineEntries(file: string) {
  try {
    return readBaseline(file);
  } catch (error) {
    if (error instanceof UnusableBaseline) throw new UsageError(error.message);
    throw error;
  }
}

const withCoverageCounted = (linted: LintedDocument): LintedDocument => ({
  ...linted,
  findings: sortFindings([
    ...linted.findings,
    ...linted.coverage.map((each) => ({ ...each, severity: 'warning' as const })),
  ]),
  coverage: [],
});

/** Returns what to print. */
function write(file: string, linted: readonly LintedDocument[]): string {
  const unread = linted.flatMap(({ findings }) => findings).find((each) => !canBeInBaseline(each));
  if (unread !== undefined) throw new UsageError(`The baseline ${file} is not written. ${describeUnread(unread)}`);
  try {
    writeFileSync(file, baselineText(linted));
  } catch (error) {
    throw new UsageError(`The baseline ${file} cannot be written: ${(error as Error).message}`);
  }
  const { length } = linted.flatMap(({ findings }) => findings);
  return `${counted(length, 'finding')} written to ${file}.\n`;
}

const describeUnread = ({ source, start, message }: LintFinding): string =>
  `${nameIn(process.cwd(), source)}:${start.line}:${start.column} is not valid YAML or JSON (${message}), so the other findings are unknown. Correct it first.`;

/** A query may contain a token. */
const withoutQuery = (address: string): string => address.replace(/[?#].*$/s, '');

function nameIn(folder: string, source: string): string {
  const relative = isAddress(source) ? withoutQuery(source) : path.relative(folder, source);
  return relative.startsWith('..') ? source : relative;
}

/** Paths relative to the folder for files in it, as editors and CI expect. */
function relativeTo(folder: string, report: LintReport): LintReport {
  const name = (source: string) => nameIn(folder, source);
  const named = (findings: readonly LintFinding[]) =>
    findings.map(({ more, ...each }) => ({
      ...each,
      source: name(each.source),
      ...(more !== undefined && { more: more.map((place) => ({ ...place, source: name(place.source) })) }),
    }));
  const documents = report.documents.map((each) => ({
    ...each,
    document: name(each.document),
    findings: named(each.findings),
    coverage: named(each.coverage),
  }));
  return { ...report, documents };
}
