/** The words and forms in which a run with an oracle tells what a second reader of the documents made of the answers. */
import type { OperationId } from './generated/types.ts';
import type { SelfCheck } from './prism/self-check.ts';
import type { MustId, RequirementId } from './requirements/index.ts';
import type { ShapeFinding } from './verdicts.ts';

export const oracles = ['prism'] as const;
export type OracleName = (typeof oracles)[number];

/** Why an exchange was not for the oracle. */
export const uncheckedReasons = [
  'no answer came',
  'the request is of no operation',
  'the request is malformed JSON',
  'a message of MCP',
  'a stream',
  'the answer is no JSON',
] as const;
export type UncheckedReason = (typeof uncheckedReasons)[number];
export type UncheckedCounts = Readonly<Partial<Record<UncheckedReason, number>>>;

/** What the oracle made of the exchanges of one case. */
export interface OracleTally {
  /** Of the worker that ran the case; the first of its cases has them. */
  readonly canaries?: SelfCheck;
  /** Answers that both readers judged, and whose body the interface promises. */
  readonly checked: number;
  /** Request bodies that both readers judged. */
  readonly requests: number;
  /** Answers whose body the interface does not promise: nothing in them is a violation, whatever readers find. */
  readonly nothingToSay: number;
  readonly leftOut: UncheckedCounts;
  /** One for each operation, status, set of readers, rules that speak of it, and what it is of. */
  readonly misfits: readonly OracleMisfit[];
}

/** Bodies in which at least one reader found something wrong. */
export interface OracleMisfit {
  /** A request is told only where one reader alone finds fault: the suites send wrong ones on purpose. */
  readonly of: 'answer' | 'request';
  /** Who found it: `ours` is the Ajv that judges every answer of a run. */
  readonly readers: 'both' | 'ours' | 'prism';
  readonly operation: OperationId;
  readonly status: number;
  /** The rule that promises the body of the answer; absent where none does, and of requests. */
  readonly promised?: MustId;
  /** Rules that speak of the very fields in which fault is found. */
  readonly rules: readonly RequirementId[];
  readonly count: number;
  readonly example: OracleExample;
}

/** The one with the shortest request. */
export interface OracleExample {
  /** The rule whose case saw it. */
  readonly requirement: RequirementId;
  /** A line to paste; credentials stand as `$SVC_…`. */
  readonly curl: string;
  readonly ours: readonly ShapeFinding[];
  readonly prism: readonly ShapeFinding[];
}

/** The section `oracle` of report.json. */
export interface OracleReport {
  readonly name: OracleName;
  /** Of several shards the sums. */
  readonly canaries: SelfCheck;
  readonly checked: number;
  readonly requests: number;
  readonly nothingToSay: number;
  readonly leftOut: UncheckedCounts;
  /** Answers that both readers find wrong where the interface promises their body; by the rule that says so. */
  readonly violations: readonly OracleViolation[];
  readonly disagreements: readonly Disagreement[];
}

/**
 * The target's, whatever became of the rule. Where the rule was tried, its verdict decides the run. Where it was not, two
 * readers have seen what its case did not get to see: the verdict stays not-tried, and the run is not green (1). Where the
 * user left the rule out, or lists it as known to fail, the violation is told and no more.
 */
export interface OracleViolation {
  /** The rule that promises the body. */
  readonly requirement: RequirementId;
  /** Rules that speak of the very fields in which fault was found; absent in reports of older versions. */
  readonly rules?: readonly RequirementId[];
  readonly count: number;
  readonly example: OracleExample;
}

/**
 * Who is at fault where our reader, Prism and the catalogue do not say the same. `documents`: one reader finds fault with a
 * body in which the other finds none. `suites`: both do, in an answer, and the rule that promises it was tried and held. `target`: a rule is broken in a way that
 * documents cannot express; no fault of ours.
 */
export const blames = ['documents', 'suites', 'target'] as const;

export interface Disagreement {
  readonly blame: (typeof blames)[number];
  /** What the one says and the other does not, in a sentence. */
  readonly says: string;
  /** Bodies; of a rule 1. */
  readonly count: number;
  /** Absent where a rule is blamed on the target: its counterexample stands with the rule. */
  readonly example?: OracleExample;
}
