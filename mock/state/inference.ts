/** What calls of workloads leave behind in a world, as plain data for snapshots. */
import type { MeteredUse } from '../metrics/meters.ts';
import type { Instant } from '../time/clock.ts';

export interface Inference {
  /** Inputs of each thread, oldest first, by `<agent uuid>/<thread id>`. */
  threads: Record<string, readonly string[]>;
  /** Usage of calls, in addition to the usage patterns of the meters, by uuid of the resource. */
  uses: Record<string, Use[]>;
  /** The newest invocations, oldest first. */
  invocations: Invocation[];
  /** Requests accepted by async triggers, oldest first. */
  requests: AsyncRequest[];
  /** Messages that tools sent, oldest first. */
  messages: SentMessage[];
  /** How often each scripted reply was used, by its index. */
  repliesGiven: Record<string, number>;
  /** Cron triggers have fired up to this instant, inclusive. */
  cronUpTo: Instant;
}

/** Ticks of a meter (see mock/metrics) used in one second. */
export type Use = MeteredUse;

export interface Invocation {
  readonly at: Instant;
  readonly workspace: string;
  /** `agents/<name>`, `models/<name>`, `functions/<name>` or `jobs/<name>`. */
  readonly workload: string;
  readonly by: 'call' | 'async' | 'cron';
  /** The trigger's id. */
  readonly trigger?: string;
  /** Of a request to an async trigger: its id, as in the outbox. */
  readonly requestId?: string;
  readonly inputs: string;
  /** Of the response; of a request to an async trigger, that of its result. */
  readonly status: number;
}

/** A message that a tool of a function sent through a mail connection. */
export interface SentMessage {
  readonly at: Instant;
  readonly workspace: string;
  readonly function: string;
  readonly connection: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface AsyncRequest {
  readonly id: string;
  readonly workspace: string;
  readonly agent: string;
  readonly trigger: string;
  readonly acceptedAt: Instant;
  /** Absent while it waits for an instance. */
  readonly completesAt?: Instant;
  /** The revision that responds, and how long it takes; only while the request waits for an instance. */
  readonly waiting?: { readonly revision: string; readonly durationMs: number };
  /** The agent's response when it completes. */
  readonly outcome: { readonly status: number; readonly body: unknown };
  readonly callback?: Callback;
  readonly attempts: readonly Attempt[];
}

export interface Callback {
  readonly url: string;
  readonly secret: string;
  /** Next attempt; absent after a success or the last attempt. */
  readonly dueAt?: Instant;
  /** Set by a web page of another origin, so that it must not lead to this machine. */
  readonly isForeign?: boolean;
  /** Remaining attempts. */
  readonly left: number;
}

export interface Attempt {
  readonly at: Instant;
  /** Absent if there was no response. */
  readonly status?: number;
  readonly error?: string;
  /** Of the posted body, as in the header. */
  readonly signature?: string;
}

export function createInference(now: Instant): Inference {
  return { threads: {}, uses: {}, invocations: [], requests: [], messages: [], repliesGiven: {}, cronUpTo: now };
}
