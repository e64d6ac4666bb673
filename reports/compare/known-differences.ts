/** Which differences are accepted, by the list of --known-differences. */
import type { ComparisonReport, KnownDifference, ReportedDifference } from '../../spec/formats/comparison.ts';
import { matchesWildcard } from '../../spec/wildcard.ts';

/** With the reason in each difference that an entry covers on the day of the run. */
export function withKnownDifferences(report: ComparisonReport, list: readonly KnownDifference[]): ComparisonReport {
  const today = report.run.startedAt.slice(0, 10);
  const valid = list.filter(({ expires }) => expires === undefined || today <= expires);
  const differences = report.differences.map((difference) => {
    const entry = valid.find((each) => covers(each, difference));
    return entry === undefined ? difference : { ...difference, known: entry.reason };
  });
  const known = differences.filter((each) => each.known !== undefined).length;
  return { ...report, differences, summary: { ...report.summary, known, different: differences.length - known } };
}

const covers = ({ operation, at = '*', context = '*' }: KnownDifference, difference: ReportedDifference): boolean =>
  matchesWildcard(difference.operation, operation) &&
  matchesWildcard(difference.at, at) &&
  matchesWildcard(difference.context, context);

/** Entries whose day is over, and entries that cover nothing, one sentence each. */
export function uselessEntries({ run, differences }: ComparisonReport, list: readonly KnownDifference[]): string[] {
  const today = run.startedAt.slice(0, 10);
  return list.flatMap((entry) => {
    const name = [entry.operation, entry.at].filter(Boolean).join(' ');
    if (entry.expires !== undefined && today > entry.expires)
      return [`The known difference ${name} was accepted until ${entry.expires}, and that day is over.`];
    if (differences.some((each) => covers(entry, each))) return [];
    return [`The known difference ${name} was not found: remove it from the list if it is gone.`];
  });
}
