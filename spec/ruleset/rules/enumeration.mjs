// @ts-check
/** Compares the values that a schema accepts with the documented ones. */
import { accepts, rejectingKeyword } from '../document/accepts.mjs';
import { finding } from '../document/place.mjs';
import { allowedValues } from '../document/schema.mjs';
import { difference, listed, quoted } from './rule.mjs';

/**
 * @param {import('../document/schema.mjs').Schema} schema
 * @param {readonly string[]} wanted
 * @param {string} what
 * @returns {import('../document/place.mjs').Finding[]}
 */
export function notTheListed(schema, wanted, what) {
  const values = allowedValues(schema);
  if (values === undefined && acceptsOnly(schema, wanted)) return [];
  if (values === undefined)
    return [
      finding(schema[0], `The schema of ${what} must have an enum of ${listed(wanted)}${instead(schema, wanted)}.`),
    ];
  const { missing, unknown } = difference(values, wanted);
  const lacks = missing.length === 0 ? [] : [`lacks ${listed(missing)}`];
  const has =
    unknown.length === 0 ? [] : [`has ${listed(unknown)}, which ${unknown.length === 1 ? 'is' : 'are'} not documented`];
  const wrong = [...lacks, ...has].join(' and ');
  return wrong === '' ? [] : [finding(schema[0], `The enum of ${what} ${wrong}.`)];
}

/**
 * Whether a schema without an enum, such as one with a pattern, accepts these values and no other that is tried.
 * @param {import('../document/schema.mjs').Schema} schema
 * @param {readonly string[]} wanted
 */
function acceptsOnly(schema, wanted) {
  return (
    wanted.every((value) => accepts(schema, value) === true) &&
    othersThan(wanted).every((value) => accepts(schema, value) === false)
  );
}

/**
 * Names what a schema has in place of an enum, such as a pattern. Empty if it accepts every string.
 * @param {import('../document/schema.mjs').Schema} schema
 * @param {readonly string[]} wanted
 */
function instead(schema, wanted) {
  const refused = wanted.find((value) => accepts(schema, value) === false);
  if (refused !== undefined) return `; ${rejectingKeyword(schema, refused)?.name} rejects ${refused}`;
  const accepted = othersThan(wanted).find((value) => accepts(schema, value) === true);
  const isLimited = othersThan(wanted).some((value) => rejectingKeyword(schema, value)?.name === 'pattern');
  return isLimited && accepted !== undefined ? `; pattern allows ${quoted(accepted)}` : '';
}

/**
 * Returns strings that are none of the values.
 * @param {readonly string[]} values
 */
const othersThan = ([first = '']) => ['', 'other', 'OTHER', `${first}x`, `x${first}`];
