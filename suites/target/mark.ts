/** The label that every update carries of an agent that a run changes and did not make, so that another run leaves it alone. */
import { isFields } from '../json/fields.ts';
import type { CallInput } from './request-types.ts';

export const MARK = 'assay-run';

/** The id of the run that changes what has these metadata; undefined where none does. */
export function markIn({ labels }: { readonly labels?: unknown }): string | undefined {
  const mark = isFields(labels) ? labels[MARK] : undefined;
  return typeof mark === 'string' ? mark : undefined;
}

/** As it is where metadata or labels are no objects: that is to be refused. */
export function withMark(input: CallInput, runId: string): CallInput {
  const { body } = input;
  if (!isFields(body) || !isFields(body['metadata'])) return input;
  const { labels = {}, ...metadata } = body['metadata'];
  if (!isFields(labels)) return input;
  return { ...input, body: { ...body, metadata: { ...metadata, labels: { ...labels, [MARK]: runId } } } };
}
