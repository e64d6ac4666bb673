/** Measures the mock's memory per resource. */
import { Pool } from 'undici';
import { once } from './load.ts';
import { serve } from './served.ts';

const RESOURCES = 10_000;

/** Heap bytes for one policy whose JSON is about 0.5 kB. */
export async function bytesPerResource(): Promise<number> {
  const mock = await serve('mock');
  const pool = new Pool(`http://127.0.0.1:${mock.port}`, { connections: 8 });
  const create = (index: number) =>
    once(pool, mock.token, { method: 'POST', path: '/v0/policies', body: policy(index) });
  await create(0);
  const before = await mock.heapBytes();
  for (let index = 1; index <= RESOURCES; index += 8) {
    await Promise.all(Array.from({ length: 8 }, (_, offset) => create(index + offset)));
  }
  const after = await mock.heapBytes();
  await pool.close();
  await mock.stop();
  return (after - before) / RESOURCES;
}

function policy(index: number): string {
  const labels = Object.fromEntries(
    Array.from({ length: 5 }, (_, label) => [`label-${label}`, `value ${label} of ${index}`]),
  );
  return JSON.stringify({
    metadata: { name: `bench-${index}`, displayName: `Policy number ${index}`, labels },
    spec: { type: 'location', locations: ['local', 'eu-west', 'us-east'], note: `${index}`.padEnd(150, '.') },
  });
}
