/** What a run did, from which its report is built. */
import type { CaseOutcome } from '../spec/case-outcome.ts';
import type { OperationId } from '../spec/operations.ts';
import type { OracleName } from '../spec/oracle.ts';
import type { RequirementId } from '../spec/requirements/index.ts';
import type { KnownFailure, RuleResult, RunFacts, TargetFacts } from '../spec/verdicts.ts';
import { byReason } from './report.ts';
import type { RunRecord } from './report.ts';

/** What decides how a run is judged and described. */
export interface JudgingSettings {
  readonly strict?: boolean;
  /** Newer rules only observe; omitted: all rules count. */
  readonly rulesAsOf?: string;
  /** One sentence per suspicious response before the run. */
  readonly warnings?: readonly string[];
  /** As specified by the user; omitted if the target did not come from a file. */
  readonly targetFile?: string;
  /** The management URL, if specified instead of a file. */
  readonly baseUrl?: string;
  /** The flags of the mock whose command the run is; omitted for other targets. */
  readonly mock?: readonly string[];
  readonly knownFailures?: readonly KnownFailure[];
  /** Whether the operations of the target are those of --operation. */
  readonly chosenOperations?: boolean;
  /** Requests per second, if a flag says so. */
  readonly rate?: number;
  /** Such as `1/3`. Omitted: a whole run. */
  readonly shard?: string;
}

/** The settings of a run that its report names. */
interface RunDescription {
  readonly target: TargetFacts & { readonly operations?: readonly OperationId[] };
  readonly seed: number;
  readonly runs: number;
  readonly runId: string;
  readonly selected?: readonly RequirementId[];
  readonly isQuick?: boolean;
  readonly oracle?: OracleName;
  /** Omitted: the default. */
  readonly patienceSeconds?: number;
  /** In bytes. */
  readonly maxBody?: number;
}

interface RunEnd {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly outcomes: readonly CaseOutcome[];
  /** False if the run was interrupted, or a mistake in assay may have lost a verdict. */
  readonly isComplete: boolean;
  /** The rules of the shard. Omitted: all. */
  readonly shardRules?: readonly RequirementId[];
}

export function recordOf(
  assay: string,
  described: RunDescription,
  judging: JudgingSettings,
  { startedAt, outcomes, isComplete, shardRules }: RunEnd,
): RunRecord {
  const { seed, runs, runId, selected, oracle, patienceSeconds, maxBody } = described;
  const { name, addresses, brand, allow, operations } = described.target;
  const {
    strict,
    rulesAsOf,
    warnings = [],
    shard,
    chosenOperations,
    rate,
    knownFailures,
    targetFile,
    baseUrl,
    mock,
  } = judging;
  const suspicious = [...endedCredentials(outcomes.map(({ result }) => result)), ...warnings];
  const run: RunFacts = {
    id: runId,
    seed,
    runs,
    startedAt,
    endedAt: new Date().toISOString(),
    assay,
    shard: shard ?? null,
    complete: isComplete,
    stoppedBy: isComplete ? stoppedBy(described, outcomes) : null,
    ...(targetFile !== undefined && { targetFile }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(mock !== undefined && { mock: [...mock] }),
    ...(patienceSeconds !== undefined && { patience: patienceSeconds }),
    ...(maxBody !== undefined && { maxBody }),
    ...(rate !== undefined && { rate }),
    ...(strict === true && { strict }),
    ...(rulesAsOf !== undefined && { rulesAsOf }),
    ...(operations !== undefined && { operations: [...operations] }),
    ...(chosenOperations === true && { chosenOperations }),
    ...(suspicious.length > 0 && { warnings: suspicious }),
  };
  return {
    run,
    target: { name, addresses, brand, allow },
    // An interruption ends the time of the run: cases without a verdict count as not reached.
    outcomes: isComplete ? outcomes : outcomes.filter(({ result }) => result.missing !== 'time'),
    ...(selected !== undefined && { selected }),
    ...(oracle !== undefined && { oracle }),
    ...(knownFailures !== undefined && { knownFailures }),
    ...(shardRules !== undefined && { shardRules }),
  };
}

/** A sentence for each credential that ended before or during the run, which its reason says. */
const endedCredentials = (results: readonly RuleResult[]): string[] =>
  byReason(results.filter(({ missing }) => missing === 'lifetime')).map(
    ([reason, { length }]) =>
      `${reason}: ${length === 1 ? 'a rule that needs' : `${length} rules that need`} it could not be tried.`,
  );

function stoppedBy(
  { isQuick }: RunDescription,
  outcomes: readonly CaseOutcome[],
): NonNullable<RunFacts['stoppedBy']> | null {
  if (outcomes.some(({ isCut }) => isCut)) return 'time';
  if (outcomes.some(({ isBailed }) => isBailed)) return 'bail';
  return isQuick === true ? 'quick' : null;
}
