// @ts-check
/** Describes what a file contains that is not an OpenAPI document of version 3.x. */
import { isMap, kindOf } from '../document/place.mjs';
import { quoted } from './rule.mjs';

/** @typedef {import('../document/place.mjs').Finding} Finding */

const EXPECTED = 'Expected a version such as openapi: "3.1.0".';

/**
 * @param {unknown} data
 * @returns {Finding} At the member that has the version, if there is one.
 */
export function describeOther(data) {
  const { member, what } = contentOf(data);
  return { path: member === undefined ? [] : [member], message: `Not an OpenAPI 3.x document: ${what}` };
}

/**
 * @param {unknown} data
 * @returns {{ member?: string, what: string }} One or more sentences, of which the first is incomplete.
 */
function contentOf(data) {
  if (data === undefined || data === null) return { what: 'it is empty.' };
  if (!isMap(data)) return { what: `it is ${kindOf(data)}, not an object.` };
  const { openapi, swagger } = data;
  if (openapi === undefined && swagger !== undefined)
    return { member: 'swagger', what: `found swagger: ${quoted(swagger)}. Convert it to OpenAPI 3 first.` };
  if (openapi === undefined) return { what: `it has no member openapi. ${EXPECTED}` };
  const member = 'openapi';
  if (typeof openapi !== 'number') return { member, what: `found openapi: ${quoted(openapi)}. ${EXPECTED}` };
  return { member, what: `found openapi: ${openapi}, a number. Put it in quotes, with three parts: openapi: "3.1.0".` };
}
