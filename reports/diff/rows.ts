/** The tables of a comparison, shared by all of its formats. */
import type { ReportDiff, VerdictAndReason } from './compare-reports.ts';

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

/** Omits sections without rows. */
export function sectionsOf(diff: ReportDiff): Section[] {
  const { verdicts, observations, timings, onlyInFirst, onlyInSecond } = diff;
  const sections: Section[] = [
    {
      title: 'Verdicts that changed',
      rows: verdicts.map(({ id, first, second, worse }) => ({
        id,
        first: verdictText(first),
        second: verdictText(second),
        worse,
      })),
    },
    {
      title: 'Rules only in the first run',
      rows: onlyInFirst.map(({ id, ...result }) => row(id, verdictText(result), '—')),
    },
    {
      title: 'Rules only in the second run',
      rows: onlyInSecond.map(({ id, ...result }) => row(id, '—', verdictText(result))),
    },
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

const row = (id: string, first: string, second: string): Row => ({ id, first, second, worse: false });

const verdictText = ({ verdict, reason }: VerdictAndReason): string =>
  reason === undefined ? verdict : `${verdict}: ${reason}`;

const joinValues = (saw: readonly string[]): string => (saw.length === 0 ? 'not observed' : saw.join(' / '));

/** One line per run. */
export const sideLines = ({ first, second }: ReportDiff): string[] =>
  [first, second].map(
    ({ run, target, assay, complete, durationMs, exchanges }) =>
      `${target}, run ${run} of assay ${assay}${complete ? '' : ', interrupted'}: ${exchanges} exchanges in ${(durationMs / 1000).toFixed(1)} s`,
  );

export const diffVerdict = ({ worse, ...diff }: ReportDiff): string => {
  if (worse.length > 0) return worse.length === 1 ? '1 regression' : `${worse.length} regressions`;
  if (sectionsOf({ ...diff, worse }).length === 0) return 'No differences.';
  const untried = diff.verdicts.filter(
    (each) => each.first.verdict === 'failed' && each.second.verdict === 'not-tried',
  );
  if (untried.length === 0) return 'No regressions.';
  const ids = untried.map(({ id }) => id).join(', ');
  return `No regressions, but ${untried.length} failed ${untried.length === 1 ? 'rule was' : 'rules were'} not tried again: ${ids}.`;
};
