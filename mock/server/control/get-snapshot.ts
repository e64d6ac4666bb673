/** GET /_mock/snapshot: the whole world as JSON, including credentials, without journal and fault rules. */
import { ok } from '../../http/reply.ts';
import { saveWorld } from '../../world/snapshot.ts';
import type { ControlCall } from './control-call.ts';

/** How deep a snapshot has containers that grow: `sandboxes`, a sandbox, its filesystem, the entries, an entry. */
const CONTAINER_DEPTH = 5;

export const getSnapshot: ControlCall = {
  // Copied first, so that the parts that are sent later are of the same instant: they are replaced, not changed.
  handle: ({ served: { world } }) => ok(copyOf(saveWorld(world), CONTAINER_DEPTH)),
  isLarge: true,
};

function copyOf(value: unknown, depth: number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => copyOf(each, depth - 1));
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) copy[name] = copyOf((value as Record<string, unknown>)[name], depth - 1);
  return copy;
}
