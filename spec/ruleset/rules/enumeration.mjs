// @ts-check
/** Compares the values that a schema accepts with the documented ones. */
import { accepts } from '../document/accepts.mjs';
import { finding } from '../document/place.mjs';
import { allowedValues } from '../document/schema.mjs';
import { difference, listed } from './rule.mjs';

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
    return [finding(schema[0], `The schema of ${what} must have an enum of ${listed(wanted)}.`)];
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
  const [first = ''] = wanted;
  const others = ['', 'other', 'OTHER', `${first}x`, `x${first}`];
  return (
    wanted.every((value) => accepts(schema, value) === true) &&
    others.every((value) => accepts(schema, value) === false)
  );
}
