/** Ends the executions of a job that is disabled or fails: it runs nothing any more, and is billed no further compute. */
import type { Instant } from '../../time/clock.ts';
import { servingSpans } from '../../state/revisions.ts';
import { listResources, putResource, type Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';
import { endOfExecution, planOf, scheduleOf, type PlannedTask } from './execution-plan.ts';
import { meterCompute, withdrawUses } from './uses.ts';

/**
 * Call it when the job changed at an instant, and when one of its executions was created. `key`: of the executions. Also stops
 * them at a later instant, if it is known already that the job fails then.
 */
export function stopExecutions(world: WorldState, key: string, job: Resource, at: Instant): void {
  const stopsAt = endOfService(job, at);
  if (stopsAt === undefined) return;
  const running = listResources(world, key).filter((execution) => endOfExecution(execution) > stopsAt);
  if (running.length === 0) return;
  const isDisabled = job.spec['enabled'] === false;
  const message = `Job "${job.name}" is ${isDisabled ? 'disabled (spec.enabled is false)' : 'FAILED'}.`;
  for (const execution of running) putResource(world, key, stopped(execution, stopsAt, message));
  meterFrom(world, key, job, stopsAt);
}

/** The first instant from `from` on at which the job does not serve; undefined if it serves as long as nothing changes. */
function endOfService({ deployments }: Resource, from: Instant): Instant | undefined {
  let served = from;
  for (const { start, end } of servingSpans(deployments, from, Infinity)) if (start === served) served = end;
  return served === Infinity ? undefined : served;
}

/** The attempt that runs ends with an error, and no other one starts. */
function stopped(execution: Resource, stoppedAt: Instant, error: string): Resource {
  const { tasks, ...plan } = planOf(execution);
  const schedule = scheduleOf(execution);
  const stoppedTask = (task: PlannedTask, index: number): PlannedTask => ({
    ...task,
    attempts: task.attempts.flatMap((attempt, number) => {
      const { startsAt = stoppedAt, endsAt = stoppedAt } = schedule[index]?.[number] ?? {};
      if (startsAt >= stoppedAt) return [];
      return [endsAt <= stoppedAt ? attempt : { takesMs: stoppedAt - startsAt, error }];
    }),
  });
  return { ...execution, spec: { ...plan, tasks: tasks.map(stoppedTask), stoppedAt } };
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
