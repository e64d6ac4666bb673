/** Waits in real time; stops waiting when the client disconnects or the mock shuts down. */
import type { ServerResponse } from 'node:http';

/** The longest delay that a rule can have. */
export const MAX_DELAY_MS = 600_000;

/** Does not keep the process alive. */
export function delay(res: Pick<ServerResponse, 'destroyed' | 'once' | 'off'>, milliseconds: number): Promise<void> {
  if (res.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      res.off('close', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds).unref();
    res.once('close', end);
  });
}
