/** What an answer shows of a volume template. */

interface Fields {
  readonly [member: string]: unknown;
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export interface ShownVersion {
  readonly name?: unknown;
  readonly templateName?: unknown;
  readonly versionId?: unknown;
}

/** Empty where there is no such field: no version is left, or they are counted and not shown. */
export function versionsIn(template: unknown): ShownVersion[] {
  const { versions } = fieldsOf(template);
  return Array.isArray(versions) ? versions.map(fieldsOf) : [];
}

export const versionNames = (template: unknown): unknown[] => versionsIn(template).map(({ name }) => name);

export const nameOf = (template: unknown): unknown => fieldsOf(fieldsOf(template)['metadata'])['name'];

export const countIn = (template: unknown): unknown => fieldsOf(fieldsOf(template)['state'])['versionCount'];

/** Whether it counts versions and shows none at all, not even an empty list. */
export function hidesVersions(template: unknown): boolean {
  const count = countIn(template);
  return fieldsOf(template)['versions'] === undefined && typeof count === 'number' && count > 0;
}
