/** Finds due callbacks and records attempts to post them. */
import type { Instant } from '../../time/clock.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { AsyncRequest, Attempt } from '../../state/inference.ts';

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

/** When the next callback is due; Infinity if there is none. */
export function nextCallbackAt({ inference }: WorldState, except: ReadonlySet<string>): Instant {
  let next = Infinity;
  for (const { id, callback } of inference.requests) {
    if (callback?.dueAt !== undefined && callback.dueAt < next && !except.has(id)) next = callback.dueAt;
  }
  return next;
}

export function dueRequests({ inference }: WorldState, now: Instant, except: ReadonlySet<string>): AsyncRequest[] {
  return inference.requests.filter(({ id, callback }) => (callback?.dueAt ?? Infinity) <= now && !except.has(id));
}

/** Records an attempt. Schedules a retry with exponential backoff unless the response was 2xx or no attempts remain. */
export function settleAttempt({ inference }: WorldState, id: string, attempt: Attempt): void {
  const index = inference.requests.findIndex((request) => request.id === id);
  const request = inference.requests[index];
  if (request !== undefined) inference.requests[index] = { ...request, ...settled(request, attempt) };
}

function settled({ callback, attempts }: AsyncRequest, attempt: Attempt): Pick<AsyncRequest, 'callback' | 'attempts'> {
  if (callback === undefined) return { attempts };
  const { dueAt: _through, ...rest } = callback;
  const left = callback.left - 1;
  const arrived = attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;
  const dueAt = attempt.at + Math.min(FIRST_RETRY_MS * 2 ** attempts.length, MAX_RETRY_MS);
  return {
    attempts: [...attempts, attempt],
    callback: { ...rest, left, ...(!arrived && left > 0 && { dueAt }) },
  };
}
