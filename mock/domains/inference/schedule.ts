/** Does what is due on a world's clock: fires cron triggers and posts callbacks. What is due is read from the world's data. */
import type { Instant } from '../../time/clock.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { CallbackClient } from './callback-client.ts';
import { dueRequests, nextCallbackAt, settleAttempt } from './callbacks.ts';
import { fireCron, nextCronAt } from './cron.ts';
import type { AsyncRequest } from '../../state/inference.ts';

export interface Schedule {
  /** Looks again at what is due next: after something to be done later was added, or the world's data were replaced. */
  wake(): void;
  /** Looks again at an instant at the latest; costs next to nothing. */
  wakeBy(instant: Instant): void;
  /** Resolves when no callback is on its way: those that are due by now have arrived or failed. */
  settled(): Promise<void>;
  /** Does nothing any more, and cuts off what is on its way. */
  close(): void;
}

export function createSchedule(worldOf: () => WorldState): Schedule {
  /** Of requests whose callbacks are on their way. */
  const posting = new Map<string, Promise<void>>();
  let client: Promise<CallbackClient> | undefined;
  let cancel = () => {};
  /** When it looks again; Infinity where nothing is to come. */
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
    lookAt(Math.min(nextCronAt(world), nextCallbackAt(world, new Set(posting.keys()))));
  };
  const moved = () => {
    const { inference, clock } = worldOf();
    inference.cronUpTo = Math.min(inference.cronUpTo, clock.now());
    run();
  };
  const run = () => {
    const world = worldOf();
    fireCron(world);
    for (const request of dueRequests(world, world.clock.now(), new Set(posting.keys()))) start(world, request);
    wake();
  };
  const start = (world: WorldState, request: AsyncRequest) => {
    const posted = post(world, request).finally(() => {
      posting.delete(request.id);
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

/** Loaded when there is something to post: starting a mock does not wait for it. */
async function openClient(): Promise<CallbackClient> {
  return (await import('./callback-client.ts')).createCallbackClient();
}
