/** The label that every update carries of an agent that a run changes and did not make, so that another run leaves it alone. */
import { isFields } from '../json/fields.ts';
import type { CallInput } from './request-types.ts';

export const RUN_LABEL = 'assay-run';

/** The id of the run that changes what has these metadata; undefined where none does. */
export function runLabelIn({ labels }: { readonly labels?: unknown }): string | undefined {
  const label = isFields(labels) ? labels[RUN_LABEL] : undefined;
  return typeof label === 'string' ? label : undefined;
}

/** As it is where metadata or labels are no objects: that is to be refused. */
export function withRunLabel(input: CallInput, runId: string): CallInput {
  const { body } = input;
  if (!isFields(body) || !isFields(body['metadata'])) return input;
  const { labels = {}, ...metadata } = body['metadata'];
  if (!isFields(labels)) return input;
  return { ...input, body: { ...body, metadata: { ...metadata, labels: { ...labels, [RUN_LABEL]: runId } } } };
}
