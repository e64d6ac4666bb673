/** Pages of groups, and the opaque cursors between them. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { GroupOrder, MetricsChoices } from './options.ts';
import { invalidField } from '../http/problems.ts';
import { keyText, type GroupKey } from './groups.ts';
import { partitionPoint } from './partition-point.ts';

export const MAX_ENTRIES = 100;

/** With very many buckets, a page has fewer groups than requested, to limit memory and time. */
const MAX_ITEMS = 120_000;
const SEAL_BYTES = 16;

export interface Page<Group> {
  readonly groups: readonly Group[];
  readonly hasMore: boolean;
}

/** How pages are filled, and whether the last one is known to be the last. */
export type Paging = Pick<MetricsChoices, 'order' | 'pages' | 'end' | 'cursor'>;

/**
 * The page of sorted groups after a key. Sorted by name, it continues after the key and not after a count, so that
 * groups that appear or disappear between two pages neither repeat nor hide others. In another order the group itself
 * must exist. Groups for which `toListed` returns undefined are skipped; it is not called for those beyond the page.
 */
export function pageOf<Group extends { readonly key: GroupKey }, Listed>(
  groups: readonly Group[],
  after: GroupKey | undefined,
  limit: number,
  buckets: number,
  { order, pages, end, cursor }: Paging,
  toListed: (group: Group) => Listed | undefined,
): Page<Listed> {
  const start = after === undefined ? 0 : startAfter(groups, keyText(after), order, cursor);
  const pageSize = pages === 'all full' ? limit : Math.ceil(limit / 2);
  const size = Math.max(1, Math.min(pageSize, Math.floor(MAX_ITEMS / Math.max(1, buckets))));
  const found: Listed[] = [];
  for (let at = start; at < groups.length && found.length <= size; at++) {
    const group = groups[at];
    const next = group && toListed(group);
    if (next !== undefined) found.push(next);
  }
  const hasMore = end === 'on the last group' ? found.length > size : found.length >= size;
  return { groups: found.slice(0, size), hasMore };
}

function startAfter(
  groups: readonly { readonly key: GroupKey }[],
  last: string,
  order: GroupOrder,
  { groupBy, filters }: Paging['cursor'],
): number {
  if (order === 'by names, ascending') return partitionPoint(groups, ({ key }) => keyText(key) <= last);
  const at = groups.findIndex(({ key }) => keyText(key) === last);
  // A cursor that is valid for queries with other groups points to the end if its group is missing.
  if (at === -1 && (groupBy === 'free' || filters === 'free')) return groups.length;
  if (at === -1) throw invalidField('cursor', last, 'one whose last group is still there');
  return at + 1;
}

/** A cursor to the groups after a key. `query`: a string of everything that the cursor is bound to. */
export function sealCursor(key: GroupKey, query: string, secret: string): string {
  const payload = Buffer.from(JSON.stringify(key));
  return Buffer.concat([seal(payload, query, secret), payload]).toString('base64url');
}

/** The key of a cursor. Throws a 400 problem unless it was sealed for the same query with the same secret. */
export function openCursor(cursor: string, query: string, secret: string): GroupKey {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(SEAL_BYTES);
  // The decoder ignores invalid characters, so compare with the canonical encoding.
  const intact = bytes.length > SEAL_BYTES && bytes.toString('base64url') === cursor;
  if (!intact || !timingSafeEqual(bytes.subarray(0, SEAL_BYTES), seal(payload, query, secret))) {
    throw invalidField('cursor', cursor, 'the meta.nextCursor of an earlier response to the same query');
  }
  return JSON.parse(payload.toString()) as GroupKey;
}

function seal(payload: Buffer, query: string, secret: string): Buffer {
  return createHmac('sha256', secret)
    .update(`${query.length} ${query}`)
    .update(payload)
    .digest()
    .subarray(0, SEAL_BYTES);
}
