/** Undoes what a run did to the target, the last first, and names what could not be undone. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { RunSettings } from '../suites/open-run.ts';
import { prefixOf, strongestCaller } from '../suites/run.ts';
import { createClient } from '../suites/target/client.ts';
import { readLedger } from '../suites/target/ledger.ts';
import { createRedaction } from '../suites/target/redaction.ts';
import { secretsOf } from '../suites/target/target.ts';
import { createTransport } from '../suites/target/transport.ts';
import { undo } from '../suites/target/undo.ts';
import type { LeftBehind } from '../suites/target/undo.ts';

/** Gives a line for each thing that is still there. The ledger goes when nothing is. */
export async function cleanUp({ target, runId, ledgerFile }: RunSettings): Promise<string[]> {
  if (ledgerFile === undefined || !existsSync(ledgerFile)) return [];
  const redaction = createRedaction();
  for (const { value, name } of secretsOf(target)) redaction.learn(value, name);
  const transport = createTransport({ rate: target.rate });
  const silent = { nextNumber: () => 0, record() {}, recordFailure() {}, didRemove() {} };
  const willCreate = () => ({ answered() {} });
  const parts = { target, transport, redaction, ...silent, willCreate };
  const client = createClient(parts, strongestCaller(target));
  const left = await undo(readLedger(ledgerFile), prefixOf(runId), client);
  await transport.close();
  if (left.length === 0) await rm(ledgerFile);
  return left.map((each) => redaction.text(lineOf(each)));
}

function lineOf({ what, why }: LeftBehind): string {
  if ('changed' in what)
    return `Not put back: ${Object.values(what.path).join('/')} (${what.changed}), because ${why}.`;
  return `Not removed: ${what.name} (made by ${what.created}), because ${why}.`;
}
