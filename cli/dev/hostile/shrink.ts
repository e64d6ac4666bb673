/** Finds a smaller attack that breaks the mock in the same way, on a mock without other traffic. */
import * as fc from 'fast-check';
import type { Attack, Kind } from './attack.ts';
import { isBroken, type Violation } from './run-kind.ts';

const MAX_TRIALS = 300;

/** The command of the smallest one. Undefined if the attack does not break a mock after a reset: it needs those before it. */
export async function shrinkViolation(
  kind: Kind,
  { seed, index }: Violation,
  reset: () => Promise<void>,
): Promise<string | undefined> {
  let smallest: Attack | undefined;
  let trials = 0;
  const property = fc.asyncProperty(kind.attacks, async (attack) => {
    if (trials++ > MAX_TRIALS) return true;
    await reset();
    const isOkay = !isBroken(await attack.send());
    if (!isOkay) smallest = attack;
    return isOkay;
  });
  // The position of a value in what a seed gives is also its path.
  await fc.check(property, { seed, path: String(index), numRuns: 1 });
  return smallest?.describe();
}
