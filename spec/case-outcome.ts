/** What one case reports: the result of its requirement, its observations, and schema checks of the responses it received. */
import type { Element } from './elements/element.ts';
import type { OracleTally } from './oracle.ts';
import type { Counterexample, Observation, RuleResult } from './verdicts.ts';

export interface CaseOutcome {
  readonly result: RuleResult;
  readonly observations: readonly Observation[];
  readonly shapes: ShapeTally;
  /** The documented elements that this case was the first of the run to exercise. */
  readonly exercised: readonly ElementName[];
  /** Whether the time of the run was over before all inputs were tested. */
  readonly isCut?: true;
  /** The same because of --bail. */
  readonly isBailed?: true;
  /** The input of a replay, if it holds. */
  readonly replayed?: unknown;
  /** Absent in a run without an oracle. */
  readonly oracle?: OracleTally;
}

export type ElementName = Pick<Element, 'operation' | 'element'>;

/** Success responses of documented operations against their schemas (resources.shapes.fit-the-schema). */
export interface ShapeTally {
  readonly fitted: number;
  readonly misfitted: number;
  /** The first of them. */
  readonly misfits: readonly Counterexample[];
}
