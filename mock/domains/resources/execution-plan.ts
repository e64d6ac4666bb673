/** What is stored of an execution: its tasks with all their attempts, of which the times follow. */
import type { Instant } from '../../time/clock.ts';
import type { Resource } from '../../state/resources.ts';
import type { Attempt } from './task-attempts.ts';

/** How long an execution waits for an instance. */
export const WAITS_MS = 200;

/** The spec of the stored resource. */
export interface ExecutionPlan {
  readonly tasks: readonly PlannedTask[];
  /** That of the job when the execution was created, which is billed. */
  readonly runtime: { readonly memory: number };
  /** Absent if the job serves until the execution is over. */
  readonly stop?: Stop;
}

/** The attempt that runs ends with an error, and no other one starts. */
export interface Stop {
  readonly at: Instant;
  readonly error: string;
}

export interface PlannedTask {
  readonly arguments: object;
  /** As they would be without the stop. */
  readonly attempts: readonly Attempt[];
}

export interface AttemptTime extends Attempt {
  readonly startsAt: Instant;
  /** Exclusive. */
  readonly endsAt: Instant;
}

export function planOf({ spec }: Resource): ExecutionPlan {
  return spec as unknown as ExecutionPlan;
}

/** The attempts of each task that start, with their times: one follows the other. */
export function scheduleOf(execution: Resource): AttemptTime[][] {
  const { tasks, stop } = planOf(execution);
  let at = execution.createdAt + WAITS_MS;
  return tasks.map(({ attempts }) =>
    attempts.flatMap((attempt) => {
      const startsAt = at;
      at += attempt.takesMs;
      return untilStop({ ...attempt, startsAt, endsAt: at }, stop);
    }),
  );
}

/** Empty if it does not start. */
function untilStop(attempt: AttemptTime, stop: Stop | undefined): AttemptTime[] {
  if (stop === undefined || attempt.endsAt <= stop.at) return [attempt];
  const { startsAt } = attempt;
  return startsAt >= stop.at ? [] : [{ startsAt, takesMs: stop.at - startsAt, endsAt: stop.at, error: stop.error }];
}

export function endOfExecution(execution: Resource): Instant {
  const { stop } = planOf(execution);
  return stop?.at ?? scheduleOf(execution).flat().at(-1)?.endsAt ?? execution.createdAt + WAITS_MS;
}
