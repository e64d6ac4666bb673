/** What an answer shows of a volume template. */

interface Fields {
  readonly [member: string]: unknown;
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export interface ShownVersion {
  readonly name?: unknown;
  readonly templateName?: unknown;
}

/** Empty where there is no such field: that says that there is no version. */
export function versionsIn(template: unknown): ShownVersion[] {
  const { versions } = fieldsOf(template);
  return Array.isArray(versions) ? versions.map(fieldsOf) : [];
}

export const versionNames = (template: unknown): unknown[] => versionsIn(template).map(({ name }) => name);

export const nameOf = (template: unknown): unknown => fieldsOf(fieldsOf(template)['metadata'])['name'];

export const countIn = (template: unknown): unknown => fieldsOf(fieldsOf(template)['state'])['versionCount'];
