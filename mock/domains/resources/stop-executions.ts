/** Ends the executions of a job that is disabled, fails or is deleted: it runs nothing any more, and is billed no further compute. */
import type { Instant } from '../../time/clock.ts';
import { servingSpans } from '../../state/revisions.ts';
import { listResources, putResource, type Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';
import { endOfExecution, planOf, scheduleOf, type Stop } from './execution-plan.ts';
import { meterCompute, withdrawUses } from './uses.ts';

/**
 * Call it when the job has changed at an instant, and when an execution was created, with only that one. `key`: of the executions.
 * Also plans to stop them at a later instant, if it is known already that the job fails then; a later call can change that.
 */
export function stopExecutions(
  world: WorldState,
  key: string,
  job: Resource,
  at: Instant,
  executions: readonly Resource[] = listResources(world, key),
): void {
  applyStop(world, { key, job, executions }, at, stopFrom(job, at));
}

/** Call it when the deletion of the job begins. */
export function endExecutions(world: WorldState, key: string, job: Resource, at: Instant): void {
  const stop = { at, error: `Job "${job.name}" is deleted.` };
  applyStop(world, { key, job, executions: listResources(world, key) }, at, stop);
}

interface JobExecutions {
  readonly key: string;
  readonly job: Resource;
  readonly executions: readonly Resource[];
}

/** Does not change executions that were stopped before `at`. */
function applyStop(
  world: WorldState,
  { key, job, executions }: JobExecutions,
  at: Instant,
  stop: Stop | undefined,
): void {
  let changedFrom = Infinity;
  for (const execution of executions) {
    const before = stopOf(execution);
    if (before <= at) continue;
    const next = withStop(execution, stop);
    const after = stopOf(next);
    if (after === before) continue;
    putResource(world, key, next);
    changedFrom = Math.min(changedFrom, before, after);
  }
  if (changedFrom < Infinity) meterFrom(world, key, job, changedFrom);
}

/** Infinity if it is not stopped. */
function stopOf(execution: Resource): Instant {
  return planOf(execution).stop?.at ?? Infinity;
}

/** Undefined if the job serves as long as nothing changes. */
function stopFrom(job: Resource, from: Instant): Stop | undefined {
  const at = endOfService(job, from);
  const isDisabled = job.spec['enabled'] === false;
  const error = `Job "${job.name}" is ${isDisabled ? 'disabled (spec.enabled is false)' : 'FAILED'}.`;
  return at === undefined ? undefined : { at, error };
}

/** The first instant from `from` on at which the job does not serve; undefined if it serves as long as nothing changes. */
function endOfService({ deployments }: Resource, from: Instant): Instant | undefined {
  let served = from;
  for (const { start, end } of servingSpans(deployments, from, Infinity)) if (start === served) served = end;
  return served === Infinity ? undefined : served;
}

/** Unchanged by a stop after its end. */
function withStop(execution: Resource, stop: Stop | undefined): Resource {
  const { stop: _before, ...plan } = planOf(execution);
  const whole = { ...execution, spec: plan };
  return stop === undefined || endOfExecution(whole) <= stop.at ? whole : { ...whole, spec: { ...plan, stop } };
}

/** Meters again what ends in the second of an instant or later. */
function meterFrom(world: WorldState, key: string, job: Resource, at: Instant): void {
  const second = Math.floor(at / 1000);
  withdrawUses(world, job, second);
  for (const execution of listResources(world, key))
    for (const { endsAt, takesMs } of scheduleOf(execution).flat())
      if (endsAt >= second * 1000)
        meterCompute(world, 'job_compute_runtime_gbs', { ...job, spec: execution.spec }, endsAt, takesMs);
}
