/** Counts the exchanges of the proxy by operation, and determines the exit code. */
import { counted } from '../../spec/counted.ts';
import type { OperationId } from '../../spec/operations.ts';

export interface Row {
  exchanges: number;
  /** Exchanges whose response was validated. */
  checked: number;
  /** Exchanges with an undocumented response body. The remaining ones had no response to validate. */
  nothingToSay: number;
  /** Off the contract, on either side. */
  off: number;
}

export interface Tally {
  readonly operations: Map<OperationId, Row>;
  /** Requests that are of no operation of the interface. */
  others: number;
  /** Requests and responses of documented operations that were not validated, by reason ("it is a stream"). */
  readonly unchecked: Map<string, number>;
  /** Requests without a complete response from the target. */
  unanswered: number;
  /** Exchanges over which the proxy itself stumbled. */
  erred: number;
}

export const newTally = (): Tally => ({
  operations: new Map(),
  others: 0,
  unchecked: new Map(),
  unanswered: 0,
  erred: 0,
});

export function rowOf({ operations }: Tally, id: OperationId): Row {
  const row = operations.get(id) ?? { exchanges: 0, checked: 0, nothingToSay: 0, off: 0 };
  operations.set(id, row);
  return row;
}

/** 1: an exchange violated the contract. 3: none did, but a request got no response or the proxy failed. */
export function exitCodeOf({ operations, unanswered, erred }: Tally): 0 | 1 | 3 {
  if (operations.values().some(({ off }) => off > 0)) return 1;
  return unanswered + erred > 0 ? 3 : 0;
}

const counts = ['exchanges', 'checked', 'nothingToSay', 'off'] as const satisfies readonly (keyof Row)[];

export function summaryOf(tally: Tally): string {
  const rows = [...tally.operations].toSorted(([a], [b]) => a.localeCompare(b));
  const sum = (key: keyof Row) => rows.reduce((total, [, row]) => total + row[key], 0);
  const cells = [
    ['operation', 'exchanges', 'checked', 'undocumented', 'violations'],
    ...rows.map(([id, row]) => [id, ...counts.map((key) => String(row[key]))]),
    ['total', ...counts.map((key) => String(sum(key)))],
  ];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) => `  ${row.map((cell, at) => padded(cell, widths[at] ?? 0, at)).join('  ')}`);
  const { others, unchecked, unanswered, erred } = tally;
  return [
    ...lines,
    ...(others > 0 ? [`  ${counted(others, 'request')} of no documented operation, forwarded unchecked`] : []),
    ...[...unchecked].map(([why, count]) => `  ${count} not checked, because ${why}`),
    ...(unanswered > 0 ? [`  ${counted(unanswered, 'request')} without a complete response`] : []),
    ...(erred > 0 ? [`  ${counted(erred, 'exchange')} in which the proxy itself failed`] : []),
    '',
  ].join('\n');
}

const padded = (cell: string, width: number, column: number): string =>
  column === 0 ? cell.padEnd(width) : cell.padStart(width);
