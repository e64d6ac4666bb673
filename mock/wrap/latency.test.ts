import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { withLatency } from './latency.ts';
import { startMock } from '../start-mock.ts';
import { createRandom } from '../time/random.ts';

test('a response is delayed by at least the minimum', async () => {
  const start = performance.now();
  await withLatency(async () => {}, { min: 20, max: 30 }, createRandom(1))({ res: new EventEmitter() } as never);
  expect(performance.now() - start).toBeGreaterThanOrEqual(19);
});

test('latency does not change responses', async () => {
  await using mock = await startMock({ latency: { min: 1, max: 2 } });
  const response = await fetch(`${mock.addresses.management}/agents`, {
    headers: { authorization: `Bearer ${mock.target.credentials.apiKey.value}` },
  });
  expect(response.status).toBe(200);
});

test('a delay ends when the client disconnects, and does not keep the process alive', async () => {
  const held = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = held();
  const res = new EventEmitter();
  const waiting = withLatency(async () => {}, { min: 600_000, max: 600_000 }, createRandom(1))({ res } as never);
  expect(held()).toBe(before);
  res.emit('close');
  await waiting;
});
