/** The attempts of a task: how long each takes and whether it fails, as the job and the world file say. */
import { jsonIncludes } from '../../http/json-includes.ts';
import { drawDuration, drawWhether } from '../../state/lifecycles.ts';
import type { Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';

const TASK_MS = 500;

/** One attempt, as plain data. */
export interface Attempt {
  readonly takesMs: number;
  /** Why it fails; absent if it succeeds. */
  readonly error?: string;
}

/** At least one attempt; all but the last fail. They are drawn when the task is created. */
export function planAttempts(world: WorldState, workspace: string, job: Resource, task: object): Attempt[] {
  const { retries, timeoutMs } = limitsOf(job);
  const planned = world.lifecycles.plan.tasks?.find(
    ({ job: name = job.name, workspace: home = workspace, arguments: some = {} }) =>
      name === job.name && home === workspace && jsonIncludes(task, some),
  );
  const { takes, failures = 0, probability = 0, message = 'The task failed.' } = planned ?? {};
  const attempts: Attempt[] = [];
  while (attempts.length <= retries) {
    const takesMs = drawDuration(takes, TASK_MS, world.random);
    const isToFail = failures === 'all' || attempts.length < failures || drawWhether(probability, world.random);
    attempts.push(attemptOf(takesMs, timeoutMs, isToFail ? message : undefined));
    if (attempts.at(-1)?.error === undefined) break;
  }
  return attempts;
}

function attemptOf(takesMs: number, timeoutMs: number, error: string | undefined): Attempt {
  if (takesMs > timeoutMs) return { takesMs: timeoutMs, error: `The task took longer than ${timeoutMs / 1000} s.` };
  return error === undefined ? { takesMs } : { takesMs, error };
}

/** checkLimits has validated them. */
function limitsOf({ spec }: Resource): { readonly retries: number; readonly timeoutMs: number } {
  const { retries = 0, timeout = 0 } = spec as { retries?: number; timeout?: number };
  return { retries, timeoutMs: timeout === 0 ? Infinity : timeout * 1000 };
}
