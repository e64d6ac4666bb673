/** What a kind of resources is, and the place of its resources in a workspace. */
import type { JsonObject } from '../../http/json-object.ts';
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
  /** Last part of its path in the URL. */
  readonly collection: string;
  /** The path parameter that holds a name of this kind. */
  readonly param: string;
  /** Opens sentences. */
  readonly noun: string;
  /** Whose path comes before; absent at the top. */
  readonly parent?: KindId;
  /** Of an account rather than of one workspace of it. */
  readonly ofAccount?: true;
  /** What a write sets going; absent where there is neither status nor events. */
  readonly course?: 'deploy' | 'provision';
  readonly meteredAs?: ResourceType;
  readonly url?: (world: WorldState, workspace: Workspace, resource: Resource) => string;
  /** Applied in this order to every create and update, after the schema: checks first, what has an effect last. */
  readonly rules: readonly Rule[];
  /** For bodies that have not the common envelope. */
  readonly fromBody?: (body: JsonObject) => ResourceInput;
  /** For answers that have not the common envelope, or more than it. */
  readonly toBody?: (world: WorldState, place: Place, resource: Resource) => object;
}

/** What a client asks to be written. */
export interface ResourceInput {
  readonly metadata: Readonly<{ name: string }>;
  readonly spec: object;
}

/** Where resources of a kind are, for a call about a workspace and with these path values. */
export interface Place {
  readonly id: KindId;
  readonly kind: Kind;
  readonly workspace: Workspace;
  /** Of what it is nested in. */
  readonly path: PathValues;
  /** As in the URL, without the slash before it: `sandboxes/demo-box/previews`. */
  readonly collection: string;
  /** Of the collection in the world's resources. */
  readonly key: string;
}

export type PathValues = Readonly<Record<string, string | undefined>>;
