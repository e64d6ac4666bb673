// @ts-check
/** The form of a rule, and what its examples are parts of. */

/** @typedef {import('../document/model.mjs').Model} Model */
/** @typedef {import('../document/place.mjs').Finding} Finding */
/** @typedef {import('../../requirements/index.ts').RequirementId} RequirementId */

/** The whole documents that examples are parts of, by the names of their files. */
export const wholes = /** @type {const} */ (['resource', 'agent', 'operation', 'metrics', 'sandbox', 'openapi-3.0']);

/**
 * @typedef {object} Example Merged into a whole document at a place (RFC 7396: null leaves out), the good one changes nothing
 * that the rules speak of, the bad one makes this rule and no other find something, once.
 * @property {(typeof wholes)[number]} within
 * @property {readonly string[]} at
 * @property {unknown} good
 * @property {unknown} bad
 */

/**
 * @typedef {object} Rule
 * @property {string} id
 * @property {string} says What holds in a document that keeps it. One sentence.
 * @property {readonly RequirementId[]} requirements Those of the catalogue that it stands for.
 * @property {'error' | 'warn'} severity An error where the document tells something else than the interface.
 * @property {Example} example
 * @property {(model: Model | undefined) => Iterable<Finding>} find Undefined: what is linted is no OpenAPI document.
 */

/**
 * A rule that speaks about OpenAPI documents, and is silent about anything else.
 * @param {Omit<Rule, 'find' | 'severity'> & { find(model: Model): Iterable<Finding> }} row
 * @returns {Rule}
 */
export function rule(row) {
  const severity = row.requirements.length > 0 ? 'error' : 'warn';
  return { ...row, severity, find: (model) => (model === undefined ? [] : row.find(model)) };
}

const LONGEST_QUOTE = 80;

/**
 * A value of a document as a message quotes it.
 * @param {unknown} value
 * @returns {string}
 */
export function quoted(value) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE)}…`;
}

/**
 * A list as it is said.
 * @param {readonly unknown[]} values
 */
export function listed(values) {
  return values.map((value) => (typeof value === 'string' ? value : quoted(value))).join(', ');
}

/**
 * What is missing from and what is too much in a set of values.
 * @param {readonly unknown[]} values
 * @param {readonly string[]} wanted
 */
export function difference(values, wanted) {
  return {
    missing: wanted.filter((value) => !values.includes(value)),
    unknown: values.filter((value) => !wanted.includes(/** @type {string} */ (value))),
  };
}
