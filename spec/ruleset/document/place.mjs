// @ts-check
/** Places in a document and their values. References are followed across files. */

/** @typedef {string | number} Segment */

/**
 * @typedef {object} Reading What all places of one document share.
 * @property {'3.0' | '3.1'} version 3.1 includes later versions.
 * @property {number} minorVersion Of OpenAPI 3, such as 2 in a document of OpenAPI 3.2.
 * @property {unknown} [describedVersion] Of the API, as the document says.
 * @property {(source: string) => unknown} contentOf The content of another file; undefined if it was not read.
 * @property {() => void} [onCircle] Called when a reference leads back to itself.
 * @property {Finding[]} typeFindings Findings about values of unexpected types.
 */

/**
 * @typedef {object} Place
 * @property {unknown} value
 * @property {readonly Segment[]} path From the root of the document, as if everything referred to stood there itself.
 * @property {string | null} source The file that contains the value; null if it has no name.
 * @property {Reading} reading
 */

/**
 * @typedef {object} Finding
 * @property {readonly Segment[]} path
 * @property {string} message One sentence.
 */

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isMap(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns the string at a place, or an empty string if there is none.
 * @param {Place | undefined} place
 */
export function textOf(place) {
  return typeof place?.value === 'string' ? place.value : '';
}

/**
 * @param {Pick<Place, 'path'>} place
 * @param {string} message
 * @returns {Finding}
 */
export function finding({ path }, message) {
  return { path, message };
}

/**
 * Returns the child with this name without following its reference.
 * @param {Place | undefined} place
 * @param {...Segment} segments
 * @returns {Place | undefined}
 */
export function below(place, ...segments) {
  return descend(place, segments);
}

/**
 * @param {Place | undefined} place
 * @param {readonly Segment[]} segments
 * @param {Set<unknown>} [outer] As for follow.
 * @returns {Place | undefined}
 */
function descend(place, segments, outer) {
  let current = place;
  for (const segment of segments) {
    const parent = current && follow(current, outer);
    current = parent && child(parent, segment);
  }
  return current;
}

/**
 * @param {Place} parent
 * @param {Segment} segment
 * @returns {Place | undefined}
 */
function child(parent, segment) {
  const { value } = parent;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
  const inner = /** @type {Record<Segment, unknown>} */ (value)[segment];
  return inner === undefined ? undefined : { ...parent, value: inner, path: [...parent.path, segment] };
}

/**
 * Returns the entries of an object in order. Any other value is recorded as a finding.
 * @param {Place | undefined} place
 * @returns {[string, Place][]}
 */
export function entriesOf(place) {
  const map = place && follow(place);
  if (map === undefined || map.value === undefined) return [];
  if (isMap(map.value)) return Object.keys(map.value).flatMap((key) => withKey(key, child(map, key)));
  noteUnexpectedType(map, 'an object');
  return [];
}

/**
 * @param {string} key
 * @param {Place | undefined} place
 * @returns {[string, Place][]}
 */
const withKey = (key, place) => (place === undefined ? [] : [[key, place]]);

/**
 * Returns the items of an array. Any other value is recorded as a finding.
 * @param {Place | undefined} place
 * @returns {Place[]}
 */
export function itemsOf(place) {
  const list = place && follow(place);
  if (list === undefined || list.value === undefined) return [];
  if (Array.isArray(list.value))
    return list.value.map((value, index) => ({ ...list, value, path: [...list.path, index] }));
  noteUnexpectedType(list, 'an array');
  return [];
}

/**
 * @param {Place} place
 * @param {string} wanted
 */
export function noteUnexpectedType(place, wanted) {
  place.reading.typeFindings.push(finding(place, `Expected ${wanted}, found ${kindOf(place.value)}.`));
}

/** @param {unknown} value */
export function kindOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * What a reference leads to in the end; a place without a reference is given back. The value is undefined where a reference
 * leads nowhere or round in a circle. The path stays that of the first place: there the content counts.
 * @param {Place} place
 * @param {Set<unknown>} [outer] What is being followed already, because a reference may lead through others.
 * @returns {Place}
 */
export function follow(place, outer = new Set()) {
  const visited = new Set();
  let current = place;
  while (isMap(current.value) && typeof current.value['$ref'] === 'string') {
    if (outer.has(current.value)) {
      current.reading.onCircle?.();
      current = { ...current, value: undefined };
      break;
    }
    visited.add(current.value);
    outer.add(current.value);
    current = { ...target(current, current.value['$ref'], outer), path: place.path };
  }
  for (const each of visited) outer.delete(each);
  return current;
}

/**
 * @param {Place} from
 * @param {string} reference
 * @param {Set<unknown>} outer
 * @returns {Place}
 */
function target(from, reference, outer) {
  const [file = '', pointer = ''] = reference.split('#', 2);
  const source = file === '' ? from.source : sourceOf(file, from.source);
  const root = { ...from, source, value: from.reading.contentOf(source ?? ''), path: [] };
  return descend(root, segmentsOf(pointer), outer) ?? { ...root, value: undefined };
}

/**
 * Parses a JSON Pointer in a URI fragment (RFC 6901 section 6).
 * @param {string} pointer
 * @returns {string[]}
 */
export function segmentsOf(pointer) {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => decoded(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Resolves a reference relative to a file: a URL, or a path with forward slashes.
 * @param {string} reference Without its fragment.
 * @param {string | null} from
 * @returns {string}
 */
export function sourceOf(reference, from) {
  const address = /^[a-z][a-z\d+.-]+:\/\//i;
  if (address.test(reference)) return reference;
  if (from !== null && address.test(from)) return new URL(reference, from).href;
  const { pathname } = new URL(
    reference.replaceAll('%', '%25'),
    new URL((from ?? '').replaceAll('%', '%25'), 'file:///'),
  );
  return decoded(pathname);
}
