/** What an answer shows of a volume template. */
import { fieldsOf, isOmitted } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';

/** Empty where it is no object. */
const membersOf = (value: unknown): Fields => fieldsOf(value) ?? {};

export interface ReturnedVersion {
  readonly name?: unknown;
  readonly templateName?: unknown;
  readonly versionId?: unknown;
}

/** Empty where there is no such field: no version is left, or they are counted and not shown. */
export function versionsIn(template: unknown): ReturnedVersion[] {
  const { versions } = membersOf(template);
  return Array.isArray(versions) ? versions.map(membersOf) : [];
}

export const versionNames = (template: unknown): unknown[] => versionsIn(template).map(({ name }) => name);

export const nameOf = (template: unknown): unknown => membersOf(membersOf(template)['metadata'])['name'];

/** Null counts as left out (decision 016). */
export const countIn = (template: unknown): unknown =>
  membersOf(membersOf(template)['state'])['versionCount'] ?? undefined;

/** Whether it counts versions and shows none at all, not even an empty list. */
export function hidesVersions(template: unknown): boolean {
  const count = countIn(template);
  return isOmitted(membersOf(template)['versions']) && typeof count === 'number' && count > 0;
}
