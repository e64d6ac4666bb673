/** The findings of `assay lint`, independent of the output format. */
import type { Coverage } from '../../spec/coverage/coverage.ts';

/** From the most to the least severe. */
export const severities = ['error', 'warning', 'info', 'hint'] as const;

export type Severity = (typeof severities)[number];

export interface LintFinding {
  /** Of the ruleset, or `parser`, `string-keys`, `invalid-ref`, `coverage`. */
  rule: string;
  severity: Severity;
  message: string;
  /** JSON Pointer (RFC 6901) into the source. */
  pointer: string;
  /** The file or URL that contains it. */
  source: string;
  start: Position;
  /** Exclusive. */
  end: Position;
  requirements: readonly string[];
  /** What several findings have in common. Absent: this finding has one place. */
  cause?: string;
  /** The other places of the cause. */
  more?: readonly FindingPlace[];
}

/** A place of a finding, with the message about it. */
export type FindingPlace = Pick<LintFinding, 'message' | 'pointer' | 'source' | 'start' | 'end'>;

/** Both count from 1. */
export interface Position {
  line: number;
  column: number;
}

/** A rule that was on. */
export interface LintRule {
  id: string;
  description: string;
  requirements: readonly string[];
  /** Its documentation as Markdown; only of our own rules. */
  help?: string;
  /** Its documentation, a URL; only of rules of users and of Spectral. */
  helpUri?: string;
}

/** What the rules for resources are about, and why. */
export interface Recognized {
  resources: readonly { name: string; pointer: string; reason: string }[];
  /** `operations`: `list GET /gadgets`; `noResourceReason`: why what it contains is no resource. */
  collections: readonly { path: string; operations: readonly string[]; noResourceReason?: string }[];
}

/** What was found in one document. */
export interface LintedDocument {
  document: string;
  /** False if it is not valid YAML or JSON: then no rule was applied. */
  isLinted: boolean;
  rules: readonly LintRule[];
  recognized: Recognized;
  findings: readonly LintFinding[];
  /** What the document lacks of the interface; no findings. */
  coverage: readonly LintFinding[];
  operations: Coverage['operations'];
}

/** A whole call of the command. */
export interface LintReport {
  documents: readonly LintedDocument[];
  /** Findings of this severity, or a higher one, fail the run. */
  failSeverity: Severity;
  /** The number of findings omitted because of the baseline. */
  known: number;
  /** Entries of the baseline that nothing fits any more. */
  stale: readonly BaselineEntry[];
}

/** A known finding, independent of its line. */
export interface BaselineEntry {
  rule: string;
  /** The file, unless it is the document itself, and the JSON Pointer with `*` for array indexes: `parts.yaml#/Agent/allOf/*`. */
  at: string;
  message: string;
}

/** Sorts by line within each source; sources stay in the order of their first finding. */
export function sortFindings(findings: readonly LintFinding[]): LintFinding[] {
  const bySource = Map.groupBy(findings, ({ source }) => source);
  return [...bySource.values()].flatMap((each) =>
    each.toSorted(({ start: one }, { start: other }) => one.line - other.line || one.column - other.column),
  );
}

export const allFindings = ({ documents }: LintReport): LintFinding[] => documents.flatMap(({ findings }) => findings);
export const allCoverage = ({ documents }: LintReport): LintFinding[] => documents.flatMap(({ coverage }) => coverage);

/** All places of a finding, each with its message. */
export const placesOf = (finding: LintFinding): FindingPlace[] => [finding, ...(finding.more ?? [])];

/** Whether the finding fails the run. */
export const isFailing = ({ severity }: LintFinding, { failSeverity }: Pick<LintReport, 'failSeverity'>): boolean =>
  severities.indexOf(severity) <= severities.indexOf(failSeverity);
