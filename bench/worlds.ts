/** Measures the time to add a world to a port. */
import { startMock } from '../mock/start-mock.ts';
import { median } from './median.ts';

const WORLDS = 60;

/** Median of many, in milliseconds. */
export async function worldMilliseconds(): Promise<number> {
  await using mock = await startMock();
  const times: number[] = [];
  for (let world = 0; world < WORLDS; world += 1) {
    const start = performance.now();
    const answer = await fetch(`${mock.addresses.host}/_mock/worlds`, { method: 'POST' });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`Adding a world failed with status ${answer.status}.`);
    times.push(performance.now() - start);
  }
  return median(times);
}
