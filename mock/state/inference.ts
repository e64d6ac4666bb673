/** What calls of workloads leave behind in a world: plain data, as stored in a snapshot. */
import type { MeteredUse } from '../metrics/meters.ts';
import type { Instant } from '../time/clock.ts';

export interface Inference {
  /** What was asked in a thread, the oldest first; by uuid of the agent, a slash and the thread's id. */
  threads: Record<string, readonly string[]>;
  /** What was used beside the rhythm of the meters; by uuid of the resource. */
  uses: Record<string, Use[]>;
  /** The newest calls, the newest last. */
  invocations: Invocation[];
  /** Requests that async triggers accepted, the newest last. */
  requests: AsyncRequest[];
  /** How often each scripted reply was given; by its position. */
  repliesGiven: Record<string, number>;
  /** The schedules of cron triggers are through up to here, inclusive. */
  cronUpTo: Instant;
}

/** Ticks of a meter, as in mock/metrics, that were used in one second. */
export type Use = MeteredUse;

export interface Invocation {
  readonly at: Instant;
  readonly workspace: string;
  /** `agents/<name>`, `models/<name>` or `functions/<name>`. */
  readonly workload: string;
  readonly by: 'call' | 'async' | 'cron';
  /** The trigger's id. */
  readonly trigger?: string;
  readonly inputs: string;
  readonly status: number;
}

export interface AsyncRequest {
  readonly id: string;
  readonly workspace: string;
  readonly agent: string;
  readonly trigger: string;
  readonly acceptedAt: Instant;
  readonly completesAt: Instant;
  /** What the agent answers when it is through. */
  readonly outcome: { readonly status: number; readonly body: unknown };
  readonly callback?: Callback;
  readonly attempts: readonly Attempt[];
}

export interface Callback {
  readonly url: string;
  readonly secret: string;
  /** When it is posted next; absent when it has arrived or nothing more is tried. */
  readonly dueAt?: Instant;
  /** How many times it may be posted still. */
  readonly left: number;
}

export interface Attempt {
  readonly at: Instant;
  /** Absent where there was no answer. */
  readonly status?: number;
  readonly error?: string;
}

export function createInference(now: Instant): Inference {
  return { threads: {}, uses: {}, invocations: [], requests: [], repliesGiven: {}, cronUpTo: now };
}
