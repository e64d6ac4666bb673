/** The deployments that writes begin, with the durations and failures that the world file plans. */
import type { DeployFile, FailureFile } from '../../../spec/formats/world-lifecycles.ts';
import { isObject, type JsonObject } from '../../../spec/json-object.ts';
import { courses, endOf, type Deployment, type PhaseName } from '../../state/deployments.ts';
import { withDeployment } from '../../state/revisions.ts';
import { drawDuration, drawWhether } from '../../state/lifecycles.ts';
import type { Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { Instant } from '../../time/clock.ts';
import type { Place } from './kind.ts';
import { withVolumeIncidents } from './incidents.ts';
import { chosenRevisions, mountedVolumes } from './mounted-volumes.ts';
import { imageOf } from './rules/image.ts';

export interface WriteStamp {
  readonly caller: string;
  readonly at: Instant;
  /** Of a world file: it was created in the past, and its deployment has ended as the course says. */
  readonly isDeployed?: boolean;
  /** Of the body of the request. */
  readonly bytes?: number;
  /** The Origin header of the request. */
  readonly origin?: string | undefined;
}

interface Written {
  readonly name: string;
  readonly spec: JsonObject;
  readonly past: readonly Deployment[];
  readonly by: WriteStamp;
}

/** The past deployments and one that begins; only the past ones for a kind that is not deployed. */
export function deploy(world: WorldState, place: Place, { name, spec, past, by }: Written): readonly Deployment[] {
  const { course } = place.kind;
  if (course === undefined) return past;
  const canaryRevision = (spec['revision'] as { canary?: unknown } | null | undefined)?.canary;
  const begun: Deployment = {
    course: course === 'deploy' && spec['enabled'] === false ? 'deactivate' : course,
    revision: `rev-${world.random.hex(8)}`,
    startedAt: by.at,
    ...revisionOf(spec),
    ...(typeof canaryRevision === 'string' && { canaryRevision }),
  };
  const planned = by.isDeployed === true ? begun : { ...begun, ...plan(world, begun, place, name) };
  return begin(world, place, { spec, deployments: past }, planned);
}

/** With the incidents that its volumes cause. `deployments`: the past ones. */
function begin(
  world: WorldState,
  { workspace, collection }: Place,
  { spec, deployments }: Pick<Resource, 'spec' | 'deployments'>,
  planned: Deployment,
): Deployment[] {
  const all = withDeployment(deployments, planned, spec);
  const chosen = chosenRevisions(collection, spec, all);
  const newest = all.pop();
  return newest === undefined ? all : [...all, withVolumeIncidents(world, workspace, newest, newest.startedAt, chosen)];
}

/** What a revision runs. */
function revisionOf(spec: JsonObject): Pick<Deployment, 'image' | 'runtime' | 'volumes'> {
  const [image, runtime, volumes] = [imageOf(spec), spec['runtime'], mountedVolumes(spec)];
  return {
    ...(image !== undefined && { image }),
    ...(isObject(runtime) && { runtime }),
    ...(volumes.length > 0 && { volumes }),
  };
}

/** The deployments of a resource as it is, of which one begins. */
export function beginCourse(
  world: WorldState,
  place: Place,
  resource: Resource,
  { course, at }: { readonly course: 'deploy' | 'deactivate'; readonly at: Instant },
): Deployment[] {
  const revision = `rev-${world.random.hex(8)}`;
  const begun: Deployment = { course, revision, startedAt: at, ...revisionOf(resource.spec) };
  return begin(world, place, resource, { ...begun, ...plan(world, begun, place, resource.name) });
}

/** The deployments of a resource whose deletion begins. */
export function undeploy(
  world: WorldState,
  place: Place,
  { name, deployments }: Resource,
  startedAt: Instant,
): Deployment[] {
  const begun: Deployment = { course: 'delete', revision: deployments.at(-1)?.revision ?? '', startedAt };
  return withDeployment(deployments, { ...begun, ...plan(world, begun, place, name) });
}

type Planned = Pick<Deployment, 'durations' | 'ending'>;

/** Empty in a world without plans. */
function plan(
  world: WorldState,
  { course, startedAt }: Deployment,
  { workspace, collection }: Place,
  name: string,
): Planned {
  const { deploy: planned } = world.lifecycles.plan;
  if (planned === undefined) return {};
  const durations = durationsOf(world, course, planned);
  if (course !== 'deploy' && course !== 'provision') return { durations };
  const failure = failureOf(world, course, workspace.name, `${collection}/${name}`);
  if (failure === undefined) return { durations };
  const { at, message = `The deployment failed in the phase ${at}.` } = failure;
  const ends = endOf({ course, startedAt, durations }, statusOf(at));
  return { durations, ending: { status: 'FAILED', at: ends, message } };
}

function durationsOf(world: WorldState, course: Deployment['course'], planned: DeployFile): Planned['durations'] & {} {
  const drawn: Partial<Record<PhaseName, number>> = {};
  for (const { status, lastsMs } of courses[course]) {
    const range = planned[status.toLowerCase() as keyof Omit<DeployFile, 'failures'>];
    if (range !== undefined) drawn[status as PhaseName] = drawDuration(range, lastsMs, world.random);
  }
  return drawn;
}

/** The first failure that applies to this deployment; counts its use. `path`: collection and name, such as `agents/shop`. */
function failureOf(
  { lifecycles, random }: WorldState,
  course: 'deploy' | 'provision',
  workspace: string,
  path: string,
): FailureFile | undefined {
  const { used } = lifecycles;
  for (const [index, failure] of (lifecycles.plan.deploy?.failures ?? []).entries()) {
    const { resource = path, workspace: ofWorkspace = workspace, times = Infinity, probability = 1, at } = failure;
    const isMeant = resource === path && ofWorkspace === workspace && hasPhase(course, at);
    if (!isMeant || (used[index] ?? 0) >= times || !drawWhether(probability, random)) continue;
    used[index] = (used[index] ?? 0) + 1;
    return failure;
  }
  return undefined;
}

function hasPhase(course: 'deploy' | 'provision', at: FailureFile['at']): boolean {
  return courses[course].some(({ status }) => status === statusOf(at));
}

function statusOf(phase: FailureFile['at']): Uppercase<typeof phase> {
  return phase.toUpperCase() as Uppercase<typeof phase>;
}
