/** The resources of a world: plain data in collections, found by workspace (or account) and path. */
import type { ResourceFile } from '../../spec/formats/world-file.ts';
import { isGone, type Deployment } from './deployments.ts';
import type { JsonObject } from '../../spec/json-object.ts';
import type { Clock, Instant } from '../time/clock.ts';

/** A stored resource; the server's members of a response are added when it is read. */
export interface Resource {
  readonly name: string;
  /** As sent, without the name and read-only members. */
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
  readonly createdAt: Instant;
  readonly createdBy: string;
  readonly updatedAt: Instant;
  readonly updatedBy: string;
  /** Empty for kinds that are not deployed. */
  readonly deployments: readonly Deployment[];
  /** Identifies its meters; absent for kinds that are not metered. */
  readonly uuid?: string;
  /** Callback URLs of triggers that a web page of another origin has set; absent if there are none. */
  readonly foreignCallbacks?: readonly string[];
  /** Tools of a function's MCP server, if the world file defines any. */
  readonly tools?: ResourceFile['tools'];
}

/** By home and path: `demo/agents`, `demo/sandboxes/demo-box/previews`, `account:acc-demo/workspaces`. */
export type Resources = Map<string, Map<string, Resource>>;

/** The part of a world's state that holds resources. */
export interface ResourceState {
  readonly resources: Resources;
  readonly clock: Clock;
}

/** In order of creation, including resources that are being deleted. */
export function listResources(world: ResourceState, key: string): Resource[] {
  const collection = world.resources.get(key);
  if (collection === undefined) return [];
  const now = world.clock.now();
  for (const { name, deployments } of collection.values()) if (isGone(deployments, now)) collection.delete(name);
  return [...collection.values()];
}

/** Undefined if it does not exist or its deletion is complete. */
export function findResource(world: ResourceState, key: string, name: string): Resource | undefined {
  const collection = world.resources.get(key);
  const resource = collection?.get(name);
  if (resource === undefined || !isGone(resource.deployments, world.clock.now())) return resource;
  collection?.delete(name);
  return undefined;
}

/** Adds a resource, or replaces the one of that name. */
export function putResource(world: ResourceState, key: string, resource: Resource): void {
  const collection = world.resources.get(key);
  if (collection === undefined) world.resources.set(key, new Map([[resource.name, resource]]));
  else collection.set(resource.name, resource);
}

/** Removes a resource and its nested resources. */
export function dropResource(world: ResourceState, key: string, name: string): void {
  world.resources.get(key)?.delete(name);
  dropNested(world, key, name);
}

export function dropNested(world: ResourceState, key: string, name: string): void {
  const prefix = `${key}/${name}/`;
  for (const nested of world.resources.keys()) if (nested.startsWith(prefix)) world.resources.delete(nested);
}
