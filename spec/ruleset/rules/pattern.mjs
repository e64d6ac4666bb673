// @ts-check
/** Tests patterns of schemas with samples. */
import { keyword } from '../document/schema.mjs';

/**
 * Whether the pattern of a schema accepts a string. True without a pattern; undefined if it is not a valid regular expression.
 * @param {import('../document/schema.mjs').Schema | undefined} schema
 * @param {string} text Short, because an unknown pattern may take long to match a long string.
 * @returns {boolean | undefined}
 */
export function accepts(schema, text) {
  const pattern = keyword(schema, 'pattern');
  if (typeof pattern !== 'string') return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return acceptsLoosely(pattern, text);
  }
}

/**
 * Matches patterns without the u flag, which rejects an escaped hyphen.
 * @param {string} pattern
 * @param {string} text
 */
function acceptsLoosely(pattern, text) {
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return undefined;
  }
}
