/** The label that a run adds to its updates of agents that it did not create, so that other runs do not change them. */
import { isFields } from '../json/fields.ts';
import type { CallInput } from './request-types.ts';

export const RUN_LABEL = 'assay-run';

/** The id of the run that changes the resource with this metadata. Undefined if there is none. */
export function runLabelIn({ labels }: { readonly labels?: unknown }): string | undefined {
  const label = isFields(labels) ? labels[RUN_LABEL] : undefined;
  return typeof label === 'string' ? label : undefined;
}

/** Returns the input unchanged if metadata or labels are not objects, because the target should refuse it. */
export function withRunLabel(input: CallInput, runId: string): CallInput {
  const { body } = input;
  if (!isFields(body) || !isFields(body['metadata'])) return input;
  const { labels = {}, ...metadata } = body['metadata'];
  if (!isFields(labels)) return input;
  return { ...input, body: { ...body, metadata: { ...metadata, labels: { ...labels, [RUN_LABEL]: runId } } } };
}
