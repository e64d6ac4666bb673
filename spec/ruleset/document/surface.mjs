// @ts-check
/** Determines the surface of an operation from its URL. */
import { collections } from '../values.mjs';
import { below, textOf } from './place.mjs';

/** @typedef {'management' | 'host' | 'inference' | 'sandbox'} Surface */

/**
 * @typedef {object} Address
 * @property {Surface | undefined} surface Undefined where the address is none that the interface speaks of.
 * @property {string} path Below the root of the surface, parameters as `{}`.
 */

/** Path patterns of the surfaces without a prefix. */
const FORMS = /** @type {const} */ ([
  ['host', /^\/\{\}\/jobs\/\{\}\/executions(\/|$)/],
  ['host', /^\/(oauth|\.well-known)\//],
  ['inference', /^\/\{\}\/(agents|models|functions)\/\{\}(\/|$)/],
  ['sandbox', /^\/(mcp|filesystem|filesystem-multipart|watch)(\/|$)|^\/$/],
]);

/**
 * @param {string} path The path of the document, parameters in braces.
 * @param {readonly string[]} bases Paths of the servers.
 * @returns {Address}
 */
export function addressOf(path, bases) {
  const blank = path.replaceAll(/\{[^{}]*\}/g, '{}');
  const managed = pathBelowPrefix(blank, bases);
  if (managed !== undefined) return { surface: 'management', path: managed };
  const surface = FORMS.find(([, form]) => form.test(blank))?.[0];
  if (surface !== undefined) return { surface, path: blank };
  return { surface: collections.includes(blank.split('/')[1] ?? '') ? 'management' : undefined, path: blank };
}

/**
 * Returns the path below the prefix of the management API. Undefined if neither the path nor a server has the prefix.
 * @param {string} path
 * @param {readonly string[]} bases Paths of the servers.
 * @returns {string | undefined}
 */
export function pathBelowPrefix(path, bases) {
  const paths = bases.length === 0 ? [path] : bases.map((base) => base.replace(/\/$/, '') + path);
  for (const each of paths) {
    const managed = /(?:^|\/)v0(\/.*)$/.exec(each)?.[1];
    if (managed !== undefined) return managed;
  }
  return undefined;
}

/**
 * Returns the path of a server URL with default variables, or undefined if the URL is invalid.
 * @param {import('./place.mjs').Place} server
 * @returns {string | undefined}
 */
export function pathOfServer(server) {
  const valueOf = (/** @type {string} */ name) => textOf(below(server, 'variables', name, 'default')) || 'x';
  const url = textOf(below(server, 'url')).replaceAll(/\{([^{}]*)\}/g, (_, name) => valueOf(name));
  try {
    return new URL(url, 'http://host').pathname;
  } catch {
    return undefined;
  }
}
