// @ts-check
/** The names of the headers that a document declares, and those with the brand of the service. */
import { below, textOf } from './place.mjs';

/** @typedef {import('./place.mjs').Place} Place */
/** @typedef {import('./operations.mjs').Operation} Operation */

/** Headers with the brand of the service: `X-Svc-Workspace`. The first group is the brand. */
export const BRANDED = /^x-([a-z][a-z\d]*)-(?:authorization|workspace|thread-id)$/i;

/** The version header: `Svc-Version`. The first group is the brand. Other APIs have such headers, too. */
export const VERSION = /^(?!x-)([a-z][a-z\d]*)-version$/i;

/**
 * Returns every header name of parameters and security schemes with its place.
 * @param {{ operations: Operation[], securitySchemes: [string, Place][] }} model
 */
export function headerNames({ operations, securitySchemes }) {
  const parameters = operations.flatMap((each) => each.parameters).filter((each) => each.in === 'header');
  const places = [...securitySchemes.map(([, scheme]) => scheme), ...parameters.map(({ place }) => place)];
  return places.map((place) => ({ place, name: textOf(below(place, 'name')) }));
}
