/** List, create, get, update and delete: one implementation for all kinds of resources. */
import type { OperationId, Operations } from '../../spec/generated/types.ts';
import { type Call, type Endpoint } from './endpoint.ts';
import { ok, type Reply } from '../http/reply.ts';
import { notFound } from '../http/problems.ts';
import { resourceBody } from '../domains/resources/envelope.ts';
import { placeOf, requireLastingParent, requireParents } from '../domains/resources/kinds.ts';
import type { KindId, Place, PathValues, ResourceInput } from '../domains/resources/kind.ts';
import { serializeResource } from '../domains/resources/serialize-resource.ts';
import { findResource, listResources, type Resource } from '../state/resources.ts';
import { type JsonObject } from '../../spec/json-object.ts';
import { mayUseNamed } from '../state/world-state.ts';
import type { WriteStamp } from '../domains/resources/deploy.ts';
import { createResource, deleteResource, updateResource } from '../domains/resources/write.ts';

export function list<Id extends OperationId>(kind: KindId): Endpoint<Id> {
  return (call) => {
    const place = placeIn(call, kind);
    const resources = listResources(call.world, place.key);
    return replyOf<Id>(resources.map((resource) => resourceBody(call.world, place, resource)));
  };
}

export function create<Id extends OperationId>(kind: KindId): Endpoint<Id> {
  return (call) => {
    const place = placeIn(call, kind);
    requireLastingParent(call.world, place);
    const created = createResource(call.world, place, writingOf(place, call.body), byOf(call));
    return replyOf<Id>(resourceBody(call.world, place, created));
  };
}

export function get<Id extends OperationId>(kind: KindId): Endpoint<Id> {
  return (call) => {
    const place = placeIn(call, kind);
    return { status: 200, body: serializeResource(call.world, place, existing(call, place)) };
  };
}

export function update<Id extends OperationId>(kind: KindId): Endpoint<Id> {
  return (call) => {
    const place = placeIn(call, kind);
    const before = existing(call, place);
    const updated = updateResource(call.world, place, before, writingOf(place, call.body), byOf(call));
    return replyOf<Id>(resourceBody(call.world, place, updated));
  };
}

/** Returns the resource being deleted, or as it was before its deletion. */
export function remove<Id extends OperationId>(kind: KindId): Endpoint<Id> {
  return (call) => {
    const place = placeIn(call, kind);
    const resource = existing(call, place);
    // Before the deletion, because it removes nested resources at once.
    const body = resourceBody(call.world, place, resource);
    const left = deleteResource(call.world, place, resource, call.world.clock.now());
    return replyOf<Id>(left === resource ? body : resourceBody(call.world, place, left));
  };
}

/** The place of the call's resources. Throws notFound if a parent does not exist. */
export function placeIn<Id extends OperationId>({ world, workspace, path }: Call<Id>, kind: KindId): Place {
  const place = placeOf(kind, workspace, path);
  requireParents(world, place);
  return place;
}

/** The resource that the path names; throws notFound. */
export function existing<Id extends OperationId>(
  { world, path, credential }: Call<Id>,
  { kind, key }: Place,
): Resource {
  const name = (path as PathValues)[kind.param] ?? '';
  const resource = findResource(world, key, name);
  // A workspace in which the caller has no role is forbidden, even in its own account.
  const isClosed = kind.ofAccount === true && !mayUseNamed(world, credential.caller, name);
  if (resource === undefined || isClosed) throw notFound(kind.noun, name);
  return resource;
}

function writingOf({ kind }: Place, body: unknown): ResourceInput {
  // The body is valid against the schema: a kind without `fromBody` has the common envelope.
  return kind.fromBody === undefined ? (body as ResourceInput) : kind.fromBody(body as JsonObject);
}

function byOf<Id extends OperationId>({ credential, world, bodyBytes = 0, headers }: Call<Id>): WriteStamp {
  return { caller: credential.caller.id, at: world.clock.now(), bytes: bodyBytes, origin: headers.origin };
}

/** Stored resources are valid: clients' members were validated when written, and the server's follow the schema. */
function replyOf<Id extends OperationId>(body: object): Reply<Operations[Id]['reply']> {
  return ok(body as Operations[Id]['reply']);
}
