/** Types of the report section about the oracle, a second validator of responses. */
import type { OperationId } from './generated/types.ts';
import type { SelfCheck } from './prism/self-check.ts';
import type { MustId, RequirementId } from './requirements/index.ts';
import type { ShapeFinding } from './shape-finding.ts';

export const oracles = ['prism'] as const;
export type OracleName = (typeof oracles)[number];

/** Why the oracle did not check an exchange. */
export const uncheckedReasons = [
  'no answer came',
  'its operation is not selected',
  'the request is of no operation',
  'the request is malformed JSON',
  'a message of MCP',
  'a stream',
  'the answer is no JSON',
] as const;
export type UncheckedReason = (typeof uncheckedReasons)[number];
export type UncheckedCounts = Readonly<Partial<Record<UncheckedReason, number>>>;

/** Results of the oracle for the exchanges of one case. */
export interface OracleTally {
  /** Self-check of the run; only its first case has it. */
  readonly canaries?: SelfCheck;
  /** Responses with a documented body that both validators checked. */
  readonly checked: number;
  /** Request bodies that both validators checked. */
  readonly requests: number;
  /** Responses without a documented body; findings in them are not violations. */
  readonly nothingToSay: number;
  readonly leftOut: UncheckedCounts;
  /** Grouped by operation, status, validators, rules, and request or response. */
  readonly misfits: readonly OracleMisfit[];
}

/** Bodies in which at least one validator found an error. */
export interface OracleMisfit {
  /** Requests are reported only if the validators disagree, because the suites send invalid ones on purpose. */
  readonly of: 'answer' | 'request';
  /** Who found it; `ours` is the Ajv that checks every response of a run. */
  readonly readers: 'both' | 'ours' | 'prism';
  readonly operation: OperationId;
  readonly status: number;
  /** The rule that documents the response body, if any. Absent for requests. */
  readonly promised?: MustId;
  /** Rules about the invalid fields. */
  readonly rules: readonly RequirementId[];
  readonly count: number;
  readonly example: OracleExample;
}

/** The example with the shortest request. */
export interface OracleExample {
  /** The rule whose case sent the request. */
  readonly requirement: RequirementId;
  /** A command to reproduce it, with credentials as `$SVC_…`. */
  readonly curl: string;
  readonly ours: readonly ShapeFinding[];
  readonly prism: readonly ShapeFinding[];
}

/** The section `oracle` of report.json. */
export interface OracleReport {
  readonly name: OracleName;
  /** Summed over shards. */
  readonly canaries: SelfCheck;
  readonly checked: number;
  readonly requests: number;
  readonly nothingToSay: number;
  readonly leftOut: UncheckedCounts;
  /** Responses with a documented body that both validators reject, by rule. */
  readonly violations: readonly OracleViolation[];
  readonly disagreements: readonly Disagreement[];
}

/**
 * A violation by the target, regardless of the verdict of the rule. If the rule was tried, its verdict decides the run. If
 * not, its verdict remains not-tried and the run exits with 1. If the user skipped the rule or lists it as a known failure, the
 * violation is only reported.
 */
export interface OracleViolation {
  /** The rule that documents the body. */
  readonly requirement: RequirementId;
  /** Rules about the invalid fields. Absent in reports of older versions. */
  readonly rules?: readonly RequirementId[];
  readonly count: number;
  readonly example: OracleExample;
}

/**
 * Whose error it is if our validator, Prism and the catalogue disagree. `documents`: only one validator rejects a body.
 * `suites`: both reject a response although the rule that documents it passed. `target`: a rule is violated in a way that
 * documents cannot express, which is not an error of ours.
 */
export const blamedParts = ['documents', 'suites', 'target'] as const;

export interface Disagreement {
  readonly blame: (typeof blamedParts)[number];
  /** One sentence about the disagreement. */
  readonly says: string;
  /** Number of bodies; 1 for a rule. */
  readonly count: number;
  /** Absent for the target, because the rule has a counterexample. */
  readonly example?: OracleExample;
}
