/** Responses of the two metrics enumerations: groupBy values, and resource types with usage in a window. */
import { GROUP_BY_VALUES, type GroupByValue } from './groups.ts';
import { groupsOf, indexOf } from './meter-index.ts';
import type { Instant, MeteredAccount } from './meters.ts';
import { readWindowOnly, type Parameters } from './parameters.ts';
import { costOf, readingsAt } from './sums.ts';

export function listGroupByValues(): { values: GroupByValue[] } {
  return { values: [...GROUP_BY_VALUES] };
}

export interface ResourceTypesRequest extends MeteredAccount {
  readonly parameters: Parameters;
  readonly now: Instant;
  readonly seed: number;
}

/** The types that have at least one tick in the window, in alphabetical order. Throws a Problem (400). */
export function listResourceTypes(request: ResourceTypesRequest): { values: string[] } {
  const { parameters, now, seed } = request;
  const { start, end } = readWindowOnly(parameters);
  const readings = readingsAt([start, end], now);
  const types = groupsOf(indexOf(request, seed), ['resource_type']);
  return { values: types.filter(({ stretches }) => costOf(stretches, readings) > 0).flatMap(({ key }) => key) };
}
