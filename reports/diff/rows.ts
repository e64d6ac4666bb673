/** The tables of a comparison, whatever form it is shown in. */
import type { ReportDiff, Said } from './compare-reports.ts';

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  /** How many of the rows one reads where there is little room; left out: all. */
  readonly most?: number;
}

export interface Row {
  readonly id: string;
  /** The question of an observation. */
  readonly what?: string;
  readonly first: string;
  readonly second: string;
  readonly worse: boolean;
}

/** Those without rows are left out. */
export function sectionsOf(diff: ReportDiff): Section[] {
  const { verdicts, observations, timings, onlyInFirst, onlyInSecond } = diff;
  const sections: Section[] = [
    {
      title: 'Verdicts that changed',
      rows: verdicts.map(({ id, first, second, worse }) => ({ id, first: words(first), second: words(second), worse })),
    },
    { title: 'Rules of the first alone', rows: onlyInFirst.map(({ id, ...result }) => row(id, words(result), '—')) },
    { title: 'Rules of the second alone', rows: onlyInSecond.map(({ id, ...result }) => row(id, '—', words(result))) },
    {
      title: 'Observations that differ',
      rows: observations.map(({ id, what, first, second }) => ({ ...row(id, answers(first), answers(second)), what })),
    },
    {
      title: 'Rules that took another time',
      most: 10,
      rows: timings.map(({ id, firstMs, secondMs }) =>
        row(id, `${Math.round(firstMs)} ms`, `${Math.round(secondMs)} ms`),
      ),
    },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

const row = (id: string, first: string, second: string): Row => ({ id, first, second, worse: false });

const words = ({ verdict, reason }: Said): string => (reason === undefined ? verdict : `${verdict}: ${reason}`);

const answers = (saw: readonly string[]): string => (saw.length === 0 ? 'not asked' : saw.join(' / '));

/** The two runs, a line each. */
export const sideLines = ({ first, second }: ReportDiff): string[] =>
  [first, second].map(
    ({ run, target, assay, complete, durationMs, exchanges }) =>
      `${target}, run ${run} of assay ${assay}${complete ? '' : ', cut short'}: ${exchanges} exchanges in ${(durationMs / 1000).toFixed(1)} s`,
  );

export const verdictOn = ({ worse, ...diff }: ReportDiff): string => {
  if (worse.length > 0)
    return `The second is worse, ${worse.length === 1 ? 'for one reason' : `for ${worse.length} reasons`}:`;
  return sectionsOf({ ...diff, worse }).length === 0 ? 'They say the same.' : 'The second is no worse.';
};
