// @ts-check
/** Makes rules into what Spectral runs, reading each document once for all of them. */
import { modelOf } from './document/model.mjs';

/** @typedef {import('./document/model.mjs').Model} Model */
/** @typedef {import('./document/place.mjs').Finding} Finding */
/** @typedef {import('./rules/rule.mjs').Rule} Rule */

/**
 * What Spectral tells of the documents; the rest of its context is of no use here.
 * @typedef {object} Context
 * @property {{ readonly data: unknown, readonly source: string | null }} document
 * @property {{ readonly referencedDocuments: Readonly<Record<string, { readonly data: unknown }>> }} documentInventory
 */

/** @typedef {{ path: (string | number)[], message: string }} Result */

/** Spectral asks once a rule.
 * @type {WeakMap<object, { model: Model | undefined }>} */
const read = new WeakMap();

/**
 * The model of the document that Spectral lints; undefined where it is no OpenAPI document.
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
 * A rule as Spectral wants it. The rules find their way through the document themselves: what Spectral resolves has lost
 * what stands beside a reference, and takes minutes for a document of megabytes.
 * @param {Pick<Rule, 'says'> & { find(model: Model | undefined): Iterable<Finding> }} rule
 * @param {'error' | 'warn' | 'info'} severity
 */
export function spectralRule(rule, severity) {
  /** @type {(value: unknown, options: unknown, context: Context) => Result[]} */
  const check = (_value, _options, context) => [...rule.find(modelFor(context))].map(forSpectral);
  // Spectral's own word for what a rule does.
  // oxlint-disable-next-line unicorn/no-thenable
  return { description: rule.says, message: '{{error}}', severity, given: '$', then: { function: check } };
}

/**
 * Spectral decodes segments as those of a JSON Pointer, and fills in what stands in double braces.
 * @param {Finding} finding
 * @returns {Result}
 */
function forSpectral({ path, message }) {
  const segments = path.map((each) => (typeof each === 'string' ? each.replaceAll('~', '~0') : each));
  return { path: segments, message: message.replaceAll('{{', '{ {') };
}
