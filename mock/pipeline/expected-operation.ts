/** What a message says about an unknown operationId. */
import { nearest } from '../../spec/nearest.ts';
import { operations } from '../../spec/operations.ts';

const ids = operations.map(({ id }) => id);

/** Names the operations whose ids are most similar to `wrong`. */
export function expectedOperation(wrong: unknown): string {
  const similar = typeof wrong === 'string' ? nearest(wrong, ids) : [];
  return `an operationId of the documents, such as ${similar.length === 0 ? 'updateAgent' : similar.join(', ')}`;
}
