/** Applies an overlay to a document: the OpenAPI Overlay Specification 1.0.0, of which `extends` is not read. */
import { query } from 'json-p3';
import type { JSONValue } from 'json-p3';
import { z } from 'zod';

/** `target`: a JSONPath (RFC 9535). */
const overlaySchema = z.object({
  actions: z.array(
    z.union([
      z.strictObject({ target: z.string(), description: z.string().exactOptional(), remove: z.literal(true) }),
      z.strictObject({ target: z.string(), description: z.string().exactOptional(), update: z.unknown() }),
    ]),
  ),
});

/**
 * Returns a changed copy. Throws if the overlay is invalid, and for a target that selects nothing, which the specification allows,
 * because it is a mistake.
 */
export function applyOverlay<Document extends object>(document: Document, overlay: unknown): Document {
  const { actions } = overlaySchema.parse(overlay);
  const root = { document: structuredClone(document) };
  for (const action of actions) {
    const nodes = query(action.target, root.document as JSONValue).nodes.map(({ location }) => location);
    if (nodes.length === 0) throw new Error(`The overlay's target ${action.target} is not in the document.`);
    // The last first, so that removing an element does not move the next one.
    for (const location of nodes.toReversed()) {
      const [last, parent] = parentOf(root, ['document', ...location]);
      if ('remove' in action) remove(parent, last);
      else parent[last] = merged(parent[last], action.update);
    }
  }
  return root.document;
}

type Parent = Record<string | number, unknown>;

function parentOf(root: object, location: readonly (string | number)[]): [string | number, Parent] {
  const parent = location.slice(0, -1).reduce((at, name) => at[name] as Parent, root as Parent);
  return [location.at(-1)!, parent];
}

function remove(parent: Parent, name: string | number): void {
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects are merged member by member, a list gets another element, and any other value is replaced. */
function merged(value: unknown, update: unknown): unknown {
  if (Array.isArray(value)) return [...(value as unknown[]), update];
  if (!isRecord(value) || !isRecord(update)) return update;
  return Object.fromEntries(
    [...new Set([...Object.keys(value), ...Object.keys(update)])].map((name) => [
      name,
      !Object.hasOwn(update, name) ? value[name] : mergedMember(value[name], update[name]),
    ]),
  );
}

/** In an update, a list of a member is appended as a whole. */
const mergedMember = (value: unknown, update: unknown): unknown =>
  Array.isArray(value) && Array.isArray(update)
    ? [...(value as unknown[]), ...(update as unknown[])]
    : merged(value, update);
