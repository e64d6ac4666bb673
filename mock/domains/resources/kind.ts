/** The types of resource kinds and of the places where resources are stored. */
import type { JsonObject } from '../../../spec/json-object.ts';
import type { ResourceType } from '../../metrics/dimensions.ts';
import type { Workspace } from '../../state/accounts.ts';
import type { Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { Rule } from './rules/rule.ts';

export type KindId =
  | 'agents'
  | 'functions'
  | 'models'
  | 'sandboxes'
  | 'previews'
  | 'tokens'
  | 'jobs'
  | 'volumes'
  | 'volume_templates'
  | 'versions'
  | 'vpcs'
  | 'integrations/connections'
  | 'customdomains'
  | 'policies'
  | 'images'
  | 'workspaces';

export interface Kind {
  /** Last part of the collection's URL path. */
  readonly collection: string;
  /** The path parameter with the name of a resource. */
  readonly param: string;
  /** For messages; capitalized. */
  readonly noun: string;
  /** The kind in which it is nested; absent at the top level. */
  readonly parent?: KindId;
  /** Belongs to an account instead of a workspace. */
  readonly ofAccount?: true;
  /** The deployment that a write starts; absent if the kind has no status and events. */
  readonly course?: 'deploy' | 'provision';
  readonly meteredAs?: ResourceType;
  readonly url?: (world: WorldState, workspace: Workspace, resource: Resource) => string;
  /** Applied in order to every create and update, after the schema: checks first, side effects last. */
  readonly rules: readonly Rule[];
  /** Reads a body without the common envelope. */
  readonly fromBody?: (body: JsonObject) => ResourceInput;
  /** Builds a response that differs from the common envelope. */
  readonly toBody?: (world: WorldState, place: Place, resource: Resource) => object;
}

/** The part of a body that is written. */
export interface ResourceInput {
  readonly metadata: Readonly<{ name: string }>;
  readonly spec: object;
}

/** A collection of resources: a kind in a workspace, with the names of its parents. */
export interface Place {
  readonly id: KindId;
  readonly kind: Kind;
  readonly workspace: Workspace;
  /** Names of the parents by path parameter. */
  readonly path: PathValues;
  /** As in the URL, without a leading slash: `sandboxes/demo-box/previews`. */
  readonly collection: string;
  /** Key of the collection in the world's resources. */
  readonly key: string;
}

export type PathValues = Readonly<Record<string, string | undefined>>;
