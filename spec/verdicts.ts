/** Types of the result files of a run: version 1 of report.json, exchanges.ndjson and observations.json. */
import type { ShapeFinding } from './shape-finding.ts';
import type { OperationId } from './generated/types.ts';
import type { RequirementId } from './requirements/index.ts';

import type { Verdict } from './formats/report-values.ts';
import type { RuleResult, Summary } from './formats/report.ts';

export { knownFailureStates, REPORT_FORM, verdicts } from './formats/report-values.ts';
export type { Verdict } from './formats/report-values.ts';
export type { KnownFailure } from './formats/known-failures.ts';
export type {
  Counterexample,
  Coverage,
  JudgedKnownFailure,
  Observation,
  Report,
  RuleResult,
  RunFacts,
  Summary,
  TargetFacts,
} from './formats/report.ts';

/** One line of exchanges.ndjson: a request and its response as sent and received, without secrets. */
export interface ExchangeRecord {
  /** Counted from 1 in the order in which the requests were sent. */
  readonly number: number;
  /** Absent for requests of the run itself: reading the account, provisioning, cleaning up. */
  readonly requirement?: RequirementId;
  /** Absent if the path or method matches no operation. */
  readonly operation?: OperationId;
  /** The variable of the unmodified credential it was sent with. Absent without a credential or with a modified one. */
  readonly credential?: string;
  readonly request: RequestRecord;
  /** Null if no response arrived; `failure` then has the reason. */
  readonly answer: ResponseRecord | null;
  readonly failure?: string;
  /** Milliseconds from sending to the last byte of the response, or to the failure. */
  readonly durationMs: number;
  /** When the request was sent, in milliseconds since the epoch. Absent in files of older versions. */
  readonly startedAt?: number;
  /** Parts of the exchange that are not known, such as `the response body`. Present in recordings of a proxy only. */
  readonly unknown?: readonly string[];
  /** Schema violations in the response. Empty if it is valid or its shape is not documented. */
  readonly findings: readonly ShapeFinding[];
  /** Schema violations found by the oracle. Absent if it did not check the response, or found nothing in an undocumented body. */
  readonly oracle?: readonly ShapeFinding[];
}

export interface RequestRecord {
  readonly method: string;
  readonly url: string;
  /** Names are lowercase; credentials are replaced by `$SVC_…`. */
  readonly headers: HeaderRecord;
  /** The body as sent; null without a body. */
  readonly body: string | null;
}

export interface ResponseRecord {
  readonly status: number;
  readonly headers: HeaderRecord;
  /** The body as received, with invalid UTF-8 replaced; null without a body. */
  readonly body: string | null;
}

/** A repeated header has its values in order. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[]>>;

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
