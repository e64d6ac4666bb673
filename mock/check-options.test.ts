import { expect, test } from 'vitest';
import { startMock } from './start-mock.ts';

test.each([
  [{ sed: 7 }, 'startMock: Unknown option "sed": did you mean seed.'],
  [{ latncy: {} }, 'startMock: Unknown option "latncy": did you mean latency.'],
  [{ verbose: true }, 'startMock: Unknown option "verbose": expected one of port, host,'],
  [
    { world: 'world.yaml' },
    'startMock: Invalid value "world.yaml" for world: expected the content of a world file, not its path.',
  ],
  [{ port: '8080' }, 'startMock: Invalid value "8080" for port: expected a whole number from 0 to 65535.'],
  [{ clock: 'stopped' }, 'startMock: Invalid value "stopped" for clock: expected one of running, frozen.'],
  [{ deviate: 'a' }, 'startMock: Invalid value "a" for deviate: expected a list of strings.'],
  [{ controlToken: 5 }, 'startMock: Invalid value (hidden) for controlToken: expected a string.'],
])('startMock(%j) is refused', async (options, message) => {
  await expect(startMock(options as never)).rejects.toThrow(message);
});

test('undefined counts as omitted', async () => {
  await using mock = await startMock({ seed: undefined } as never);
  expect(mock.addresses.host).toMatch(/^http:/);
});
