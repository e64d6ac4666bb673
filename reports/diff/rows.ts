/** The verdict and the tables of a comparison, shared by all of its formats: what is worse comes first. */
import { counted } from '../../spec/counted.ts';
import type { Verdict } from '../../spec/verdicts.ts';
import type { ChangedVerdict, ReportDiff, VerdictAndReason } from './compare-reports.ts';

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  /** The maximum number of rows in the terminal; omitted: all. */
  readonly maxRows?: number;
}

export interface Row {
  readonly id: string;
  /** What was observed, for an observation. */
  readonly what?: string;
  readonly first: string;
  readonly second: string;
  readonly worse: boolean;
}

type Compared = Pick<ChangedVerdict, 'id' | 'worse'> & {
  /** Undefined for a rule that only the other report has. */
  readonly first: VerdictAndReason | undefined;
  readonly second: VerdictAndReason | undefined;
};

const isOneOf =
  (...verdicts: readonly Verdict[]) =>
  (side: VerdictAndReason | undefined): boolean =>
    side !== undefined && verdicts.includes(side.verdict);
const isFailing = isOneOf('failed', 'error');
const wasFailing = isOneOf('failed', 'error', 'known-failure');
const isGood = isOneOf('passed', 'observed');
const isNotTried = isOneOf('not-tried');

/** A changed verdict belongs to the first section that it fits. */
const verdictSections: readonly (readonly [string, (change: Compared) => boolean])[] = [
  ['Newly failing', ({ second, worse }) => worse && isFailing(second)],
  ['Fixed', ({ first, second }) => wasFailing(first) && isGood(second)],
  ['No longer tried', ({ first, second }) => first !== undefined && isNotTried(second)],
  ['Newly tried', ({ first }) => isNotTried(first)],
  ['Other changes of verdicts', ({ first, second }) => first !== undefined && second !== undefined],
  ['Rules only in the first run', ({ second }) => second === undefined],
  ['Rules only in the second run', ({ first }) => first === undefined],
];

/** Omits sections without rows. */
export function sectionsOf(diff: ReportDiff): Section[] {
  const { observations, timings = [] } = diff;
  const byTitle = Map.groupBy(
    comparedRules(diff),
    (change) => verdictSections.find(([, belongs]) => belongs(change))?.[0],
  );
  const sections: Section[] = [
    ...verdictSections.map(([title]) => ({ title, rows: (byTitle.get(title) ?? []).map(verdictRow) })),
    {
      title: 'Observations that differ',
      rows: observations.map(({ id, what, first, second }) => ({
        ...row(id, joinValues(first), joinValues(second)),
        what,
      })),
    },
    {
      title: 'Timings that changed',
      maxRows: 10,
      rows: timings.map(({ id, firstMs, secondMs }) =>
        row(id, `${Math.round(firstMs)} ms`, `${Math.round(secondMs)} ms`),
      ),
    },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

const comparedRules = ({ verdicts, onlyInFirst, onlyInSecond }: ReportDiff): Compared[] => [
  ...verdicts,
  ...onlyInFirst.map((first) => ({ id: first.id, first, second: undefined, worse: false })),
  ...onlyInSecond.map((second) => ({ id: second.id, first: undefined, second, worse: false })),
];

const verdictRow = ({ id, first, second, worse }: Compared): Row => ({
  ...row(id, verdictText(first), verdictText(second)),
  worse,
});

const row = (id: string, first: string, second: string): Row => ({ id, first, second, worse: false });

function verdictText(side: VerdictAndReason | undefined): string {
  if (side === undefined) return '—';
  return side.reason === undefined ? side.verdict : `${side.verdict}: ${side.reason}`;
}

const joinValues = (saw: readonly string[]): string => (saw.length === 0 ? 'not observed' : saw.join(' / '));

/** What no section lists. */
export function notesOf({ uncomparedObservationCount: uncompared, newlyTested, notTestedAgain }: ReportDiff): string[] {
  const observations = counted(uncompared, 'observation');
  return [
    ...countsSentence('Newly tested', newlyTested),
    ...countsSentence('Not tested again', notTestedAgain),
    ...(uncompared === 0 ? [] : [`Not compared: ${observations} of rules that only one run tested.`]),
  ];
}

/** As "Newly tested: 12 rules (10 passed, 2 failed)." Empty if there are none. */
function countsSentence(what: string, byVerdict: ReportDiff['newlyTested']): string[] {
  const counts = Object.entries(byVerdict);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const each = counts.map(([verdict, count]) => `${count} ${verdict}`).join(', ');
  return total === 0 ? [] : [`${what}: ${counted(total, 'rule')} (${each}).`];
}

/** One line per run. */
export const sideLines = ({ first, second }: ReportDiff): string[] =>
  [first, second].map(
    ({ run, target, assay, complete, durationMs, exchanges }) =>
      `${target}, run ${run} of assay ${assay}${complete ? '' : ', interrupted'}: ${exchanges} exchanges in ${(durationMs / 1000).toFixed(1)} s`,
  );

/** In one sentence. */
export function diffVerdict(diff: ReportDiff): string {
  const regressions = diff.worse.length - (diff.second.complete ? 0 : 1);
  const regressionCount = regressions === 0 ? [] : [counted(regressions, 'regression')];
  const interrupted = diff.second.complete ? [] : ['the second run was interrupted'];
  if (diff.worse.length > 0) return [...regressionCount, ...interrupted].join('; ');
  if (sectionsOf(diff).length === 0)
    return notesOf(diff).length === 0 ? 'No differences.' : 'No differences in what both runs tested.';
  const tried = [
    ...diff.verdicts.filter(({ first }) => isNotTried(first)).map(({ second }) => second),
    ...diff.onlyInSecond,
  ];
  const { length: failing } = tried.filter(isFailing);
  const newly = failing === 0 ? [] : [counted(failing, 'newly tried rule fails', 'newly tried rules fail')];
  const untried = diff.verdicts.filter(
    (each) => each.first.verdict === 'failed' && each.second.verdict === 'not-tried',
  );
  const ids = untried.map(({ id }) => id).join(', ');
  const again = `${counted(untried.length, 'failed rule was', 'failed rules were')} not tried again: ${ids}`;
  const remarks = [...newly, ...(untried.length === 0 ? [] : [again])];
  return remarks.length === 0 ? 'No regressions.' : `No regressions, but ${remarks.join('; ')}.`;
}
