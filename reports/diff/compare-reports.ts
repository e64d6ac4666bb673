/** Compares two reports: verdicts, observations and, on request, timings; and whether the second is worse. */
import { verdicts as allVerdicts } from '../../spec/verdicts.ts';
import type { Observation, Report, RuleResult, Verdict } from '../../spec/verdicts.ts';
import { formatReason } from '../format-reason.ts';
import { countOf, isComparable } from '../report.ts';
import { withoutRulesAsOf } from '../rules-as-of.ts';
import { lacksOperation } from '../unmet-needs.ts';

/** The version of the format written by `assay diff --format json`. */
const DIFF_FORM = 1;

export interface ReportDiff {
  readonly diff: typeof DIFF_FORM;
  readonly first: Side;
  readonly second: Side;
  /** Regressions of the second run, one sentence each. */
  readonly worse: readonly string[];
  /** In the first report's order. */
  readonly verdicts: readonly ChangedVerdict[];
  readonly onlyInFirst: readonly RuleResult[];
  readonly onlyInSecond: readonly RuleResult[];
  /** Without those of rules that only one run tested. */
  readonly observations: readonly ChangedObservation[];
  /** How many observations one run made of rules that the other did not test. */
  readonly uncomparedObservationCount: number;
  /** The rules that only the second run tested, by verdict. */
  readonly newlyTested: Readonly<Partial<Record<Verdict, number>>>;
  /** The rules that only the first run tested, by verdict. */
  readonly notTestedAgain: ReportDiff['newlyTested'];
  /** By size of the change, descending. Absent if timings were not compared. */
  readonly timings?: readonly ChangedTiming[];
}

export interface CompareOptions {
  /** Whether to compare timings. Defaults to false, because they change in every run. */
  readonly timings?: boolean;
}

export interface Side {
  readonly run: string;
  readonly target: string;
  readonly assay: string;
  readonly complete: boolean;
  /** Wall time, in milliseconds. */
  readonly durationMs: number;
  readonly exchanges: number;
}

export interface ChangedVerdict {
  readonly id: string;
  readonly first: VerdictAndReason;
  readonly second: VerdictAndReason;
  readonly worse: boolean;
}

export type VerdictAndReason = Pick<RuleResult, 'verdict' | 'reason'>;

/** Distinct rendered values, sorted; empty if the run did not make the observation. */
export interface ChangedObservation {
  readonly id: string;
  readonly what: string;
  readonly first: readonly string[];
  readonly second: readonly string[];
}

export interface ChangedTiming {
  readonly id: string;
  readonly firstMs: number;
  readonly secondMs: number;
}

/** Which verdicts of the second run are regressions, by verdict of the first. */
const worseThan: Readonly<Record<Verdict, readonly Verdict[]>> = {
  passed: ['failed', 'error', 'not-tried'],
  observed: ['failed', 'error'],
  'known-failure': ['failed', 'error'],
  'not-tried': [],
  error: ['failed'],
  failed: [],
};

/** A timing counts as changed if it at least doubled or halved and the difference exceeds this. */
const MIN_CHANGE_MS = 100;

export function compareReports(first: Report, second: Report, { timings = false }: CompareOptions = {}): ReportDiff {
  const pairs = inBoth(first, second);
  const verdicts = pairs.filter(isChanged).map(([a, b]) => changedVerdict(a, b));
  const onlyInSecond = missingIn(first, second);
  const changed = changedObservations(first.observations, second.observations);
  const selectedInBoth = new Set(pairs.filter((pair) => pair.every(isComparable)).map(([{ id }]) => id as string));
  const inOne = new Set(pairs.map(([{ id }]) => id as string)).difference(selectedInBoth);
  const observations = changed.filter(({ id }) => !inOne.has(id));
  return {
    diff: DIFF_FORM,
    first: sideOf(first),
    second: sideOf(second),
    worse: regressions(second, verdicts),
    verdicts,
    onlyInFirst: missingIn(second, first),
    onlyInSecond,
    observations,
    uncomparedObservationCount: changed.length - observations.length,
    newlyTested: countByVerdict(pairs.filter(([a, b]) => !isComparable(a) && isComparable(b)).map(([, b]) => b)),
    notTestedAgain: countByVerdict(pairs.filter(([a, b]) => isComparable(a) && !isComparable(b)).map(([a]) => a)),
    ...(timings && { timings: changedTimings(pairs) }),
  };
}

