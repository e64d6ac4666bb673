/** Requests that should be refused. Each is sent once per run, and several rules check its response. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedValues } from '../engine/shared-values.ts';
import type { Exchange } from '../target/client.ts';

/** How to provoke errors, by a name that is unique in the run. An empty result means that it was not possible. */
export type Provocations = ReadonlyMap<string, () => Promise<readonly Exchange[]>>;

const errorsOfRun = sharedValues<readonly Exchange[]>();

/** Errors that are checked in one way. */
export interface ErrorGroup {
  readonly provocations: Provocations;
  readonly property: (error: Exchange) => readonly Mismatch[];
  /** Whether the rule is about this error. Defaults to all. */
  readonly isRelevant?: (error: Exchange) => boolean;
}

/** Tests the errors of each group and returns how many of them were relevant in this round. */
export async function checkErrors(run: Run, groups: readonly ErrorGroup[]): Promise<number> {
  let count = 0;
  const test = async ({ provocations, property, isRelevant }: ErrorGroup, name: string): Promise<Mismatch[]> => {
    const errors = await errorsOfRun.get(run, name, async () => (await provocations.get(name)?.()) ?? []);
    const relevant = errors.filter(isRelevant ?? (() => true));
    count += relevant.length;
    return relevant.flatMap(property);
  };
  for (const group of groups) await run.forEach([...group.provocations.keys()], (name) => test(group, name));
  // Those of this round may not have provoked any.
  for (const group of groups)
    for (const name of group.provocations.keys()) if (count === 0) run.check(await test(group, name));
  return count;
}

/** One element of each list in turn, so that the first elements differ most. */
export function interleave<Item>(...lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}
