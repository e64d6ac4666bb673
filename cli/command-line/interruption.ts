/** Graceful shutdown of a run: the first SIGINT or SIGTERM aborts it, the second ends the process immediately. */
import { onSignal } from './signals.ts';

export const INTERRUPTED = 3;

/** For the cases: requests that are pending have a second. The report and the clean-up follow. */
export const MAX_MS_AFTER_INTERRUPTION = 1500;

/** When a run was interrupted: the reason of the aborted signal. */
class Interruption {
  readonly atMs = performance.now();
}

/** Milliseconds since the signal was aborted. 0 if it is not aborted. */
export function elapsedSince({ reason }: AbortSignal): number {
  return reason instanceof Interruption ? performance.now() - reason.atMs : 0;
}

/** Exits if the command was interrupted, because a case may still wait. Otherwise returns the code. */
export function exitIfInterrupted(code: number, interrupted: AbortSignal): number {
  if (interrupted.aborted) process.exit(code);
  return code;
}

/** Resolves this long after the interruption; never without one. */
export function delayAfter(
  interrupted: AbortSignal,
  milliseconds: number,
): { ended: Promise<void>; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const begin = (): void => void (timer ??= setTimeout(resolve, Math.max(0, milliseconds - elapsedSince(interrupted))));
  if (interrupted.aborted) begin();
  interrupted.addEventListener('abort', begin);
  return {
    ended,
    cancel() {
      interrupted.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}

/** Returns a signal that the first interruption aborts. Stays active until the process ends, because a run is cleaned up afterwards. */
export function interruption(command: string): AbortSignal {
  const controller = new AbortController();
  onSignal((_, nth) => {
    if (nth > 1) process.exit(INTERRUPTED);
    process.stderr.write(`\nassay ${command}: Shutting down; press Ctrl-C again to force.\n`);
    controller.abort(new Interruption());
  });
  return controller.signal;
}
