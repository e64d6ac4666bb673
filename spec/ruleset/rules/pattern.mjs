// @ts-check
/** What a pattern does to samples, whatever it looks like. */
import { keyword } from '../document/schema.mjs';

/**
 * Whether the pattern of a schema takes a text; true without a pattern, undefined where the pattern is no regular expression.
 * @param {import('../document/schema.mjs').Schema | undefined} schema
 * @param {string} text Short: a pattern of a stranger may take long for a long one.
 * @returns {boolean | undefined}
 */
export function takes(schema, text) {
  const pattern = keyword(schema, 'pattern');
  if (typeof pattern !== 'string') return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return looseTakes(pattern, text);
  }
}

/**
 * Patterns that only the older syntax knows, such as an escaped hyphen.
 * @param {string} pattern
 * @param {string} text
 */
function looseTakes(pattern, text) {
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return undefined;
  }
}
