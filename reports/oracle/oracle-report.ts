/** What the oracle's readings of a run come to: our reader, Prism and the catalogue compared, and who is to blame where they differ. */
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import type {
  Disagreement,
  LeftOut,
  LeftOutCounts,
  OracleExample,
  OracleMisfit,
  OracleName,
  OracleReport,
  OracleTally,
  OracleViolation,
} from '../../spec/oracle.ts';
import type { Canaries } from '../../spec/prism/canaries.ts';
import type { MustId, RequirementId } from '../../spec/requirements/index.ts';
import type { RuleResult } from '../../spec/verdicts.ts';

export interface Compared {
  readonly name: OracleName;
  readonly outcomes: readonly CaseOutcome[];
  /** The results of the run, with the rules that the user left out among them. */
  readonly results: readonly RuleResult[];
  /** Rules that the user left in; undefined: all. */
  readonly selected?: readonly RequirementId[] | undefined;
}

export function oracleReport(compared: Compared): OracleReport {
  const tallies = compared.outcomes.flatMap(({ oracle }) => oracle ?? []);
  const seen = misfitsOf(compared);
  const violations = seen.filter(isViolation);
  return {
    name: compared.name,
    canaries: canariesOf(tallies),
    checked: sum(tallies.map(({ checked }) => checked)),
    requests: sum(tallies.map(({ requests }) => requests)),
    nothingToSay: sum(tallies.map(({ nothingToSay }) => nothingToSay)),
    leftOut: leftOutOf(tallies),
    violations: byRule(violations),
    disagreements: [
      ...readDifferently(seen),
      ...saidByNoRule(violations, compared),
      ...seenByRulesAlone(compared, seen),
    ],
  };
}

/** A misfit, and what became of the case that saw it. */
interface Seen {
  readonly misfit: OracleMisfit;
  readonly result: RuleResult;
}
type Violation = Seen & { readonly misfit: { readonly promised: MustId } };

const misfitsOf = ({ outcomes }: Compared): Seen[] =>
  outcomes.flatMap(({ oracle, result }) => (oracle?.misfits ?? []).map((misfit) => ({ misfit, result })));

const isViolation = (seen: Seen): seen is Violation =>
  seen.misfit.readers === 'both' && seen.misfit.promised !== undefined;

function byRule(violations: readonly Violation[]): OracleViolation[] {
  return [...Map.groupBy(violations, ({ misfit }) => misfit.promised)].map(([requirement, own]) => ({
    requirement,
    rules: [...new Set(own.flatMap(({ misfit }) => misfit.rules))],
    ...together(own),
  }));
}

/** How often, and the shortest example. */
function together(seen: readonly Seen[]): { count: number; example: OracleExample } {
  const examples = seen.map(({ misfit }) => misfit.example);
  return {
    count: sum(seen.map(({ misfit }) => misfit.count)),
    example: examples.reduce((short, each) => (each.curl.length < short.curl.length ? each : short)),
  };
}

/** By what an answer or a request is of, in words. */
const grouped = (seen: readonly Seen[]): [string, Seen[]][] => [...Map.groupBy(seen, ({ misfit }) => nameOf(misfit))];

const nameOf = ({ of, operation, status }: OracleMisfit): string =>
  of === 'answer' ? `${operation} ${status}` : `request body of ${operation}`;

const oneSided = {
  ours: 'our reader finds fault, Prism none',
  prism: 'Prism finds fault, our reader none',
} as const;

const readDifferently = (seen: readonly Seen[]): Disagreement[] =>
  (['ours', 'prism'] as const).flatMap((who) =>
    grouped(seen.filter(({ misfit }) => misfit.readers === who)).map(([name, own]): Disagreement => ({
      blame: 'documents',
      says: `${name}: ${oneSided[who]}`,
      ...together(own),
    })),
  );

/** Of one operation, status and promise: a rule whose case saw one of them may speak for all. */
function saidByNoRule(violations: readonly Violation[], compared: Compared): Disagreement[] {
  const byAnswer = Map.groupBy(violations, ({ misfit }) => `${misfit.promised} ${nameOf(misfit)}`);
  return [...byAnswer.values()].flatMap((seen): Disagreement[] => {
    const [{ misfit }] = seen as [Violation];
    const [name, { promised }] = [nameOf(misfit), misfit];
    if (seen.some(({ result }) => isRed(result)) || !hasPassed(promised, compared)) return [];
    return [
      { blame: 'suites', says: `${name}: both readers find fault, and ${promised} does not say so`, ...together(seen) },
    ];
  });
}

const isRed = ({ verdict }: RuleResult): boolean => verdict === 'failed' || verdict === 'known-failure';

/** A rule that erred or was not tried, that was left out or that is of another shard leaves the question open. */
function hasPassed(id: RequirementId, { results, selected }: Compared): boolean {
  const isWanted = selected?.includes(id) !== false;
  return isWanted && results.find((result) => result.id === id)?.verdict === 'passed';
}

/** Red rules in whose answers no reader finds anything. */
function seenByRulesAlone({ results }: Compared, seen: readonly Seen[]): Disagreement[] {
  const told = new Set(seen.flatMap(({ misfit, result }) => [misfit.promised, result.id]));
  return results
    .filter((result) => isRed(result) && !told.has(result.id))
    .map(({ id }) => ({ blame: 'target', says: `${id}: broken in a way that documents cannot express`, count: 1 }));
}

function canariesOf(tallies: readonly OracleTally[]): Canaries {
  const all = tallies.flatMap(({ canaries }) => canaries ?? []);
  return {
    sent: sum(all.map(({ sent }) => sent)),
    caught: sum(all.map(({ caught }) => caught)),
    missed: [...new Set(all.flatMap(({ missed }) => missed))],
    nothingToSay: [...new Set(all.flatMap(({ nothingToSay }) => nothingToSay))],
  };
}

function leftOutOf(tallies: readonly OracleTally[]): LeftOutCounts {
  const counts: Partial<Record<LeftOut, number>> = {};
  for (const { leftOut } of tallies)
    for (const [reason, count] of Object.entries(leftOut) as [LeftOut, number][])
      counts[reason] = (counts[reason] ?? 0) + count;
  return counts;
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
