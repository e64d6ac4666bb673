// @ts-check
/** Describes the bounds of a schema that are not the documented ones, in whatever keyword they are. */
import { accepts, rejectingKeyword } from '../document/accepts.mjs';
import { MAX_DEPTH, choicesOf, keyword, keywords } from '../document/schema.mjs';
import { quoted, wrongLimit } from './rule.mjs';

/** @typedef {import('../document/schema.mjs').Schema} Schema */

/** Longer strings are not tried. */
const MAX_LENGTH = 300;

/** @param {number} length */
const textOfLength = (length) => 'a'.repeat(length);

/**
 * Describes what is wrong if a schema refuses a string of this length, or accepts a longer one. A schema that refuses any string
 * of this letter has another defect.
 * @param {Schema} schema
 * @param {string} what
 * @param {number} limit
 * @returns {string | undefined}
 */
export function wrongLength(schema, what, limit) {
  const isAccepted = (/** @type {number} */ length) => accepts(schema, textOfLength(length));
  const bound = `The maxLength of ${what}`;
  if (isAccepted(limit) === false && isAccepted(1) === true) {
    const found = rejectingKeyword(schema, textOfLength(limit));
    return found?.name === 'maxLength'
      ? wrongLimit(bound, limit, found.value)
      : `${bound} must be ${limit}; ${found?.name} rejects ${limit} characters.`;
  }
  const next = isAccepted(limit + 1);
  if (next === false) return undefined;
  if (next === undefined && keyword(schema, 'maxLength') === undefined)
    return `${bound} must be ${limit}; whether the pattern limits the length cannot be checked.`;
  return longerLength(schema, bound, limit);
}

/**
 * @param {Schema} schema
 * @param {string} bound
 * @param {number} limit
 */
function longerLength(schema, bound, limit) {
  let longest = limit + 1;
  const maxTried = patternsOf(schema).every(isQuickToTry) ? MAX_LENGTH : longest;
  while (longest < maxTried && accepts(schema, textOfLength(longest + 1)) === true) longest += 1;
  const found = rejectingKeyword(schema, textOfLength(longest + 1));
  if (found !== undefined && found.name !== 'maxLength')
    return `${bound} must be ${limit}; ${found.name} allows ${longest} characters.`;
  const declared = smallest(schema, 'maxLength');
  const isCounted = keywords(schema, 'pattern').some((pattern) => /\{(\d+,)?\d+\}/.test(String(pattern)));
  return declared === undefined && isCounted
    ? `${bound} must be ${limit}; pattern allows ${longest} characters.`
    : wrongLimit(bound, limit, declared);
}

/**
 * Returns the patterns of a schema, also those of its alternatives.
 * @param {Schema} schema
 * @param {number} [depth]
 * @returns {string[]}
 */
function patternsOf(schema, depth = 0) {
  const choices = depth < MAX_DEPTH ? choicesOf(schema) : [];
  return [...keywords(schema, 'pattern').map(String), ...choices.flatMap((choice) => patternsOf(choice, depth + 1))];
}

const MAX_QUANTIFIERS = 3;

/**
 * Whether a pattern takes little time for a long text that it does not match: each quantifier multiplies the time.
 * @param {string} pattern
 */
const isQuickToTry = (pattern) =>
  !/\)[+*{]/.test(pattern) && (pattern.match(/[+*]|\{\d+,/g) ?? []).length <= MAX_QUANTIFIERS;

/**
 * Describes what is wrong if a schema of integers refuses this number, or accepts a larger one.
 * @param {Schema} schema
 * @param {string} what
 * @param {number} limit
 * @param {string} unit
 * @returns {string | undefined}
 */
export function wrongMaximum(schema, what, limit, unit) {
  const wanted = `The maximum of ${what} must be ${limit} (${unit})`;
  const larger = [limit + 1, limit * 2, ...upperBounds(schema)].filter(
    (value) => value > limit && accepts(schema, value) !== false,
  );
  const isLarger = larger.length > 0;
  if (!isLarger && accepts(schema, limit) === true) return undefined;
  const tried = isLarger ? Math.max(...larger) : limit;
  const found = isLarger ? upperBoundAbove(schema, tried) : rejectingKeyword(schema, limit);
  if (found === undefined) return `${wanted}; it is missing.`;
  if (found.name === 'maximum') return `${wanted}, not ${quoted(found.value)}.`;
  return `${wanted}; ${found.name} ${isLarger ? 'allows' : 'rejects'} ${tried}.`;
}

/**
 * Finds the keyword that rejects the numbers above this one. A multiple is no upper bound.
 * @param {Schema} schema
 * @param {number} value
 */
function upperBoundAbove(schema, value) {
  const found = [value + 1, Number.MAX_SAFE_INTEGER].map((each) => rejectingKeyword(schema, each));
  return found.find((each) => each !== undefined && each.name !== 'multipleOf');
}

/**
 * Returns the largest integers that the keywords allow, each on its own, also those of alternatives.
 * @param {Schema} schema
 * @param {number} [depth]
 * @returns {number[]}
 */
function upperBounds(schema, depth = 0) {
  const numbers = (/** @type {string} */ name) =>
    keywords(schema, name)
      .flat()
      .filter((value) => typeof value === 'number');
  const choices = depth < MAX_DEPTH ? choicesOf(schema) : [];
  return [
    // One less, if another keyword makes it exclusive.
    ...numbers('maximum').flatMap((value) => [Math.floor(value), Math.ceil(value) - 1]),
    ...numbers('exclusiveMaximum').map((value) => Math.ceil(value) - 1),
    ...numbers('enum'),
    ...numbers('const'),
    ...choices.flatMap((choice) => upperBounds(choice, depth + 1)),
  ];
}

/**
 * Returns the value of a limit in the layer that has the smallest.
 * @param {Schema} schema
 * @param {string} name Such as `maxItems`.
 * @returns {unknown}
 */
export function smallest(schema, name) {
  const values = keywords(schema, name);
  const numbers = values.filter((value) => typeof value === 'number');
  return numbers.length > 0 ? Math.min(...numbers) : values[0];
}

/**
 * Names the keyword that rejects a value, after the sentence that the schema must accept it. Empty if it is unknown.
 * @param {Schema | undefined} schema
 * @param {unknown} value
 */
export function rejectedBy(schema, value) {
  const found = schema && rejectingKeyword(schema, value);
  return found === undefined ? '' : `; ${found.name} rejects it`;
}

/**
 * Describes that a schema rejects a value that it must accept.
 * @param {Schema} schema
 * @param {string} what
 * @param {string} value
 */
export function describeRejected(schema, what, value) {
  const found = rejectingKeyword(schema, value);
  return found === undefined
    ? `The pattern of ${what} is not a valid regular expression.`
    : `The ${found.name} of ${what} rejects ${quoted(value)}.`;
}
