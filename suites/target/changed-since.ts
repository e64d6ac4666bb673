/** Tells whether what a run changed and did not make has been changed by somebody else since. */
import { isDeepStrictEqual } from 'node:util';
import { isFields } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import type { Client } from './client.ts';
import { RUN_LABEL, runLabelIn } from './run-label.ts';
import type { LedgerChange } from './read-ledger.ts';

/**
 * By the mark that each of the run's own updates carries. Where the target does not show an agent, nobody can tell: then it
 * counts as the run left it. Throws Trouble where no answer comes.
 */
export async function changedSince(
  { path, body }: LedgerChange,
  run: string,
  client: Client,
): Promise<'as the run left it' | 'as it was before' | 'changed by another'> {
  const { answer } = await client.call('getAgent', { path });
  const { metadata, spec } = isFields(answer.json) ? answer.json : {};
  if (answer.status !== 200 || !isFields(metadata) || runLabelIn(metadata) === run) return 'as the run left it';
  return isDeepStrictEqual(toLedgerBody(metadata, spec), body) ? 'as it was before' : 'changed by another';
}

/** In the form in which a ledger says what was there: as JSON, where what is undefined is left out. */
function toLedgerBody({ name, displayName, labels = {} }: Fields, spec: unknown): unknown {
  return JSON.parse(JSON.stringify({ metadata: { name, displayName, labels }, spec }));
}

export const changedByOthers = (run: string): string =>
  `somebody has changed it since: it has no label ${RUN_LABEL}: ${run} (--force puts it back all the same)`;
