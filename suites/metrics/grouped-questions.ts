/** Every grouping of a few days that hold cost. */
import type { Run } from '../conforms.ts';
import type { MetricsQuery } from './ask.ts';
import { inTurn } from './beside.ts';
import { groupings } from './entries.ts';
import { meteredDays } from './metered-days.ts';

/** Once each, at these resolutions in turn; undefined leaves it to the target. */
export async function groupedQuestions(
  run: Run,
  resolutions: readonly (string | undefined)[],
): Promise<MetricsQuery[]> {
  const days = await meteredDays(run, 2);
  return inTurn(groupings(run), resolutions, 1).map(([set, resolution]) => ({
    ...days,
    resolution,
    groupBy: set.join(','),
  }));
}
