/** Removes what a run created, the last first, and names what could not be removed. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { RunSettings } from '../suites/open-run.ts';
import { prefixOf, strongestCaller } from '../suites/run.ts';
import { createClient } from '../suites/target/client.ts';
import { readLedger, removeCreated } from '../suites/target/ledger.ts';
import { createRedaction } from '../suites/target/redaction.ts';
import { secretsOf } from '../suites/target/target.ts';
import { createTransport } from '../suites/target/transport.ts';

/** Gives a line for each thing that is still there. The ledger goes when nothing is. */
export async function cleanUp({ target, runId, ledgerFile }: RunSettings): Promise<string[]> {
  if (ledgerFile === undefined || !existsSync(ledgerFile)) return [];
  const entries = readLedger(ledgerFile);
  const redaction = createRedaction();
  for (const { value, name } of secretsOf(target)) redaction.learn(value, name);
  const transport = createTransport({ rate: target.rate });
  const parts = { target, transport, redaction, nextNumber: () => 0, record() {}, recordFailure() {}, willCreate() {} };
  const client = createClient(parts, strongestCaller(target));
  const left = await removeCreated(entries, prefixOf(runId), client);
  await transport.close();
  if (left.length === 0) await rm(ledgerFile);
  return left.map(
    ({ entry, why }) => `Not removed: ${entry.name} (made by ${entry.created}), because ${redaction.text(why)}.`,
  );
}
