/** Whether the response to a write has a text that was sent, perhaps changed. */
import type { Seen } from '../judge/seen.ts';
import { isCreatedNow } from '../kit/resources/seen-resource.ts';

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * A second create of a name may return the first resource, which has other texts (decision 015). So a text only counts as the one
 * that was sent if the resource is new and the letters are the same.
 */
export const isOwnText = (seen: Seen, sent: string, returned: unknown): boolean =>
  seen.operation.id === 'updateAgent' ||
  (isCreatedNow(seen) && typeof returned === 'string' && lettersOf(sent) === lettersOf(returned));
