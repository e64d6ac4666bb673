/** Reads the bodies of multipart uploads, whose shape no document shows: all members are optional. */
import { invalidField } from '../../http/problems.ts';

type Members = Readonly<Record<string, unknown>>;

/** The file mode of `{permissions}`; undefined where the body has none. Whether it is a mode is judged by who uses it. */
export function permissionsOf(body: unknown): number | undefined {
  const { permissions } = membersOf(body);
  if (permissions === undefined || typeof permissions === 'number') return permissions;
  throw invalidField('permissions', permissions, 'a file mode as a number');
}

/** The parts of `{parts: [{partNumber, etag}]}`; undefined where the body names none. */
export function partsOf(body: unknown): { partNumber: number; etag?: string }[] | undefined {
  const { parts } = membersOf(body);
  if (parts === undefined) return undefined;
  if (!Array.isArray(parts)) throw invalidField('parts', parts, 'a list of {partNumber, etag}');
  return parts.map((part: unknown) => {
    const { partNumber, etag } = membersOf(part);
    if (!Number.isInteger(partNumber)) throw invalidField('partNumber', partNumber, 'a whole number');
    if (etag !== undefined && typeof etag !== 'string') throw invalidField('etag', etag, 'a text');
    return { partNumber: partNumber as number, ...(etag === undefined ? {} : { etag }) };
  });
}

function membersOf(value: unknown): Members {
  if (value === undefined) return {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw invalidField('the body', value, 'an object');
}
