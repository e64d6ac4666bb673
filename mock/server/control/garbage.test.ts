import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { calls } from './calls.ts';
import { callControl } from '../../testing/control-client.ts';

let mock: RunningMock;

beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen' });
});
afterAll(() => mock.close());

const rows = Object.entries(calls).flatMap(([path, methods]) =>
  Object.entries(methods).map(async ([method, load]) => ({
    path,
    method,
    schema: await (await load()).body?.jsonSchema(),
  })),
);
const withBody = (await Promise.all(rows)).filter(({ schema }) => schema !== undefined);

test.each(withBody)('garbage sent to $method $path never causes a 5xx response', async ({ path, method, schema }) => {
  const names = Object.keys((schema as { properties: object }).properties);
  const lookalike = fc.dictionary(fc.constantFrom(...names), fc.jsonValue(), { maxKeys: 3 });
  await fc.assert(
    fc.asyncProperty(fc.oneof(lookalike, fc.jsonValue()), async (body) => {
      expect((await callControl(mock.addresses.host, method, path, JSON.stringify(body))).status).toBeLessThan(500);
    }),
    { numRuns: 60 },
  );
});
