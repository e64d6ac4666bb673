/** The type of write rules: they complete a spec, or throw a problem. */
import { invalidField } from '../../../http/problems.ts';
import type { Workspace } from '../../../state/accounts.ts';
import type { Instant } from '../../../time/clock.ts';
import type { Resource } from '../../../state/resources.ts';
import type { JsonObject } from '../../../../spec/json-object.ts';
import type { WorldState } from '../../../state/world-state.ts';
import { isObject } from '../../../../spec/json-object.ts';

export interface Write {
  readonly world: WorldState;
  readonly workspace: Workspace;
  /** Path of the collection, as in the URL: `agents`, `sandboxes/demo-box/previews`. */
  readonly collection: string;
  readonly name: string;
  readonly at: Instant;
  /** As the client sent it. */
  readonly sent: JsonObject;
  /** A shallow copy to complete: rules replace nested values instead of changing them. */
  readonly spec: JsonObject;
  /** The resource before an update; absent for a create. */
  readonly before?: Resource;
}

export type Rule = (write: Write) => void;

/** Reads an optional object from an undocumented spec; throws if it is not an object. `at`: path prefix for messages. */
export function objectMember(parent: JsonObject, name: string, at = 'spec.'): JsonObject | undefined {
  const value = parent[name];
  if (value === undefined || isObject(value)) return value;
  throw invalidField(`${at}${name}`, value, 'an object');
}

/** The same for a string. */
export function stringMember(parent: JsonObject, name: string, at = 'spec.'): string | undefined {
  const value = parent[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidField(`${at}${name}`, value, 'a string');
}

/** The same for a boolean. */
export function booleanMember(parent: JsonObject, name: string, at = 'spec.'): boolean | undefined {
  const value = parent[name];
  if (value === undefined || typeof value === 'boolean') return value;
  throw invalidField(`${at}${name}`, value, 'true or false');
}
