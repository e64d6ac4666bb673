/** A mock for several tests and a world for each of them, as fixture functions that vitest and Playwright call alike. */
import { startMock, type MockOptions, type MockWorld, type NewWorld, type RunningMock } from '../start-mock.ts';

export interface MockFixtures {
  /** Options of the mock. Default: none. */
  mockOptions: MockOptions;
  /** Started for the first test that needs it; closed after the last one. */
  mock: RunningMock;
}

export interface WorldFixtures {
  /** Options of the test's world. Default: those of the mock. */
  worldOptions: NewWorld;
  /** The test's own world: addresses, credentials, state, clock, faults and journal. Closed after the test. */
  world: MockWorld;
}

type Use<Value> = (value: Value) => Promise<void>;

// Both runners read the names of the fixtures that a function needs from its first parameter, so it must be destructured.
export async function mock({ mockOptions }: Pick<MockFixtures, 'mockOptions'>, use: Use<RunningMock>): Promise<void> {
  const started = await startMock(mockOptions);
  try {
    await use(started);
  } finally {
    await started.close();
  }
}

export async function world(
  { mock: running, worldOptions }: Pick<MockFixtures, 'mock'> & Pick<WorldFixtures, 'worldOptions'>,
  use: Use<MockWorld>,
): Promise<void> {
  const added = await running.newWorld(worldOptions);
  try {
    await use(added);
  } finally {
    await added.close();
  }
}
