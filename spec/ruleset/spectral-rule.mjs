// @ts-check
/** Converts rules to Spectral rules. Each document is read once for all rules. */
import { modelOf } from './document/model.mjs';

/** @typedef {import('./document/model.mjs').Model} Model */
/** @typedef {import('./document/place.mjs').Finding} Finding */
/** @typedef {import('./rules/rule.mjs').Rule} Rule */

/**
 * The part of the Spectral context that the rules need.
 * @typedef {object} Context
 * @property {{ readonly data: unknown, readonly source: string | null }} document
 * @property {{ readonly referencedDocuments: Readonly<Record<string, { readonly data: unknown }>> }} documentInventory
 */

/** @typedef {{ path: (string | number)[], message: string }} Result */

/** Cached, because Spectral calls each rule separately.
 * @type {WeakMap<object, { model: Model | undefined }>} */
const read = new WeakMap();

/**
 * Returns the model of the linted document, or undefined if it is not an OpenAPI document.
 * @param {Context} context
 * @returns {Model | undefined}
 */
function modelFor({ document, documentInventory }) {
  let entry = read.get(documentInventory);
  if (entry === undefined) {
    const contentOf = (/** @type {string} */ source) => documentInventory.referencedDocuments[source]?.data;
    entry = { model: modelOf(document.data, document.source, contentOf) };
    read.set(documentInventory, entry);
  }
  return entry.model;
}

/**
 * Converts a rule. The rules resolve references themselves, because Spectral drops the siblings of a reference and takes
 * minutes to resolve a document of several megabytes.
 * @param {Pick<Rule, 'description'> & { find(model: Model | undefined, data: unknown): Iterable<Finding> }} rule
 * @param {'error' | 'warn' | 'info'} severity
 */
export function spectralRule(rule, severity) {
  /** @type {(value: unknown, options: unknown, context: Context) => Result[]} */
  const check = (_value, _options, context) =>
    [...rule.find(modelFor(context), context.document.data)].map(forSpectral);
  // Spectral requires the property name `then`.
  // oxlint-disable-next-line unicorn/no-thenable
  return { description: rule.description, message: '{{error}}', severity, given: '$', then: { function: check } };
}

/**
 * Escapes the finding: Spectral decodes path segments as JSON Pointer and interpolates double braces in messages.
 * @param {Finding} finding
 * @returns {Result}
 */
function forSpectral({ path, message }) {
  const segments = path.map((each) => (typeof each === 'string' ? each.replaceAll('~', '~0') : each));
  return { path: segments, message: message.replaceAll('{{', '{ {') };
}
