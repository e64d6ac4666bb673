/** Reads a volume template from a response. */
import { fieldsOf, isOmitted } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';

/** Empty if it is not an object. */
const membersOf = (value: unknown): Fields => fieldsOf(value) ?? {};

export interface ReturnedVersion {
  readonly name?: unknown;
  readonly templateName?: unknown;
  readonly versionId?: unknown;
}

/** Empty if there is no such field: no version is left, or only their count is returned. */
export function versionsIn(template: unknown): ReturnedVersion[] {
  const { versions } = membersOf(template);
  return Array.isArray(versions) ? versions.map(membersOf) : [];
}

export const versionNames = (template: unknown): unknown[] => versionsIn(template).map(({ name }) => name);

export const nameOf = (template: unknown): unknown => membersOf(membersOf(template)['metadata'])['name'];

/** Null counts as omitted (decision 016). */
export const countIn = (template: unknown): unknown =>
  membersOf(membersOf(template)['state'])['versionCount'] ?? undefined;

/** Whether it has no list of versions, not even an empty one, and no count of 0. */
export const hidesVersions = (template: unknown): boolean =>
  isOmitted(membersOf(template)['versions']) && countIn(template) !== 0;
