/** Formats JSON as lines with their values, so that single lines can be marked. */

export interface JsonLine {
  readonly depth: number;
  readonly text: string;
  /** JSON pointer of the value that begins in this line; undefined if the line ends one. */
  readonly at?: string;
  /** The value in this line; undefined for objects and arrays. */
  readonly value?: string | number | boolean | null;
}

/** Deeper values are on one line: indented, a few kilobytes of brackets would become megabytes. */
const MAX_DEPTH = 20;

export function jsonLines(value: unknown, depth = 0, at = '', label = '', tail = ''): JsonLine[] {
  if (typeof value !== 'object' || value === null) {
    const text = `${label}${JSON.stringify(value)}${tail}`;
    return [{ depth, at, value: value as NonNullable<JsonLine['value']> | null, text }];
  }
  if (depth === MAX_DEPTH) return [{ depth, at, text: `${label}${JSON.stringify(value)}${tail}` }];
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const entries = Object.entries(value);
  if (entries.length === 0) return [{ depth, at, text: `${label}${open}${close}${tail}` }];
  const inner = entries.flatMap(([key, each], index) => {
    const own = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    return jsonLines(each, depth + 1, `${at}/${pointerPart(key)}`, own, index < entries.length - 1 ? ',' : '');
  });
  return [{ depth, at, text: `${label}${open}` }, ...inner, { depth, text: `${close}${tail}` }];
}

/** RFC 6901 section 3. */
const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
