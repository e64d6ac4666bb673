/** Whether a resource that a run changed but did not create has been changed by others since. */
import { isDeepStrictEqual } from 'node:util';
import { isFields } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import type { Client } from './client.ts';
import { RUN_LABEL, runLabelIn } from './run-label.ts';
import type { LedgerChange } from './read-ledger.ts';

/**
 * Compares the label that the run's own updates carry. If the target does not return the agent, it counts as the run left it.
 * Throws HarnessError if there is no response.
 */
export async function changedSince(
  { path, body }: LedgerChange,
  run: string,
  client: Client,
): Promise<'as the run left it' | 'as before the run' | 'changed by others'> {
  const { response } = await client.call('getAgent', { path });
  const { metadata, spec } = isFields(response.json) ? response.json : {};
  if (response.status !== 200 || !isFields(metadata) || runLabelIn(metadata) === run) return 'as the run left it';
  return isDeepStrictEqual(toLedgerBody(metadata, spec), body) ? 'as before the run' : 'changed by others';
}

/** As a ledger records it: JSON, without undefined members. */
function toLedgerBody({ name, displayName, labels = {} }: Fields, spec: unknown): unknown {
  return JSON.parse(JSON.stringify({ metadata: { name, displayName, labels }, spec }));
}

export const changedByOthers = (run: string): string =>
  `others have changed it since the run: it does not have the label ${RUN_LABEL}: ${run} (--force restores it anyway)`;
