/** Reads the bodies of multipart uploads. They are not documented, so all members are optional. */
import { invalidField } from '../../http/problems.ts';

type Members = Readonly<Record<string, unknown>>;

/** The file mode of `{permissions}`, not validated; undefined if absent. */
export function permissionsOf(body: unknown): number | undefined {
  const { permissions } = membersOf(body);
  if (permissions === undefined || typeof permissions === 'number') return permissions;
  throw invalidField('permissions', permissions, 'a file mode as a number');
}

/** The parts of `{parts: [{partNumber, etag}]}`; undefined if absent. */
export function partsOf(body: unknown): { partNumber: number; etag?: string }[] | undefined {
  const { parts } = membersOf(body);
  if (parts === undefined) return undefined;
  if (!Array.isArray(parts)) throw invalidField('parts', parts, 'an array of {partNumber, etag}');
  return parts.map((part: unknown) => {
    const { partNumber, etag } = membersOf(part);
    if (!Number.isInteger(partNumber)) throw invalidField('partNumber', partNumber, 'a whole number');
    if (etag !== undefined && typeof etag !== 'string') throw invalidField('etag', etag, 'a string');
    return { partNumber: partNumber as number, ...(etag === undefined ? {} : { etag }) };
  });
}

function membersOf(value: unknown): Members {
  if (value === undefined) return {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw invalidField('the body', value, 'an object');
}
