/** Looks at every entry of some pages, and says which entry of which exchange is wrong. */
import type { Flaw, Mismatch } from '../target/violation.ts';
import { describeEntry } from './entries.ts';
import type { Entry } from './entries.ts';
import type { Page } from './pages.ts';

const MAX_MISMATCHES = 5;

/** The first few flaws are enough to see what is wrong. */
export function entryMismatches(pages: readonly Page[], flawsOf: (entry: Entry) => readonly Flaw[]): Mismatch[] {
  const mismatches = pages.flatMap(({ exchange, metrics: answer }) =>
    answer.data.flatMap((entry, at) =>
      flawsOf(entry).map(({ expected, actual }) => ({
        expected: `data[${at}] (${describeEntry(entry)}): ${expected}`,
        actual,
        exchange,
      })),
    ),
  );
  return mismatches.slice(0, MAX_MISMATCHES);
}

/** How a value looks in a report; what is not there is "absent". */
export function formatValue(value: unknown): string {
  return value === undefined ? 'absent' : (JSON.stringify(value) ?? 'absent');
}
