/** The form of what `assay lint` tells, whichever way it is printed. */
import type { Coverage } from '../../spec/coverage/coverage.ts';

export interface LintFinding {
  /** Of the ruleset, or `parser`, `invalid-ref`, `coverage`. */
  rule: string;
  severity: 'error' | 'warning' | 'note';
  message: string;
  /** JSON Pointer (RFC 6901) into the source. */
  pointer: string;
  /** The file or address that it stands in. */
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
  /** How many findings the baseline knew and left out. */
  known: number;
  /** Entries of the baseline that nothing fits any more. */
  stale: readonly BaselineEntry[];
}

/** A finding that a team knows of, whatever line it stands on. */
export interface BaselineEntry {
  rule: string;
  /** File, where it is not the document itself, and JSON Pointer, with `*` for places in lists: `parts.yaml#/Agent/allOf/*`. */
  at: string;
  message: string;
}

export const allFindings = ({ documents }: LintReport): LintFinding[] => documents.flatMap(({ findings }) => findings);
export const allCoverage = ({ documents }: LintReport): LintFinding[] => documents.flatMap(({ coverage }) => coverage);

/** `2 findings`, `1 finding`. */
export const counted = (amount: number, word: string): string => `${amount} ${word}${amount === 1 ? '' : 's'}`;
