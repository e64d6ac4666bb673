/** Counts the exchanges of the proxy by operation, and determines the exit code. */
import { counted } from '../../spec/counted.ts';
import type { OperationId } from '../../spec/operations.ts';

/** The counts of one operation. */
export interface Row {
  exchanges: number;
  /** Exchanges whose response was validated. */
  checked: number;
  /** Exchanges whose response body is undocumented. The remaining ones had no response to validate. */
  undocumented: number;
  /** Exchanges with a violation by the target, or by the client if the target accepted the request. */
  violating: number;
}

export interface Tally {
  readonly operations: Map<OperationId, Row>;
  /** Requests for paths or methods that no documented operation has. */
  others: number;
  /** Requests and responses of documented operations that were not validated, by reason ("it is a stream"). */
  readonly unchecked: Map<string, number>;
  /** Requests without a complete response from the target. */
  unanswered: number;
  /** Exchanges that could not be checked because of an error in the proxy. */
  proxyErrors: number;
}

export const newTally = (): Tally => ({
  operations: new Map(),
  others: 0,
  unchecked: new Map(),
  unanswered: 0,
  proxyErrors: 0,
});

export function rowOf({ operations }: Tally, id: OperationId): Row {
  const row = operations.get(id) ?? { exchanges: 0, checked: 0, undocumented: 0, violating: 0 };
  operations.set(id, row);
  return row;
}

/** 1: an exchange violated the documents. 3: none did, but a request got no response or the proxy failed. */
export function exitCodeOf({ operations, unanswered, proxyErrors }: Tally): 0 | 1 | 3 {
  if (operations.values().some(({ violating }) => violating > 0)) return 1;
  return unanswered + proxyErrors > 0 ? 3 : 0;
}

const counts = ['exchanges', 'checked', 'undocumented', 'violating'] as const satisfies readonly (keyof Row)[];

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
  const { others, unchecked, unanswered, proxyErrors } = tally;
  return [
    ...lines,
    ...(others > 0 ? [`  ${counted(others, 'request')} of no documented operation, forwarded unchecked`] : []),
    ...[...unchecked].map(([why, count]) => `  ${count} not checked, because ${why}`),
    ...(unanswered > 0 ? [`  ${counted(unanswered, 'request')} without a complete response`] : []),
    ...(proxyErrors > 0 ? [`  ${counted(proxyErrors, 'exchange')} in which the proxy itself failed`] : []),
    '',
  ].join('\n');
}

const padded = (cell: string, width: number, column: number): string =>
  column === 0 ? cell.padEnd(width) : cell.padStart(width);