/** That one of the runs did not select a rule, or did not reach it, is a change only if the rule fails in the other. */
const isChanged = (pair: Pair): boolean =>
  pair[0].verdict !== pair[1].verdict &&
  (pair.every(isComparable) || pair.some(({ verdict }) => verdict === 'failed' || verdict === 'error'));

function changedTimings(pairs: readonly Pair[]): ChangedTiming[] {
  const timings = pairs
    .filter((pair) => bothTried(pair) && isTimingChanged(pair))
    .map(([a, b]) => ({ id: a.id, firstMs: a.durationMs, secondMs: b.durationMs }));
  const changeOf = ({ firstMs, secondMs }: ChangedTiming): number => Math.abs(firstMs - secondMs);
  return timings.toSorted((a, b) => changeOf(b) - changeOf(a));
}

/** Rules that were not tried have no timing. */
const bothTried = (pair: Pair): boolean => pair.every(({ verdict }) => verdict !== 'not-tried');

type Pair = readonly [RuleResult, RuleResult];

/**
 * With the verdicts as they would be without --rules-as-of, which one of the runs may not have had. A rule that only waited for
 * an operation in the first one was not tried, even if that was a known failure.
 */
function inBoth(first: Report, second: Report): Pair[] {
  const byId = new Map(second.requirements.map((result) => [result.id, result]));
  return first.requirements.flatMap((a) => {
    const b = byId.get(a.id);
    return b === undefined ? [] : [[asUntried(withoutRulesAsOf(a), b), withoutRulesAsOf(b)] as const];
  });
}

const asUntried = (result: RuleResult, later: RuleResult): RuleResult =>
  lacksOperation(result) && !lacksOperation(later) ? { ...result, verdict: 'not-tried' } : result;

const countByVerdict = (results: readonly RuleResult[]): ReportDiff['newlyTested'] =>
  Object.fromEntries(allVerdicts.map((each) => [each, countOf(results, each)]).filter(([, count]) => count !== 0));

function missingIn(one: Report, other: Report): RuleResult[] {
  const ids = new Set(one.requirements.map(({ id }) => id));
  return other.requirements.filter(({ id }) => !ids.has(id));
}

const sideOf = ({ run, target, summary }: Report): Side => ({
  run: run.id,
  target: target.name,
  assay: run.assay,
  complete: run.complete,
  durationMs: Date.parse(run.endedAt) - Date.parse(run.startedAt),
  exchanges: summary.exchanges,
});

const verdictOf = (result: RuleResult): VerdictAndReason =>
  result.reason === undefined ? { verdict: result.verdict } : { verdict: result.verdict, reason: formatReason(result) };

const changedVerdict = (a: RuleResult, b: RuleResult): ChangedVerdict => ({
  id: a.id,
  first: verdictOf(a),
  second: verdictOf(b),
  // A rule that is newer than --rules-as-of does not fail the second run.
  worse: b.newer === undefined && worseThan[a.verdict].includes(b.verdict),
});

/** Not a rule that only the second report has: the first run did not try it. */
function regressions(second: Report, verdicts: readonly ChangedVerdict[]): string[] {
  const worse = verdicts.filter((change) => change.worse);
  return [
    ...(second.run.complete ? [] : ['The second run was interrupted.']),
    ...worse.map((change) => `${change.id}: ${change.second.verdict}, was ${change.first.verdict}.`),
  ];
}

/** Observations are matched by rule id and description. */
function changedObservations(first: readonly Observation[], second: readonly Observation[]): ChangedObservation[] {
  const observationKey = ({ id, what }: Observation): string => JSON.stringify([id, what]);
  const [a, b] = [Map.groupBy(first, observationKey), Map.groupBy(second, observationKey)];
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((key) => {
    const [values, otherValues] = [renderedByValue(a.get(key)), renderedByValue(b.get(key))];
    const isSame = new Set(values.keys()).symmetricDifference(otherValues).size === 0;
    const [id, what] = JSON.parse(key) as [string, string];
    return isSame ? [] : [{ id, what, first: rendered(values), second: rendered(otherValues) }];
  });
}

const renderedByValue = (own: readonly Observation[] = []): ReadonlyMap<string, string> =>
  new Map(own.map(({ value, saw }) => [JSON.stringify(value), saw]));

const rendered = (values: ReadonlyMap<string, string>): string[] => [...new Set(values.values())].sort();

function isTimingChanged([{ durationMs: a }, { durationMs: b }]: Pair): boolean {
  return Math.abs(a - b) > MIN_CHANGE_MS && Math.max(a, b) > 2 * Math.min(a, b);
}
