/** What two runs say differently: verdicts, observations, timings, and whether the second is worse. */
import type { Observation, Report, RuleResult, Verdict } from '../../spec/verdicts.ts';
import { whyOf } from '../format-reason.ts';

/** The version of the form that `assay diff --format json` writes. */
const DIFF_FORM = 1;

export interface ReportDiff {
  readonly diff: typeof DIFF_FORM;
  readonly first: Side;
  readonly second: Side;
  /** Empty where the second is no worse; sentences otherwise. */
  readonly worse: readonly string[];
  /** In the order of the first report. */
  readonly verdicts: readonly ChangedVerdict[];
  readonly onlyInFirst: readonly RuleResult[];
  readonly onlyInSecond: readonly RuleResult[];
  readonly observations: readonly ChangedObservation[];
  /** Those that changed most first. */
  readonly timings: readonly ChangedTiming[];
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
  readonly first: Said;
  readonly second: Said;
  readonly worse: boolean;
}

export type Said = Pick<RuleResult, 'verdict' | 'reason'>;

/** Each answer once, sorted; empty where the run did not ask. */
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

/** By the verdict of the first: which verdicts of the second are worse. */
const worseThan: Readonly<Record<Verdict, readonly Verdict[]>> = {
  passed: ['failed', 'error', 'not-tried'],
  observed: ['failed', 'error'],
  'known-failure': ['failed', 'error'],
  'not-tried': ['failed', 'error'],
  error: ['failed'],
  failed: [],
};

/** A rule's time has changed where it is more than twice as long or as short, and by more than this. */
const LEAST_CHANGE_MS = 100;

export function compareReports(first: Report, second: Report): ReportDiff {
  const pairs = inBoth(first, second);
  const verdicts = pairs.filter(([a, b]) => a.verdict !== b.verdict).map(([a, b]) => changedVerdict(a, b));
  const onlyInSecond = missingIn(first, second);
  return {
    diff: DIFF_FORM,
    first: sideOf(first),
    second: sideOf(second),
    worse: whyWorse(second, verdicts, onlyInSecond),
    verdicts,
    onlyInFirst: missingIn(second, first),
    onlyInSecond,
    observations: changedObservations(first.observations, second.observations),
    timings: changedTimings(pairs),
  };
}

function changedTimings(pairs: readonly Pair[]): ChangedTiming[] {
  const timings = pairs
    .filter((pair) => areTried(pair) && isTimingChanged(pair))
    .map(([a, b]) => ({ id: a.id, firstMs: a.durationMs, secondMs: b.durationMs }));
  const changeOf = ({ firstMs, secondMs }: ChangedTiming): number => Math.abs(firstMs - secondMs);
  return timings.toSorted((a, b) => changeOf(b) - changeOf(a));
}

/** What was left out took no time. */
const areTried = (pair: Pair): boolean => pair.every(({ verdict }) => verdict !== 'not-tried');

type Pair = readonly [RuleResult, RuleResult];

function inBoth(first: Report, second: Report): Pair[] {
  const byId = new Map(second.requirements.map((result) => [result.id, result]));
  return first.requirements.flatMap((a) => {
    const b = byId.get(a.id);
    return b === undefined ? [] : [[a, b] as const];
  });
}

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

const said = (result: RuleResult): Said =>
  result.reason === undefined ? { verdict: result.verdict } : { verdict: result.verdict, reason: whyOf(result) };

const changedVerdict = (a: RuleResult, b: RuleResult): ChangedVerdict => ({
  id: a.id,
  first: said(a),
  second: said(b),
  worse: worseThan[a.verdict].includes(b.verdict),
});

function whyWorse(second: Report, verdicts: readonly ChangedVerdict[], added: readonly RuleResult[]): string[] {
  const worse = verdicts.filter((change) => change.worse);
  const broken = added.filter(({ verdict }) => worseThan['not-tried'].includes(verdict));
  return [
    ...(second.run.complete ? [] : ['The second run was cut short.']),
    ...worse.map((change) => `${change.id} is ${change.second.verdict}, and was ${change.first.verdict}.`),
    ...broken.map(({ id, verdict }) => `${id} is ${verdict}, and was not there.`),
  ];
}

/** Runs are compared by id and question. */
function changedObservations(first: readonly Observation[], second: readonly Observation[]): ChangedObservation[] {
  const questionOf = ({ id, what }: Observation): string => JSON.stringify([id, what]);
  const [a, b] = [Map.groupBy(first, questionOf), Map.groupBy(second, questionOf)];
  const answers = (own: readonly Observation[] = []): string[] => [...new Set(own.map(({ saw }) => saw))].sort();
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((question) => {
    const [saw, sees] = [answers(a.get(question)), answers(b.get(question))];
    const [id, what] = JSON.parse(question) as [string, string];
    return JSON.stringify(saw) === JSON.stringify(sees) ? [] : [{ id, what, first: saw, second: sees }];
  });
}

function isTimingChanged([{ durationMs: a }, { durationMs: b }]: Pair): boolean {
  return Math.abs(a - b) > LEAST_CHANGE_MS && Math.max(a, b) > 2 * Math.min(a, b);
}
