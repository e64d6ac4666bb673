/**
 * Records failures of volumes and connections as incidents of the workloads that use them. A workload fails with a volume that
 * it mounts: when its deployment would mount it, or when a running volume fails. Other failures are only an event: an update of
 * a volume whose previous revision stays, and a connection that the provider refuses.
 */
import {
  isBeingDeleted,
  MAX_EVENTS,
  runsFrom,
  type Deployment,
  type Incident,
  type Revision,
} from '../../state/deployments.ts';
import { findResource, listResources, putResource, type Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { Workspace } from '../../state/accounts.ts';
import type { Instant } from '../../time/clock.ts';
import { connectionsOf, refusalOfConnection } from './connection-secrets.ts';
import { chosenRevisions, mountedVolumes, type ChosenRevisions } from './mounted-volumes.ts';
import { kinds } from './kinds.ts';

const MOUNTING = ['agents', 'functions', 'models', 'sandboxes', 'jobs'] as const;

/** How the newest deployment of a volume fails. */
interface VolumeFailure {
  readonly name: string;
  readonly at: Instant;
  /** Whether its previous revision stays mounted. */
  readonly isUsable: boolean;
}

/** In order of the names; also failures in the future, which are planned. */
function failuresOf(world: WorldState, { name: workspace }: Workspace, volumes: readonly string[]): VolumeFailure[] {
  return [...new Set(volumes)].flatMap((name) => {
    const last = findResource(world, `${workspace}/volumes`, name)?.deployments.at(-1);
    if (last?.ending?.status !== 'FAILED') return [];
    return [{ name, at: last.ending.at, isUsable: last.replaces !== undefined }];
  });
}

/** When a revision that runs loses one of its volumes; undefined if it does not. */
export function revisionLostAt(
  world: WorldState,
  workspace: Workspace,
  { volumes = [] }: Revision,
): Instant | undefined {
  return lossOf(failuresOf(world, workspace, volumes));
}

function lossOf(failures: readonly VolumeFailure[]): Instant | undefined {
  const losses = failures.filter(({ isUsable }) => !isUsable).map(({ at }) => at);
  return losses.length === 0 ? undefined : Math.min(...losses);
}

/**
 * A deployment with the incidents that volumes cause from an instant on. Earlier ones stay. The same object if nothing changes.
 * `active`: the revision that responds instead of it; a volume that only this deployment or the canary mounts is not fatal while it
 * runs.
 */
export function withVolumeIncidents(
  world: WorldState,
  workspace: Workspace,
  deployment: Deployment,
  from: Instant,
  { active, canary }: ChosenRevisions = {},
): Deployment {
  if (deployment.course !== 'deploy') return deployment;
  const { incidents = [], replaces } = deployment;
  const chosen = [...(active?.volumes ?? []), ...(canary?.volumes ?? [])];
  const volumes = [...(deployment.volumes ?? []), ...chosen];
  if (incidents.length + volumes.length + (replaces?.volumes ?? []).length === 0) return deployment;
  const past = incidents.filter(({ at }) => at <= from);
  if (past.some(({ isFatal }) => isFatal)) return deployment;
  const runs = runsFrom(deployment);
  const found =
    runs === undefined
      ? []
      : failuresOf(world, workspace, volumes).map((failure) =>
          incidentOf(failure, { newest: deployment, active, runs }),
        );
  const isNew = ({ at, cause }: Incident): boolean =>
    at >= from && !past.some((each) => each.at === at && each.cause === cause);
  const responding = active ?? replaces;
  const next = replaces && withLoss(replaces, revisionLostAt(world, workspace, responding ?? {}), from);
  const changed: Deployment = {
    ...withoutIncidents(deployment),
    ...capIncidents([...past, ...found.filter(isNew).toSorted((one, other) => one.at - other.at)]),
    ...(next && { replaces: next }),
  };
  return JSON.stringify(changed) === JSON.stringify(deployment) ? deployment : changed;
}

function withoutIncidents({ incidents: _incidents, ...rest }: Deployment): Deployment {
  return rest;
}

/** The revisions that a failure of a volume can end. */
interface Mounting {
  readonly newest: Revision;
  /** Responds instead of the newest one. */
  readonly active: Revision | undefined;
  /** When the newest one mounts its volumes. */
  readonly runs: Instant;
}

function incidentOf(failure: VolumeFailure, mounting: Mounting): Incident {
  return failure.isUsable ? failedUpdate(failure) : loss(failure, mounting);
}

function failedUpdate({ name, at }: VolumeFailure): Incident {
  const message = `The update of volume "${name}" failed. Its previous revision stays mounted.`;
  return { at, cause: causeOf(name), message, isFatal: false };
}

function loss(failure: VolumeFailure, mounting: Mounting): Incident {
  const { name, at } = failure;
  const isFatal = endsWorkload(failure, mounting);
  const message = `Volume "${name}" is FAILED.${isFatal ? '' : ` ${whyHarmless(name, mounting)}`}`;
  return { at: Math.max(at, mounting.runs), cause: causeOf(name), message, isFatal };
}

/** Whether the active revision mounts the volume, or the newest one while it responds or when it is deployed. */
function endsWorkload({ name, at }: VolumeFailure, { newest, active, runs }: Mounting): boolean {
  if (mounts(active, name)) return true;
  return mounts(newest, name) && (at <= runs || active === undefined);
}

function whyHarmless(name: string, { newest }: Mounting): string {
  return mounts(newest, name)
    ? 'The active revision does not mount it.'
    : 'The canary, which mounts it, gets no requests.';
}

function mounts(revision: Revision | undefined, name: string): boolean {
  return revision?.volumes?.includes(name) === true;
}

function causeOf(volume: string): string {
  return `volumes/${volume}`;
}

/** Up to the first fatal one, and as many as there are events. */
function capIncidents(incidents: readonly Incident[]): Pick<Deployment, 'incidents'> {
  const fatal = incidents.findIndex(({ isFatal }) => isFatal);
  const until = incidents.slice(0, fatal === -1 ? undefined : fatal + 1).slice(-MAX_EVENTS);
  return until.length === 0 ? {} : { incidents: until };
}

type Replaced = NonNullable<Deployment['replaces']>;

/** What was lost before `from` stays lost. */
function withLoss(replaced: Replaced, lostAt: Instant | undefined, from: Instant): Replaced {
  const { lostAt: known, ...rest } = replaced;
  if (known !== undefined && known <= from) return replaced;
  return lostAt === undefined ? rest : { ...rest, lostAt: Math.max(lostAt, from) };
}

/** Call it when a volume has been changed at an instant. Emits `updated` for workloads that serve otherwise than before. */
export function noteVolumeChange(world: WorldState, workspace: Workspace, volume: string, at: Instant): void {
  for (const collection of MOUNTING) {
    const key = `${workspace.name}/${collection}`;
    for (const resource of listResources(world, key)) {
      const chosen = chosenRevisions(collection, resource.spec, resource.deployments);
      const { active, canary } = chosen;
      const isOfCanary = mounts(canary, volume) && !isBeingDeleted(resource.deployments);
      if (!mayMount(resource, volume) && !mounts(active, volume) && !isOfCanary) continue;
      const last = resource.deployments.at(-1);
      const changed = last && withVolumeIncidents(world, workspace, last, at, chosen);
      if (changed === undefined || (changed === last && !isOfCanary)) continue;
      const next = withNewest(resource, changed);
      putResource(world, key, next);
      const { meteredAs } = kinds[collection];
      world.events.emit('updated', { collection, key, workspace, resource: next, at, ...(meteredAs && { meteredAs }) });
    }
  }
}

function mayMount({ spec, deployments }: Resource, volume: string): boolean {
  if (isBeingDeleted(deployments)) return false;
  return mountedVolumes(spec).includes(volume) || deployments.at(-1)?.replaces?.volumes?.includes(volume) === true;
}

function withNewest(resource: Resource, newest: Deployment): Resource {
  return { ...resource, deployments: [...resource.deployments.slice(0, -1), newest] };
}

/** Adds an event to the functions that use a connection, if its provider refuses its secrets now. They continue to run. */
export function noteConnectionChange(world: WorldState, workspace: Workspace, connection: string, at: Instant): void {
  const message = refusalOfConnection(world, workspace, connection);
  if (message === undefined) return;
  const incident = { at, cause: `integrations/connections/${connection}`, message, isFatal: false };
  const { updatedAt = at } = findResource(world, `${workspace.name}/integrations/connections`, connection) ?? {};
  const key = `${workspace.name}/functions`;
  for (const resource of listResources(world, key)) {
    const last = resource.deployments.at(-1);
    if (last?.course !== 'deploy' || !connectionsOf(resource).includes(connection)) continue;
    const isKnown = last.incidents?.some(
      (each) => each.cause === incident.cause && each.message === message && each.at >= updatedAt && each.at < at,
    );
    if (isKnown !== true) putResource(world, key, withNewest(resource, withIncident(last, incident)));
  }
}

/** Notes that the identity provider has revoked a grant: connections with a refresh token of it are refused from now on. */
export function noteRevocation(world: WorldState, grant: string): void {
  const { refreshTokens } = world.identityProvider.state;
  for (const [path, { REFRESH_TOKEN = '' }] of world.connectionSecrets) {
    if (refreshTokens.get(REFRESH_TOKEN)?.grant.id !== grant) continue;
    const [home = '', ...rest] = path.split('/');
    const workspace = world.workspaces.get(home);
    if (workspace !== undefined) noteConnectionChange(world, workspace, rest.at(-1) ?? '', world.clock.now());
  }
}

/** Among the others, in order of time; once, and not after a fatal one. */
function withIncident(deployment: Deployment, incident: Incident): Deployment {
  const { incidents = [] } = deployment;
  const { at: now, cause } = incident;
  if (incidents.some(({ at, isFatal, ...each }) => (isFatal && at <= now) || (at === now && each.cause === cause)))
    return deployment;
  const all = [...incidents, incident].toSorted((one, other) => one.at - other.at);
  return { ...withoutIncidents(deployment), ...capIncidents(all) };
}
