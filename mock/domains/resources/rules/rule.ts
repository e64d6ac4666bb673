/** What a rule of writing is: it completes a spec, or throws the problem that names field, value and what is allowed. */
import { invalidField } from '../../../http/problems.ts';
import type { Workspace } from '../../../state/accounts.ts';
import type { Instant } from '../../../time/clock.ts';
import type { Resource } from '../../../state/resources.ts';
import type { JsonObject } from '../../../http/json-object.ts';
import type { WorldState } from '../../../state/world-state.ts';
import { isObject } from '../../../http/json-object.ts';

export interface Write {
  readonly world: WorldState;
  readonly workspace: Workspace;
  /** Path of the collection, as in the URL: `agents`, `sandboxes/demo-box/previews`. */
  readonly collection: string;
  readonly name: string;
  readonly at: Instant;
  /** As the client sent it. */
  readonly sent: JsonObject;
  /** A copy to be completed; nested values are still the client's and are replaced, not changed. */
  readonly spec: JsonObject;
  /** The resource that an update changes; absent in a creation. */
  readonly before?: Resource;
}

export type Rule = (write: Write) => void;

/** For what the document does not show: a member that has to be an object where it is there; `at` is the path to it. */
export function objectMember(parent: JsonObject, name: string, at = 'spec.'): JsonObject | undefined {
  const value = parent[name];
  if (value === undefined || isObject(value)) return value;
  throw invalidField(`${at}${name}`, value, 'an object');
}

/** The same for a member that has to be a text. */
export function stringMember(parent: JsonObject, name: string, at = 'spec.'): string | undefined {
  const value = parent[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidField(`${at}${name}`, value, 'a string');
}
