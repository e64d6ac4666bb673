// @ts-check
/** Finds the metrics operation of a document and its query parameters. */
import { below, textOf } from '../document/place.mjs';
import { descriptionsOf } from '../document/schema.mjs';

/** @typedef {import('../document/model.mjs').Model} Model */
/** @typedef {import('../document/model.mjs').Operation} Operation */
/** @typedef {import('../document/model.mjs').Parameter} Parameter */
/** @typedef {import('../document/schema.mjs').Schema} Schema */
/** @typedef {import('./rule.mjs').Finding} Finding */

/** @param {Model} model */
export const metricsOf = ({ operations }) =>
  operations.filter(
    (each) => each.surface === 'management' && each.method === 'get' && each.path === '/accounts/{}/metrics',
  );

/**
 * @param {Operation} operation
 * @param {string} name
 */
export const query = ({ parameters }, name) => parameters.find((each) => each.in === 'query' && each.name === name);

/**
 * Checks a query parameter of the metrics, if it exists.
 * @param {string} name
 * @param {(parameter: Parameter, operation: Operation) => Finding[]} judge
 * @returns {(model: Model) => Finding[]}
 */
export const eachQuery = (name, judge) => (model) =>
  metricsOf(model).flatMap((operation) => {
    const parameter = query(operation, name);
    return parameter === undefined ? [] : judge(parameter, operation);
  });

/**
 * @param {Parameter} parameter
 * @returns {Schema}
 */
export const schemaOf = ({ place, schema }) => schema ?? [place];

/**
 * Returns all text about a parameter: the descriptions of the parameter, its schema and its operation.
 * @param {Parameter} parameter
 * @param {Operation} operation
 */
export function wordsAbout({ description, schema }, operation) {
  return [description, textOf(below(operation.place, 'description')), descriptionsOf(schema)].join('\n');
}
