/** Measures the mock's memory: per resource, and after many requests. */
import { load, type Request, type RequestSource } from './load.ts';
import type { RequestWithoutToken } from './requests.ts';
import { serve } from './served.ts';

const RESOURCES = 10_000;

/** Heap bytes for one policy whose JSON is about 0.5 kB. */
export async function bytesPerResource(): Promise<number> {
  const mock = await serve('mock');
  const create = (first: number, count: number) => {
    const requests = Array.from({ length: count }, (_, nth): Request => {
      return { method: 'POST', path: '/v0/policies', token: mock.tokens.apiKey, body: policy(first + nth) };
    });
    return load(mock, requests, count);
  };
  await create(0, 1);
  const before = await mock.heapBytes();
  await create(1, RESOURCES);
  const after = await mock.heapBytes();
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

/** Memory of the process after `count` requests of different kinds, in bytes. The journal is full long before. */
export async function residentBytesAfter(
  count: number,
  requests: readonly RequestSource<RequestWithoutToken>[],
): Promise<number> {
  const mock = await serve('mock');
  const { apiKey, jwt } = mock.tokens;
  const sent = [apiKey, jwt].flatMap((token) =>
    requests.map((request) => (nth: number): Request => {
      const own = typeof request === 'function' ? request(nth) : request;
      return { ...own, path: mock.prefix + own.path, token };
    }),
  );
  await load(mock, sent, count);
  const bytes = await mock.residentBytes();
  await mock.stop();
  return bytes;
}
