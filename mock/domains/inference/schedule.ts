/** Fires cron triggers and posts callbacks when they are due on the virtual clock, according to the world's data. */
import type { Instant } from '../../time/clock.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { CallbackClient } from './callback-client.ts';
import { dueRequests, nextCallbackAt, settleAttempt } from './callbacks.ts';
import { fireCron, nextCronAt } from './cron.ts';
import type { AsyncRequest } from '../../state/inference.ts';

/** Callbacks that are posted at the same time. */
const MAX_POSTING = 32;

export interface Schedule {
  /** Recomputes what is due next, after data was added or replaced. */
  wake(): void;
  /** Recomputes at an instant at the latest. Cheap. */
  wakeBy(instant: Instant): void;
  /** Resolves when no callback is being posted: all due ones have arrived or failed. */
  settled(): Promise<void>;
  /** Stops, and aborts running requests. */
  close(): void;
}

export function createSchedule(worldOf: () => WorldState): Schedule {
  /** By id of the request whose callback is being posted. */
  const posting = new Map<string, Promise<void>>();
  let client: Promise<CallbackClient> | undefined;
  let cancel = () => {};
  /** When it recomputes; Infinity if nothing is due. */
  let looksAt: Instant = Infinity;
  let endListening: (() => void) | undefined;
  let closed = false;

  const lookAt = (instant: Instant) => {
    cancel();
    if (closed) return;
    const { clock, timers } = worldOf();
    endListening ??= clock.onChange(moved);
    looksAt = instant;
    cancel = instant === Infinity ? () => {} : timers.at(instant, run);
  };
  const wake = () => {
    const world = worldOf();
    const nextCallback = posting.size >= MAX_POSTING ? Infinity : nextCallbackAt(world, new Set(posting.keys()));
    lookAt(Math.min(nextCronAt(world), nextCallback));
  };
  const moved = () => {
    const { inference, clock } = worldOf();
    inference.cronUpTo = Math.min(inference.cronUpTo, clock.now());
    run();
  };
  const run = () => {
    const world = worldOf();
    fireCron(world);
    startDue(world);
    wake();
  };
  /** The others wait until one of these has ended. */
  const startDue = (world: WorldState) => {
    const due = dueRequests(world, world.clock.now(), new Set(posting.keys()));
    for (const request of due.slice(0, Math.max(0, MAX_POSTING - posting.size))) start(world, request);
  };
  const start = (world: WorldState, request: AsyncRequest) => {
    const posted = post(world, request).finally(() => {
      posting.delete(request.id);
      if (!closed) startDue(worldOf());
      wake();
    });
    posting.set(request.id, posted);
  };
  const post = async (world: WorldState, request: AsyncRequest) => {
    client ??= openClient();
    const attempt = await (await client).post(world, request, request.callback?.dueAt ?? world.clock.now());
    if (!closed) settleAttempt(world, request.id, attempt);
  };
  return {
    wake,
    wakeBy: (instant) => {
      if (instant < looksAt) lookAt(instant);
    },
    settled: async () => {
      while (posting.size > 0) await Promise.all(posting.values());
    },
    close: () => {
      closed = true;
      cancel();
      endListening?.();
      void client?.then((open) => open.close());
    },
  };
}

/** Loaded on demand, so that the mock starts faster. */
async function openClient(): Promise<CallbackClient> {
  return (await import('./callback-client.ts')).createCallbackClient();
}
