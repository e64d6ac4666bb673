/** What hostile traffic must not do to the mock, and the table of what it did. */
import type { CampaignResult, KindResult } from './campaign.ts';

/** For a request of another client, at the 99th percentile. */
export const MAX_P99_MS = 250;
/**
 * How much more memory than at the plateau is in use after a kind: compiled code, caches and the fragments between live
 * objects differ by a few mebibytes. A leak of 84 bytes per request exceeds it after 200,000 requests.
 */
export const HEAP_TOLERANCE_BYTES = 16 * 2 ** 20;

const MIB = 2 ** 20;

/** A sentence for each limit that was exceeded. */
export function brokenLimits({ results, plateau }: CampaignResult, maxP99Ms: number): string[] {
  return results.flatMap(({ name, tally, probe, after, log }) => {
    const growth = after.heapBytes - plateau.heapBytes;
    const errors = [...tally.serverErrors].map(([what, count]) => `${what} (${count})`);
    const hangs = [...tally.hangs].map(([what, count]) => `${what} (${count})`);
    return [
      errors.length > 0 && `${name}: server errors of ${errors.join(', ')}.`,
      hangs.length > 0 && `${name}: no response to ${hangs.join(', ')}.`,
      log !== '' && `${name}: the mock logged errors:\n${log.slice(0, 3000)}`,
      probe.failed > 0 && `${name}: ${probe.failed} requests of the second client failed.`,
      probe.p99Ms > maxP99Ms &&
        `${name}: p99 of the second client is ${probe.p99Ms.toFixed()} ms, more than ${maxP99Ms} ms.`,
      growth > HEAP_TOLERANCE_BYTES &&
        `${name}: ${mebibytes(after.heapBytes)} MiB of heap after it, ${mebibytes(growth)} more than before all kinds.`,
    ].filter((sentence) => sentence !== false);
  });
}

const mebibytes = (bytes: number): string => (bytes / MIB).toFixed(1);
const sum = (counts: ReadonlyMap<string, number>): number => counts.values().reduce((total, each) => total + each, 0);

const columns: readonly (readonly [title: string, of: (result: KindResult) => string])[] = [
  ['requests', ({ tally }) => String(tally.requests)],
  ['5xx', ({ tally }) => String(sum(tally.serverErrors))],
  ['503', ({ tally }) => String(tally.documented503)],
  ['hangs', ({ tally }) => String(sum(tally.hangs))],
  ['closed', ({ tally }) => String(tally.closed)],
  ['p50 ms', ({ probe }) => probe.p50Ms.toFixed(1)],
  ['p99 ms', ({ probe }) => probe.p99Ms.toFixed(1)],
  ['max ms', ({ probe }) => probe.maxMs.toFixed()],
  // Of the second client itself: what other programs on the machine add to its measurements.
  ['own delay ms', ({ probe }) => probe.ownDelayMs.toFixed()],
  ['blocked ms', ({ before }) => before.blockedMs.toFixed()],
  ['heap before reset', ({ before }) => mebibytes(before.heapBytes)],
  ['heap after', ({ after }) => mebibytes(after.heapBytes)],
  ['RSS after', ({ after }) => mebibytes(after.rssBytes)],
  ['peak RSS', ({ after }) => mebibytes(after.peakRssBytes)],
];

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Its row of the table. */
export const resultRow = (result: KindResult): string => row([result.name, ...columns.map(([, of]) => of(result))]);

/** As Markdown; memory in MiB. */
export function resultTable({ results, plateau }: CampaignResult): string {
  const lines = [
    row(['kind', ...columns.map(([title]) => title)]),
    row(['---', ...columns.map(() => '---:')]),
    ...results.map(resultRow),
  ];
  const memory = `Before: ${mebibytes(plateau.heapBytes)} MiB of heap, ${mebibytes(plateau.rssBytes)} MiB RSS.`;
  return `${lines.join('\n')}\n\n${memory} Heap after a kind may be ${mebibytes(HEAP_TOLERANCE_BYTES)} MiB more.`;
}
