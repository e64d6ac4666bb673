/** How long another world on a port takes to make. */
import { startMock } from '../mock/start-mock.ts';
import { median } from './median.ts';

const WORLDS = 60;

/** Milliseconds from the request to its answer, the median of many. */
export async function worldMilliseconds(): Promise<number> {
  await using mock = await startMock();
  const times: number[] = [];
  for (let world = 0; world < WORLDS; world += 1) {
    const start = performance.now();
    const answer = await fetch(`${mock.addresses.host}/_mock/worlds`, { method: 'POST' });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`Another world was answered ${answer.status}.`);
    times.push(performance.now() - start);
  }
  return median(times);
}
