/** Executions of jobs. Tasks run one after the other; their status is computed from the world's clock. */
import { timestamp, type Instant } from '../../time/clock.ts';
import type { Place } from './kind.ts';
import { meterCompute } from './uses.ts';
import { findResource, listResources, putResource, type Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';

export type ExecutionStatus = 'PENDING' | 'RUNNING' | 'SUCCEEDED';

/** How long an execution waits for an instance, and how long each task takes. */
const WAITS_MS = 200;
const TASK_MS = 500;

export interface Execution {
  readonly id: string;
  readonly job: string;
  readonly workspace: string;
  readonly status: ExecutionStatus;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly startedAt?: string;
  readonly completedAt?: string;
  readonly tasks: readonly { readonly arguments: unknown; readonly status: ExecutionStatus }[];
}

/** `jobs`: the place of the job itself. */
function executionsKey({ key }: Place, job: string): string {
  return `${key}/${job}/executions`;
}

export function createExecution(
  world: WorldState,
  jobs: Place,
  job: string,
  tasks: readonly object[],
  caller: string,
): Execution {
  const at = world.clock.now();
  const execution: Resource = {
    name: world.random.uuid(),
    metadata: {},
    spec: { tasks },
    createdAt: at,
    createdBy: caller,
    updatedAt: at,
    updatedBy: caller,
    deployments: [],
  };
  putResource(world, executionsKey(jobs, job), execution);
  meterExecution(world, jobs, job, execution);
  return executionBody(world, jobs, job, execution);
}

/** Meters all tasks at the end of the last one. */
function meterExecution(world: WorldState, jobs: Place, job: string, { spec, createdAt }: Resource): void {
  const resource = findResource(world, jobs.key, job);
  const takes = (spec['tasks'] as readonly object[]).length * TASK_MS;
  if (resource === undefined || takes === 0) return;
  meterCompute(world, 'job_compute_runtime_gbs', resource, createdAt + WAITS_MS + takes, takes);
}

/** The oldest first. */
export function listExecutions(world: WorldState, jobs: Place, job: string): Execution[] {
  return listResources(world, executionsKey(jobs, job)).map((execution) => executionBody(world, jobs, job, execution));
}

/** Undefined if there is none. */
export function findExecution(world: WorldState, jobs: Place, job: string, id: string): Execution | undefined {
  const execution = world.resources.get(executionsKey(jobs, job))?.get(id);
  return execution && executionBody(world, jobs, job, execution);
}

function executionBody(world: WorldState, { workspace }: Place, job: string, execution: Resource): Execution {
  const { name: id, spec, createdAt, createdBy } = execution;
  const now = world.clock.now();
  const tasks = spec['tasks'] as readonly object[];
  const startsAt = createdAt + WAITS_MS;
  const endsAt = startsAt + tasks.length * TASK_MS;
  return {
    id,
    job,
    workspace: workspace.name,
    status: statusBetween(startsAt, endsAt, now),
    createdAt: timestamp(createdAt),
    createdBy,
    ...(now >= startsAt && { startedAt: timestamp(startsAt) }),
    ...(now >= endsAt && { completedAt: timestamp(endsAt) }),
    tasks: tasks.map((task, index) => {
      const taskStartsAt = startsAt + index * TASK_MS;
      return { arguments: task, status: statusBetween(taskStartsAt, taskStartsAt + TASK_MS, now) };
    }),
  };
}

function statusBetween(startsAt: Instant, endsAt: Instant, now: Instant): ExecutionStatus {
  if (now >= endsAt) return 'SUCCEEDED';
  return now >= startsAt ? 'RUNNING' : 'PENDING';
}
