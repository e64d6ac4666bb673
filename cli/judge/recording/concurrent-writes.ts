/** Finds the writes of a recording during which another write to the same path was sent. */
import { isWrite, pathOf } from '../../../suites/target/concurrent-writes.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

/** Without times, any two writes to one path may be concurrent. */
export function markConcurrentWrites(exchanges: readonly RecordedExchange[]): RecordedExchange[] {
  const writes = exchanges.filter(({ method }) => isWrite(method));
  const concurrent = new Set<RecordedExchange>();
  for (const same of Map.groupBy(writes, ({ url }) => pathOf(url)).values()) {
    const sorted = same.toSorted((one, other) => startOf(one) - startOf(other));
    let open: RecordedExchange | undefined;
    for (const each of sorted) {
      if (open !== undefined && !(startOf(each) >= endOf(open))) concurrent.add(open).add(each);
      if (open === undefined || endOf(each) > endOf(open)) open = each;
    }
  }
  return exchanges.map((each) => (concurrent.has(each) ? { ...each, isConcurrent: true } : each));
}

const startOf = ({ startedAt = 0 }: RecordedExchange): number => startedAt;
const endOf = ({ startedAt, endedAt = Infinity }: RecordedExchange): number =>
  startedAt === undefined ? Infinity : endedAt;
