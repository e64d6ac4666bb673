/** Checks every entry of some pages and reports the entry and its exchange. */
import type { Difference, Mismatch } from '../target/violation.ts';
import { describeEntry } from './entries.ts';
import type { Entry } from './entries.ts';
import type { Page } from './pages.ts';

const MAX_MISMATCHES = 5;

/** At most MAX_MISMATCHES. */
export function entryMismatches(pages: readonly Page[], flawsOf: (entry: Entry) => readonly Difference[]): Mismatch[] {
  const mismatches = pages.flatMap(({ exchange, metrics: response }) =>
    response.data.flatMap((entry, at) =>
      flawsOf(entry).map(({ expected, actual }) => ({
        expected: `data[${at}]${suffixOf(entry)}: ${expected}`,
        actual,
        exchange,
      })),
    ),
  );
  return mismatches.slice(0, MAX_MISMATCHES);
}

/** The group, unless the entry is about everything. */
function suffixOf(entry: Entry): string {
  const group = describeEntry(entry);
  return group === '' ? '' : ` (${group})`;
}

/** A value as printed in a report; undefined is "absent". */
export function formatValue(value: unknown): string {
  return value === undefined ? 'absent' : (JSON.stringify(value) ?? 'absent');
}
