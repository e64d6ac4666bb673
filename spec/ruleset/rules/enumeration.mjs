// @ts-check
/** Compares the enum of a schema with the documented values. */
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
  if (values === undefined)
    return [finding(schema[0], `The schema of ${what} must have an enum of ${listed(wanted)}.`)];
  const { missing, unknown } = difference(values, wanted);
  const lacks = missing.length === 0 ? [] : [`lacks ${listed(missing)}`];
  const has =
    unknown.length === 0 ? [] : [`has ${listed(unknown)}, which ${unknown.length === 1 ? 'is' : 'are'} not documented`];
  const wrong = [...lacks, ...has].join(' and ');
  return wrong === '' ? [] : [finding(schema[0], `The enum of ${what} ${wrong}.`)];
}
