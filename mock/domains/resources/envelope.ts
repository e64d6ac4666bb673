/** Response bodies of resources: the common envelope of metadata, spec, status and events. */
import type { CoreEvent, DeploymentStatus, Metadata } from '../../../spec/generated/types.ts';
import { timestamp } from '../../time/clock.ts';
import { eventsAt } from '../../state/deployment-events.ts';
import { statusAt } from '../../state/deployments.ts';
import type { Place } from './kind.ts';
import type { Resource } from '../../state/resources.ts';
import type { JsonObject } from '../../../spec/json-object.ts';
import type { WorldState } from '../../state/world-state.ts';

export interface Envelope {
  readonly metadata: Metadata;
  readonly spec: JsonObject;
  readonly status?: DeploymentStatus;
  readonly events?: CoreEvent[];
}

/** The response body of a resource of any kind. */
export function resourceBody(world: WorldState, place: Place, resource: Resource): object {
  return (place.kind.toBody ?? envelope)(world, place, resource);
}

export function envelope(world: WorldState, place: Place, resource: Resource): Envelope {
  const { spec, deployments } = resource;
  const metadata = metadataOf(world, place, resource);
  if (place.kind.course === undefined) return { metadata, spec };
  const now = world.clock.now();
  return { metadata, spec, status: statusAt(deployments, now) ?? 'TERMINATED', events: eventsAt(deployments, now) };
}

function metadataOf(world: WorldState, { kind, workspace }: Place, resource: Resource): Metadata {
  const { name, createdAt, createdBy, updatedAt, updatedBy } = resource;
  return {
    name,
    ...resource.metadata,
    createdAt: timestamp(createdAt),
    createdBy,
    updatedAt: timestamp(updatedAt),
    updatedBy,
    plan: world.accounts.get(workspace.account)?.plan ?? '',
    ...(kind.url && { url: kind.url(world, workspace, resource) }),
    workspace: kind.ofAccount === true ? name : workspace.name,
  };
}
