/** Reads the bodies of uploads, which are not documented. */
import { invalidField } from '../../http/problems.ts';
import { isObject } from '../../../spec/json-object.ts';

type Members = Readonly<Record<string, unknown>>;

const HIGHEST_MODE = 0o777;

/** The file mode of `{permissions}`: an octal string such as `0644`, or the number that listings of uploads have. Undefined if absent. */
export function permissionsOf(body: unknown): number | undefined {
  const { permissions } = membersOf(body);
  if (permissions === undefined) return undefined;
  const mode =
    typeof permissions === 'string' && /^[0-7]{1,4}$/.test(permissions) ? parseInt(permissions, 8) : permissions;
  if (Number.isInteger(mode) && Number(mode) >= 0 && Number(mode) <= HIGHEST_MODE) return Number(mode);
  throw invalidField('permissions', permissions, `an octal string from "0" to "0777", or a number to ${HIGHEST_MODE}`);
}

/** The parts of `{parts: [{partNumber, etag}]}`, at least one. */
export function partsOf(body: unknown): { partNumber: number; etag: string }[] {
  const { parts } = membersOf(body);
  if (!Array.isArray(parts) || parts.length === 0)
    throw invalidField('parts', parts, 'an array of {partNumber, etag}, one for each uploaded part to use');
  return parts.map((part: unknown) => {
    const { partNumber, etag } = membersOf(part);
    if (!Number.isInteger(partNumber)) throw invalidField('partNumber', partNumber, 'a whole number');
    if (typeof etag !== 'string') throw invalidField('etag', etag, 'the etag in the response to the part');
    return { partNumber: Number(partNumber), etag };
  });
}

/** The bytes of the field `file`. A field without a file name is text. */
export function fileOf(form: unknown): Buffer {
  const { file } = membersOf(form);
  if (file instanceof Uint8Array || typeof file === 'string') return Buffer.from(file);
  throw invalidField('file', file, 'a field of the form with the content');
}

/** `{content}`: the text of a file. */
export function contentOf(body: unknown): Buffer {
  const { content = '' } = membersOf(body);
  if (typeof content !== 'string') throw invalidField('content', content, 'a string');
  return Buffer.from(content);
}

/** `{isDirectory}` */
export function isDirectory(body: unknown): boolean {
  const { isDirectory: value = false } = membersOf(body);
  if (typeof value !== 'boolean') throw invalidField('isDirectory', value, 'true or false');
  return value;
}

function membersOf(value: unknown): Members {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw invalidField('the body', value, 'an object');
}
