/** The words and forms in which a run tells what happened: version 1 of report.json, exchanges.ndjson, observations.json. */
import type { OperationId } from './generated/types.ts';
import type { RequirementId } from './requirements/index.ts';

import type { Verdict } from './formats/report-values.ts';
import type { RuleResult, Summary } from './formats/report.ts';

export { knownFailureStates, REPORT_FORM, verdicts } from './formats/report-values.ts';
export type { Verdict } from './formats/report-values.ts';
export type { KnownFailure } from './formats/known-failures.ts';
export type {
  Counterexample,
  JudgedKnownFailure,
  Observation,
  Report,
  RuleResult,
  RunFacts,
  Summary,
  TargetFacts,
} from './formats/report.ts';

/** One line of exchanges.ndjson: a request and its answer as sent and received, secrets left out. */
export interface ExchangeRecord {
  /** Counted from 1 in the order in which the requests were sent. */
  readonly number: number;
  /** Absent for what the run does for itself: reading the account, provisioning, clearing up. */
  readonly requirement?: RequirementId;
  /** Absent where the request is of no operation: an unknown path or method. */
  readonly operation?: OperationId;
  /** The credential that it carried as it is, by the name of its variable; absent for none, and for an altered one. */
  readonly credential?: string;
  readonly request: RequestRecord;
  /** Null when no answer came; `failure` then says why. */
  readonly answer: ResponseRecord | null;
  readonly failure?: string;
  /** Milliseconds from the sending to the answer's last byte, or to the failure. */
  readonly durationMs: number;
  /** Where the answer does not fit its schema; empty where it fits or no shape is documented. */
  readonly findings: readonly ShapeFinding[];
  /** Where the oracle finds that the answer does not fit; absent where it was not asked, or finds nothing in what nobody promises. */
  readonly oracle?: readonly ShapeFinding[];
}

export interface RequestRecord {
  readonly method: string;
  readonly url: string;
  /** Names in lower case; a credential stands as `$SVC_…`. */
  readonly headers: HeaderRecord;
  /** Text as sent; null where there is none. */
  readonly body: string | null;
}

export interface ResponseRecord {
  readonly status: number;
  readonly headers: HeaderRecord;
  /** Text as received, bytes outside UTF-8 replaced; null where there is none. */
  readonly body: string | null;
}

/** A repeated header keeps its values in order. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[]>>;

/** One place where a body does not fit its schema. */
export interface ShapeFinding {
  /** JSON pointer into the body. */
  readonly at: string;
  readonly says: string;
}

/** Counts results by verdict. */
export function summarize(results: readonly RuleResult[], exchanges: number): Summary {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    knownFailure: count('known-failure'),
    notTried: count('not-tried'),
    observed: count('observed'),
    error: count('error'),
    exchanges,
  };
}
