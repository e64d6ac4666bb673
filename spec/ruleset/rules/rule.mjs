// @ts-check
/** The type of a lint rule and of its examples. */

/** @typedef {import('../document/model.mjs').Model} Model */
/** @typedef {import('../document/place.mjs').Finding} Finding */
/** @typedef {import('../../requirements/index.ts').RequirementId} RequirementId */

/** Names of the documents in fixtures/good-documents that the examples are merged into. */
export const wholes = /** @type {const} */ ([
  'resource',
  'agent',
  'operation',
  'metrics',
  'sandbox',
  'openapi-3.0',
  'foreign',
]);

/**
 * @typedef {object} Example Merged into a document at a path (RFC 7396: null removes). With the good one, no rule finds
 * anything; with the bad one, only this rule does, once.
 * @property {(typeof wholes)[number]} within
 * @property {readonly string[]} at
 * @property {unknown} good
 * @property {unknown} bad
 */

/**
 * @typedef {object} Rule
 * @property {string} id
 * @property {string} description What is true of a conforming document. One sentence.
 * @property {readonly RequirementId[]} requirements The requirements of the catalogue that the rule checks.
 * @property {'error' | 'warn'} severity An error if the rule checks requirements, or if tools ignore a part of the document.
 * @property {Example} example
 * @property {(model: Model | undefined, data?: unknown) => Iterable<Finding>} find The model is undefined if the data is not an OpenAPI document.
 */

/**
 * Creates a rule that checks OpenAPI documents and ignores any other input. One that checks requirements ignores documents of
 * other APIs.
 * @param {Omit<Rule, 'find' | 'severity'> & { severity?: 'error', find(model: Model): Iterable<Finding> }} row
 * @returns {Rule}
 */
export function rule(row) {
  const severity = row.severity ?? (row.requirements.length > 0 ? 'error' : 'warn');
  const isFor = (/** @type {Model} */ { isOurs }) => isOurs || row.requirements.length === 0;
  return { ...row, severity, find: (model) => (model !== undefined && isFor(model) ? row.find(model) : []) };
}

const MAX_QUOTE_LENGTH = 80;

/**
 * Formats a value of a document for a message.
 * @param {unknown} value
 * @returns {string}
 */
export function quoted(value) {
  const text = value === undefined ? 'undefined' : JSON.stringify(value);
  return text.length <= MAX_QUOTE_LENGTH ? text : `${text.slice(0, MAX_QUOTE_LENGTH)}…`;
}

/**
 * Describes a limit of a schema that is not the documented one.
 * @param {string} what Such as `The maxLength of a name`.
 * @param {string | number} limit
 * @param {unknown} declared
 */
export function wrongLimit(what, limit, declared) {
  return declared === undefined
    ? `${what} must be ${limit}; it is missing.`
    : `${what} must be ${limit}, not ${quoted(declared)}.`;
}

/**
 * Joins values for a message.
 * @param {readonly unknown[]} values
 */
export function listed(values) {
  return values.map((value) => (typeof value === 'string' ? value : quoted(value))).join(', ');
}

/**
 * Compares a set of values with the expected ones.
 * @param {readonly unknown[]} values
 * @param {readonly string[]} wanted
 */
export function difference(values, wanted) {
  return {
    missing: wanted.filter((value) => !values.includes(value)),
    unknown: values.filter((value) => !wanted.includes(/** @type {string} */ (value))),
  };
}
