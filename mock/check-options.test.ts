import { expect, test } from 'vitest';
import { startMock } from './start-mock.ts';

test.each([
  [{ sed: 7 }, 'startMock: Unknown option "sed". Did you mean "seed"?'],
  [{ latncy: {} }, 'startMock: Unknown option "latncy". Did you mean "latency"?'],
  [{ verbose: true }, 'startMock: Unknown option "verbose". Allowed: port, host,'],
  [
    { world: 'world.yaml' },
    'startMock: Invalid value "world.yaml" for world: expected the content of a world file, not its path, or default, empty, failing-deployments, large.',
  ],
  [{ port: '8080' }, 'startMock: Invalid value "8080" for port: expected a whole number from 0 to 65535.'],
  [{ clock: 'stopped' }, 'startMock: Invalid value "stopped" for clock: expected one of running, frozen.'],
  [{ onRequest: true }, 'startMock: Invalid value true for onRequest: expected a function.'],
  [{ deviate: 5 }, 'startMock: Invalid value 5 for deviate: expected the id of a deviation, or a list of ids.'],
  [{ deviate: 'foo.bar.baz' }, 'foo.bar.baz'],
  [{ controlToken: 5 }, 'startMock: Invalid value (hidden) for controlToken: expected a string.'],
])('startMock(%j) is refused', async (options, message) => {
  await expect(startMock(options as never)).rejects.toThrow(message);
});

test.each([
  5,
  {},
  { min: 5 },
  { min: 5, max: 1 },
  { min: -1, max: 1 },
  { min: 'a', max: 1 },
  { min: 0, max: 0.5 },
  { min: 0, max: 1e9 },
  { min: 0, max: 1, mean: 1 },
])('startMock({ latency: %j }) is refused', async (latency) => {
  await expect(startMock({ latency } as never)).rejects.toThrow(
    `startMock: Invalid value ${JSON.stringify(latency)} for latency: expected { min, max }, whole milliseconds from 0 to`,
  );
});

test('a single deviation needs no list', async () => {
  // Its effect needs a name of 49 characters.
  await using mock = await startMock({ deviate: 'agents.update.unknown-404' });
  const name = 'a'.repeat(49);
  const response = await fetch(`${mock.addresses.management}/agents/${name}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${mock.target.credentials.apiKey.value}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ metadata: { name }, spec: {} }),
  });
  expect(response.status).toBe(400);
});

test.each(['yesterday', '2026-02-30T00:00:00Z', -1, 1.5, new Date(Number.NaN), Date.UTC(10_000, 0)])(
  'startMock({ now: %s }) is refused',
  async (now) => {
    await expect(startMock({ now })).rejects.toThrow(
      'for now: expected an RFC 3339 timestamp such as 2026-11-01T00:00:00Z, a Date, or whole milliseconds since 1970.',
    );
  },
);

test.each([['2026-11-01T01:00:00+01:00'], [new Date('2026-11-01T00:00:00Z')], [Date.UTC(2026, 10, 1)]])(
  'the clock of a mock and of a new world can start at %s',
  async (now) => {
    await using mock = await startMock({ now, clock: 'frozen' });
    expect(await mock.clock.get()).toEqual({ now: '2026-11-01T00:00:00.000Z', mode: 'frozen' });
    await using world = await mock.newWorld({ now });
    expect(await world.clock.get()).toEqual({ now: '2026-11-01T00:00:00.000Z', mode: 'frozen' });
    expect(await world.clock.set(now)).toMatchObject({ now: '2026-11-01T00:00:00.000Z' });
  },
);

test('newWorld names an invalid time', async () => {
  await using mock = await startMock();
  await expect(mock.newWorld({ now: new Date(Number.NaN) })).rejects.toThrow(
    'Invalid value null for now: expected an RFC 3339 timestamp',
  );
  await expect(mock.newWorld({ now: 'yesterday' })).rejects.toThrow(/now: "yesterday" is not an RFC 3339 timestamp/);
});

test('undefined counts as omitted', async () => {
  await using mock = await startMock({ seed: undefined } as never);
  expect(mock.addresses.host).toMatch(/^http:/);
});
