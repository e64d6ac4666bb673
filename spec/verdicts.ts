/** The words and forms in which a run tells what happened: version 1 of report.json, exchanges.ndjson, observations.json. */
import type { OperationId } from './generated/types.ts';
import type { Surface } from './operations.ts';
import type { KnownFailure } from './formats/known-failures.ts';
import type { OracleReport } from './oracle.ts';
import type { ObserveId, Requirement, RequirementId } from './requirements/index.ts';
import type { Allow } from './formats/target-values.ts';

/**
 * What a run says of a requirement.
 * `passed`: something was tried and held. `failed`: an answer broke the rule. `known-failure`: failed, and listed as known.
 * `not-tried`: a need is missing, or nothing came up to judge. `observed`: an observe rule whose behaviour was recorded.
 * `error`: trouble of the harness or of the network; says nothing of the target.
 */
export const verdicts = ['passed', 'failed', 'known-failure', 'not-tried', 'observed', 'error'] as const;
export type Verdict = (typeof verdicts)[number];

/** The version of the report form that this package writes. */
export const REPORT_FORM = 1;

/** The whole of report.json. */
export interface Report {
  readonly report: typeof REPORT_FORM;
  readonly run: RunFacts;
  readonly target: TargetFacts;
  readonly summary: Summary;
  /** One line a requirement of the catalogue (of the shard, where there are shards), in the catalogue's order. */
  readonly requirements: readonly RuleResult[];
  readonly observations: readonly Observation[];
  /** What became of the failures that the user listed; absent where none are listed. */
  readonly knownFailures?: readonly JudgedKnownFailure[];
  /** What a second reader of the documents says of the answers; absent in a run without an oracle. */
  readonly oracle?: OracleReport;
  /** What the run made or changed and could not undo, and why, a sentence each; absent where it could undo all. */
  readonly left?: readonly string[];
}

export interface RunFacts {
  /** Also in the names of what the run created: `assay-<id>-…`. */
  readonly id: string;
  /** Decides every generated input: a 32-bit whole number. */
  readonly seed: number;
  /** Inputs per property. */
  readonly runs: number;
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  /** RFC 3339, UTC; of a run cut short, when it was cut. */
  readonly endedAt: string;
  /** The version of assay. */
  readonly assay: string;
  /** `I/N` counted from 1, or null for a whole run. */
  readonly shard: string | null;
  /** False for a run cut short: never green, whatever the verdicts. */
  readonly complete: boolean;
  /** As the user named it, so that a failed case can be tried again; absent where the target came from elsewhere. */
  readonly targetFile?: string;
  /** The management address, where the user gave that instead of a file; absent elsewhere. */
  readonly baseUrl?: string;
  /** A must rule that is not tried makes the run fail; absent where it does not. */
  readonly strict?: true;
}

/** The target without its credentials. */
export interface TargetFacts {
  readonly name: string;
  /** Only the surfaces that the target has. */
  readonly addresses: { readonly [S in Surface]?: string };
  readonly brand: string;
  readonly allow: Allow;
}

/** Requirements by verdict, and the number of exchanges of the run. */
export interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly knownFailure: number;
  readonly notTried: number;
  readonly observed: number;
  readonly error: number;
  readonly exchanges: number;
}

/** What a run says of one requirement. */
export interface RuleResult {
  readonly id: RequirementId;
  readonly level: Requirement['level'];
  /** The rule's text when the run was made. */
  readonly rule: string;
  readonly verdict: Verdict;
  /** Absent when passed. Failed: saw and expected; not tried: the missing need; error: what went wrong. */
  readonly reason?: string;
  /** Milliseconds of wall time. */
  readonly durationMs: number;
  /** Exchanges made for this requirement; 0 when nothing was tried. */
  readonly exchanges: number;
  /** Of a failed requirement, known or not. */
  readonly counterexample?: Counterexample;
}

/** The smallest input found that breaks a rule, and how to send it again. */
export interface Counterexample {
  /** As JSON: what the case generated or chose. */
  readonly input: unknown;
  readonly seed: number;
  /** Where the seed's shrinking ended (`3:1:0`); with the seed it leads back to this input. Empty for a fixed input. */
  readonly path: string;
  /** Which property of the case, counted from 1, has that path; absent for a fixed input. */
  readonly property?: number;
  /** Lines to paste, of which the last request shows it; credentials stand as `$SVC_…`. */
  readonly curl: string;
  readonly expected: string;
  readonly actual: string;
}

/**
 * `failed`: it fails, as listed. `passed`: it no longer does, so the entry is stale. `expired`: its last day was before the
 * run began, whatever the verdict. `not-judged`: the run says nothing of it. Stale and expired entries make the run fail.
 */
export const knownFailureStates = ['failed', 'passed', 'expired', 'not-judged'] as const;

export interface JudgedKnownFailure extends KnownFailure {
  readonly state: (typeof knownFailureStates)[number];
}

export type { KnownFailure };

/** What a target does where the document is silent. */
export interface Observation {
  readonly id: ObserveId;
  /** The question, in words: two runs are compared by id and this text. */
  readonly what: string;
  readonly saw: string;
}

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
  readonly answer: AnswerRecord | null;
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

export interface AnswerRecord {
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
