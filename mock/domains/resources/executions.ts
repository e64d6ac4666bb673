/** Executions of jobs. Tasks run one after the other; their status is computed from the world's clock. */
import { timestamp, type Instant } from '../../time/clock.ts';
import { requireWithin } from '../../http/limits.ts';
import type { WriteStamp } from './deploy.ts';
import type { Place } from './kind.ts';
import { noteStored, requireRoomForBytes, requireRoomForMetering, requireRoomForResource } from './room.ts';
import {
  endOfExecution,
  planOf,
  scheduleOf,
  WAITS_MS,
  type AttemptTime,
  type ExecutionPlan,
  type PlannedTask,
} from './execution-plan.ts';
import { MEMORY_STEP_MB, memoryOf } from './settings.ts';
import { stopExecutions } from './stop-executions.ts';
import { planAttempts } from './task-attempts.ts';
import { meterCompute } from './uses.ts';
import { listResources, putResource, type Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';

export type ExecutionStatus = 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED';

/** Of a task in a response. */
const TASK_BYTES = 512;

export interface Execution {
  readonly id: string;
  readonly job: string;
  readonly workspace: string;
  /** FAILED if it was stopped, or if a task failed and all have ended. */
  readonly status: ExecutionStatus;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly startedAt?: string;
  readonly completedAt?: string;
  readonly tasks: readonly Task[];
}

export interface Task {
  readonly arguments: unknown;
  readonly status: ExecutionStatus;
  /** Attempts that have started, oldest first. */
  readonly attempts: readonly TaskAttempt[];
}

interface TaskAttempt {
  readonly status: Exclude<ExecutionStatus, 'PENDING'>;
  readonly startedAt: string;
  readonly completedAt?: string;
  readonly error?: string;
}

/** `key`: of the collection of the job itself. */
export function executionsKey({ key }: Pick<Place, 'key'>, job: string): string {
  return `${key}/${job}/executions`;
}

/** Whether executionsKey has made the key of a collection. */
export function isExecutionsKey(key: string): boolean {
  return /^[^/]+\/jobs\/[^/]+\/executions$/.test(key);
}

export function createExecution(
  world: WorldState,
  jobs: Place,
  job: Resource,
  tasks: readonly object[],
  { caller, bytes = 0 }: Pick<WriteStamp, 'caller' | 'bytes'>,
): Execution {
  const key = executionsKey(jobs, job.name);
  requireWithin(world.limits, 'executions', (world.resources.get(key)?.size ?? 0) + 1);
  requireRoomForResource(world);
  const storedBytes = 2 * bytes + tasks.length * TASK_BYTES;
  requireRoomForBytes(world, storedBytes);
  const at = world.clock.now();
  const name = world.random.uuid();
  const plan: ExecutionPlan = {
    tasks: tasks.map((task) => ({ arguments: task, attempts: planAttempts(world, jobs.workspace.name, job, task) })),
    runtime: { memory: memoryOf(job.spec) * MEMORY_STEP_MB },
  };
  const execution: Resource = {
    name,
    metadata: {},
    spec: { ...plan },
    createdAt: at,
    createdBy: caller,
    updatedAt: at,
    updatedBy: caller,
    deployments: [],
  };
  const schedule = scheduleOf(execution).flat();
  requireRoomForMetering(world, schedule.length);
  putResource(world, key, execution);
  noteStored(world, key, execution, storedBytes);
  for (const { startsAt, takesMs } of schedule)
    meterCompute(world, 'job_compute_runtime_gbs', job, startsAt + takesMs, takesMs);
  stopExecutions(world, key, job, at, [execution]);
  return executionBody(world, jobs, job.name, execution);
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
  const { name: id, createdAt, createdBy } = execution;
  const now = world.clock.now();
  const schedule = scheduleOf(execution);
  const startsAt = createdAt + WAITS_MS;
  const endsAt = endOfExecution(execution);
  const { tasks: planned, stop } = planOf(execution);
  const tasks = planned.map((task, index) => taskBody(task, schedule[index] ?? [], now, stop?.at));
  return {
    id,
    job,
    workspace: workspace.name,
    status: now >= endsAt ? endStatus(tasks, stop?.at) : now < startsAt ? 'PENDING' : 'RUNNING',
    createdAt: timestamp(createdAt),
    createdBy,
    ...(now >= startsAt && endsAt >= startsAt && { startedAt: timestamp(startsAt) }),
    ...(now >= endsAt && { completedAt: timestamp(endsAt) }),
    tasks,
  };
}

function endStatus(tasks: readonly Task[], stoppedAt: Instant | undefined): ExecutionStatus {
  return stoppedAt !== undefined || tasks.some(({ status }) => status === 'FAILED') ? 'FAILED' : 'SUCCEEDED';
}

function taskBody(task: PlannedTask, times: readonly AttemptTime[], now: Instant, stoppedAt = Infinity): Task {
  const attempts = times.filter(({ startsAt }) => startsAt <= now).map((attempt) => attemptBody(attempt, now));
  const isOver = now >= (times.at(-1)?.endsAt ?? 0);
  const last = attempts.at(-1)?.status ?? (now >= stoppedAt ? 'FAILED' : undefined);
  const status = last === undefined ? 'PENDING' : isOver ? last : 'RUNNING';
  return { arguments: task.arguments, status, attempts };
}

function attemptBody({ startsAt, endsAt, error }: AttemptTime, now: Instant): TaskAttempt {
  const startedAt = timestamp(startsAt);
  if (now < endsAt) return { status: 'RUNNING', startedAt };
  const completedAt = timestamp(endsAt);
  return error === undefined
    ? { status: 'SUCCEEDED', startedAt, completedAt }
    : { status: 'FAILED', startedAt, completedAt, error };
}
