/** Compares our schema checks, Prism and the catalogue for a run, and says which one is wrong where they disagree. */
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import type {
  Disagreement,
  UncheckedReason,
  UncheckedCounts,
  OracleExample,
  OracleMisfit,
  OracleName,
  OracleReport,
  OracleTally,
  OracleViolation,
} from '../../spec/oracle.ts';
import type { SelfCheck } from '../../spec/prism/self-check.ts';
import type { MustId, RequirementId } from '../../spec/requirements/index.ts';
import type { RuleResult } from '../../spec/verdicts.ts';

export interface OracleRun {
  readonly name: OracleName;
  readonly outcomes: readonly CaseOutcome[];
  /** All results of the run, including skipped rules. */
  readonly results: readonly RuleResult[];
  /** Rules selected by --only and --skip; undefined: all. */
  readonly selected?: readonly RequirementId[] | undefined;
}

export function oracleReport(run: OracleRun): OracleReport {
  const tallies = run.outcomes.flatMap(({ oracle }) => oracle ?? []);
  const misfits = misfitsOf(run);
  const violations = misfits.filter(isViolation);
  return {
    name: run.name,
    canaries: canariesOf(tallies),
    checked: sum(tallies.map(({ checked }) => checked)),
    requests: sum(tallies.map(({ requests }) => requests)),
    nothingToSay: sum(tallies.map(({ nothingToSay }) => nothingToSay)),
    leftOut: skippedCounts(tallies),
    violations: byRule(violations),
    disagreements: [
      ...readerDisagreements(misfits),
      ...missedBySuites(violations, run),
      ...foundOnlyByRules(run, misfits),
    ],
  };
}

/** A misfit and the result of the case that received it. */
interface CaseMisfit {
  readonly misfit: OracleMisfit;
  readonly result: RuleResult;
}
type Violation = CaseMisfit & { readonly misfit: { readonly promised: MustId } };

const misfitsOf = ({ outcomes }: OracleRun): CaseMisfit[] =>
  outcomes.flatMap(({ oracle, result }) => (oracle?.misfits ?? []).map((misfit) => ({ misfit, result })));

const isViolation = (misfits: CaseMisfit): misfits is Violation =>
  misfits.misfit.readers === 'both' && misfits.misfit.promised !== undefined;

function byRule(violations: readonly Violation[]): OracleViolation[] {
  return [...Map.groupBy(violations, ({ misfit }) => misfit.promised)].map(([requirement, own]) => ({
    requirement,
    rules: [...new Set(own.flatMap(({ misfit }) => misfit.rules))],
    ...summarizeMisfits(own),
  }));
}

/** The count and the shortest example. */
function summarizeMisfits(misfits: readonly CaseMisfit[]): { count: number; example: OracleExample } {
  const examples = misfits.map(({ misfit }) => misfit.example);
  return {
    count: sum(misfits.map(({ misfit }) => misfit.count)),
    example: examples.reduce((short, each) => (each.curl.length < short.curl.length ? each : short)),
  };
}

/** Grouped by operation and status, or by request body. */
const grouped = (misfits: readonly CaseMisfit[]): [string, CaseMisfit[]][] => [
  ...Map.groupBy(misfits, ({ misfit }) => nameOf(misfit)),
];

const nameOf = ({ of, operation, status }: OracleMisfit): string =>
  of === 'answer' ? `${operation} ${status}` : `request body of ${operation}`;

const oneReaderText = {
  ours: 'violates the schema according to assay, not according to Prism',
  prism: 'violates the schema according to Prism, not according to assay',
} as const;

const readerDisagreements = (misfits: readonly CaseMisfit[]): Disagreement[] =>
  (['ours', 'prism'] as const).flatMap((who) =>
    grouped(misfits.filter(({ misfit }) => misfit.readers === who)).map(([name, own]): Disagreement => ({
      blame: 'documents',
      says: `${name}: ${oneReaderText[who]}`,
      ...summarizeMisfits(own),
    })),
  );

/** Violations that both readers found although the rule passed; one failed rule explains its whole operation and status. */
function missedBySuites(violations: readonly Violation[], run: OracleRun): Disagreement[] {
  const byAnswer = Map.groupBy(violations, ({ misfit }) => `${misfit.promised} ${nameOf(misfit)}`);
  return [...byAnswer.values()].flatMap((misfits): Disagreement[] => {
    const [{ misfit }] = misfits as [Violation];
    const [name, { promised }] = [nameOf(misfit), misfit];
    if (misfits.some(({ result }) => isFailure(result)) || !hasPassed(promised, run)) return [];
    return [
      {
        blame: 'suites',
        says: `${name}: both readers find violations, but ${promised} passed`,
        ...summarizeMisfits(misfits),
      },
    ];
  });
}

const isFailure = ({ verdict }: RuleResult): boolean => verdict === 'failed' || verdict === 'known-failure';

/** False for rules that errored, were not tried or skipped, or belong to another shard. */
function hasPassed(id: RequirementId, { results, selected }: OracleRun): boolean {
  const isSelected = selected?.includes(id) !== false;
  return isSelected && results.find((result) => result.id === id)?.verdict === 'passed';
}

/** Failed rules for which no reader found anything. */
function foundOnlyByRules({ results }: OracleRun, misfits: readonly CaseMisfit[]): Disagreement[] {
  const explained = new Set(misfits.flatMap(({ misfit, result }) => [misfit.promised, result.id]));
  return results
    .filter((result) => isFailure(result) && !explained.has(result.id))
    .map(({ id }) => ({ blame: 'target', says: `${id}: violated in a way that schemas cannot express`, count: 1 }));
}

function canariesOf(tallies: readonly OracleTally[]): SelfCheck {
  const all = tallies.flatMap(({ canaries }) => canaries ?? []);
  return {
    sent: sum(all.map(({ sent }) => sent)),
    caught: sum(all.map(({ caught }) => caught)),
    missed: [...new Set(all.flatMap(({ missed }) => missed))],
    nothingToSay: [...new Set(all.flatMap(({ nothingToSay }) => nothingToSay))],
  };
}

function skippedCounts(tallies: readonly OracleTally[]): UncheckedCounts {
  const counts: Partial<Record<UncheckedReason, number>> = {};
  for (const { leftOut } of tallies)
    for (const [reason, count] of Object.entries(leftOut) as [UncheckedReason, number][])
      counts[reason] = (counts[reason] ?? 0) + count;
  return counts;
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
