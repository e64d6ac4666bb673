/** Pages of groups: which groups a page has, and the opaque cursor that asks for the next one. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalidField } from '../problems.ts';
import { keyText, type GroupKey } from './groups.ts';

export const MOST_ENTRIES = 100;

/** With very many buckets a page has fewer groups than asked for, so that no answer outgrows the memory. */
const MOST_ITEMS = 500_000;
const SEAL_BYTES = 16;

export interface Page<Group> {
  readonly groups: readonly Group[];
  readonly hasMore: boolean;
}

/**
 * The page of sorted groups that begins after a key. It goes by the key and not by a count, so that groups which come
 * or go between two pages neither repeat nor hide another.
 */
export function pageOf<Group extends { readonly key: GroupKey }>(
  groups: readonly Group[],
  after: GroupKey | undefined,
  limit: number,
  buckets: number,
): Page<Group> {
  const last = after === undefined ? undefined : keyText(after);
  const next = last === undefined ? 0 : groups.findIndex(({ key }) => keyText(key) > last);
  const start = next === -1 ? groups.length : next;
  const size = Math.max(1, Math.min(limit, Math.floor(MOST_ITEMS / buckets)));
  return { groups: groups.slice(start, start + size), hasMore: start + size < groups.length };
}

/** A cursor to what comes after a key; `question` is the text of all that the cursor is good for. */
export function sealCursor(key: GroupKey, question: string, secret: string): string {
  const payload = Buffer.from(JSON.stringify(key));
  return Buffer.concat([seal(payload, question, secret), payload]).toString('base64url');
}

/** The key in a cursor; refused (400) unless it was sealed for the same question with the same secret. */
export function openCursor(cursor: string, question: string, secret: string): GroupKey {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(SEAL_BYTES);
  // The decoder skips what is no base64url: only the very text that was given is accepted.
  const intact = bytes.length > SEAL_BYTES && bytes.toString('base64url') === cursor;
  if (!intact || !timingSafeEqual(bytes.subarray(0, SEAL_BYTES), seal(payload, question, secret))) {
    throw invalidField('cursor', cursor, 'the meta.nextCursor of an earlier answer to the same query');
  }
  return JSON.parse(payload.toString()) as GroupKey;
}

function seal(payload: Buffer, question: string, secret: string): Buffer {
  return createHmac('sha256', secret)
    .update(`${question.length} ${question}`)
    .update(payload)
    .digest()
    .subarray(0, SEAL_BYTES);
}
