/** Delays of fault rules and scripted responses, in real time. */
import { delay } from '../http/delay.ts';
import { worldIsGone } from '../http/problems.ts';
import type { Context } from './context.ts';

/** Also ends when the client disconnects. Rejects with a problem if the world is reset or removed meanwhile. */
export async function realDelay({ res, state }: Context, milliseconds: number): Promise<void> {
  let cancel = (): void => {};
  const gone = new Promise<never>((_, reject) => {
    const end = (): void => reject(worldIsGone());
    cancel = state.world.timers.at(Infinity, () => {}, end);
  });
  try {
    await Promise.race([delay(res, milliseconds), gone]);
  } finally {
    cancel();
  }
}
