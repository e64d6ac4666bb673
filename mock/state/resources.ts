/** The resources of a world: plain data in collections, found by workspace (or account) and path. */
import type { ResourceFile } from '../../fixtures/worlds/world-file.ts';
import { isGone, type Deployment } from './deployments.ts';
import type { JsonObject } from '../http/json-object.ts';
import type { Clock, Instant } from '../time/clock.ts';

/** What is kept of a resource; what the server adds to an answer is made when it is shown. */
export interface Resource {
  readonly name: string;
  /** As the client sent it, without the name and the read-only members. */
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
  readonly createdAt: Instant;
  readonly createdBy: string;
  readonly updatedAt: Instant;
  readonly updatedBy: string;
  /** Empty for kinds that are not deployed. */
  readonly deployments: readonly Deployment[];
  /** Of its meters; absent for kinds that are not metered. */
  readonly uuid?: string;
  /** Of a function: what its MCP server offers, where the world's file says so. */
  readonly tools?: ResourceFile['tools'];
}

/** By home and path: `demo/agents`, `demo/sandboxes/demo-box/previews`, `account:acc-demo/workspaces`. */
export type Resources = Map<string, Map<string, Resource>>;

/** The part of a world's state that holds resources. */
export interface ResourceState {
  readonly resources: Resources;
  readonly clock: Clock;
}

/** Living resources in the order of their creation, those being deleted among them. */
export function listResources(world: ResourceState, key: string): Resource[] {
  const collection = world.resources.get(key);
  if (collection === undefined) return [];
  const now = world.clock.now();
  for (const { name, deployments } of collection.values()) if (isGone(deployments, now)) collection.delete(name);
  return [...collection.values()];
}

/** Undefined where there is none, or no longer. */
export function findResource(world: ResourceState, key: string, name: string): Resource | undefined {
  const collection = world.resources.get(key);
  const resource = collection?.get(name);
  if (resource === undefined || !isGone(resource.deployments, world.clock.now())) return resource;
  collection?.delete(name);
  return undefined;
}

/** Adds it, or puts it in the place of the one with its name. */
export function putResource(world: ResourceState, key: string, resource: Resource): void {
  const collection = world.resources.get(key);
  if (collection === undefined) world.resources.set(key, new Map([[resource.name, resource]]));
  else collection.set(resource.name, resource);
}

/** Forgets a resource and all that is nested in it. */
export function dropResource(world: ResourceState, key: string, name: string): void {
  world.resources.get(key)?.delete(name);
  dropNested(world, key, name);
}

export function dropNested(world: ResourceState, key: string, name: string): void {
  const prefix = `${key}/${name}/`;
  for (const nested of world.resources.keys()) if (nested.startsWith(prefix)) world.resources.delete(nested);
}
