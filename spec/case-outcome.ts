/** What one case hands to the report: its requirement's result, what it observed, and how the answers it saw fit the documents. */
import type { OracleTally } from './oracle.ts';
import type { Counterexample, Observation, RuleResult } from './verdicts.ts';

export interface CaseOutcome {
  readonly result: RuleResult;
  readonly observations: readonly Observation[];
  readonly shapes: ShapeTally;
  /** Absent in a run without an oracle. */
  readonly oracle?: OracleTally;
}

/** Success answers of documented operations against their schemas (resources.shapes.fit-the-schema). */
export interface ShapeTally {
  readonly fitted: number;
  readonly misfitted: number;
  /** The first of them. */
  readonly misfits: readonly Counterexample[];
}
