/** The findings of `assay lint`, independent of the output format. */
import type { Coverage } from '../../spec/coverage/coverage.ts';

export interface LintFinding {
  /** Of the ruleset, or `parser`, `invalid-ref`, `coverage`. */
  rule: string;
  severity: 'error' | 'warning' | 'note';
  message: string;
  /** JSON Pointer (RFC 6901) into the source. */
  pointer: string;
  /** The file or URL that contains it. */
  source: string;
  start: Position;
  /** Exclusive. */
  end: Position;
  requirements: readonly string[];
}

/** Both count from 1. */
export interface Position {
  line: number;
  column: number;
}

/** What was found in one document. */
export interface Linted {
  document: string;
  findings: readonly LintFinding[];
  /** What the document lacks of the interface; no findings. */
  coverage: readonly LintFinding[];
  operations: Coverage['operations'];
}

/** A whole call of the command. */
export interface LintReport {
  documents: readonly Linted[];
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

export const allFindings = ({ documents }: LintReport): LintFinding[] => documents.flatMap(({ findings }) => findings);
export const allCoverage = ({ documents }: LintReport): LintFinding[] => documents.flatMap(({ coverage }) => coverage);

/** `2 findings`, `1 finding`. */
export const counted = (amount: number, word: string): string => `${amount} ${word}${amount === 1 ? '' : 's'}`;
