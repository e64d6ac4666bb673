/** Puts new numbers of some rules into the numbers of all. */
import { requirements } from '../../spec/requirements/index.ts';
import type { SharedResource } from '../../suites/engine/locks.ts';
import type { MeasuredRun } from './measured-requests.ts';

/** Rules that are in neither, or no longer in the catalogue, are absent. A capacity is the larger one. */
export function mergeMeasured(before: MeasuredRun, measured: MeasuredRun): MeasuredRun {
  const all = { ...before.rules, ...measured.rules };
  const ids = requirements.map(({ id }) => id as string).filter((id) => Object.hasOwn(all, id));
  return {
    capacities: larger(before.capacities, measured.capacities),
    rules: Object.fromEntries(ids.toSorted().map((id) => [id, all[id] as MeasuredRun['rules'][string]])),
  };
}

function larger(one: MeasuredRun['capacities'], other: MeasuredRun['capacities']): MeasuredRun['capacities'] {
  const names = Object.keys({ ...one, ...other }) as SharedResource[];
  return Object.fromEntries(names.map((name) => [name, Math.max(one[name] ?? 0, other[name] ?? 0)]));
}
