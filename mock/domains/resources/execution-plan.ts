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
  /** When it ended because the job did not serve any more. */
  readonly stoppedAt?: Instant;
}

export interface PlannedTask {
  readonly arguments: object;
  /** None if the execution was stopped before. */
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

/** The attempts of each task with their times: one follows the other. */
export function scheduleOf(execution: Resource): AttemptTime[][] {
  let at = execution.createdAt + WAITS_MS;
  return planOf(execution).tasks.map(({ attempts }) =>
    attempts.map((attempt) => {
      const startsAt = at;
      at += attempt.takesMs;
      return { ...attempt, startsAt, endsAt: at };
    }),
  );
}

export function endOfExecution(execution: Resource): Instant {
  const { stoppedAt } = planOf(execution);
  return stoppedAt ?? scheduleOf(execution).flat().at(-1)?.endsAt ?? execution.createdAt + WAITS_MS;
}
