import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { callControl } from '../../testing/control-client.ts';
import { openLivelyMock } from '../../testing/snapshots/lively-mock.ts';
import { mutated, mutations } from '../../testing/snapshots/mutations.ts';
import { tourWorld } from '../../testing/snapshots/tour.ts';

/** Most are refused, which takes a tenth of the time. */
const RUNS = 300;

test('a world whose snapshot was accepted responds to everything, and its own snapshot is accepted', async () => {
  await using lively = await openLivelyMock();
  const put = async (value: unknown) =>
    (await callControl(lively.mock.addresses.host, 'PUT', '/snapshot', value)).status;
  /** What went wrong. */
  const faultsOf = async (value: unknown): Promise<string[]> => {
    const status = await put(value);
    if (status !== 200) return status === 400 ? [] : [`PUT /snapshot: ${status}`];
    acceptedCount++;
    const found = await tourWorld(lively);
    const again = await put(await lively.mock.snapshot.get());
    return again === 200 ? found : [...found, `PUT /snapshot of its own: ${again}`];
  };
  let acceptedCount = 0;
  expect(await faultsOf(lively.snapshot)).toEqual([]);
  await fc.assert(
    fc.asyncProperty(mutations, async (mutation) => {
      const { value, description } = mutated(lively.snapshot, mutation);
      expect([description, await faultsOf(value)]).toEqual([description, []]);
    }),
    { numRuns: RUNS },
  );
  expect(acceptedCount).toBeGreaterThan(RUNS / 10);
});
