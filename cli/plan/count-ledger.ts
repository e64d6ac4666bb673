/** Counts what the ledger of a run says that it created and changed. */
import { hasDocumentedRemoval, isSuccess } from '../../suites/target/ledger.ts';
import type { LedgerLine } from '../../suites/target/ledger-lines.ts';
import { effectKey } from './request-counts.ts';
import type { Counts } from './request-counts.ts';

/** Only creations that were accepted. Those with a documented removal are not counted. */
export function countLedger(ledger: readonly LedgerLine[]): Counts {
  const accepted = new Set(ledger.flatMap((line) => ('status' in line && isSuccess(line.status) ? [line.number] : [])));
  const keys = ledger.flatMap((line) => {
    if ('changed' in line) return [effectKey('changes', line.changed)];
    if (!('created' in line) || !accepted.has(line.number) || hasDocumentedRemoval(line)) return [];
    return [effectKey(line.removal === undefined ? 'keeps' : 'creates', line.created)];
  });
  return Object.fromEntries([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));
}
