/** Selects the deviations of `npm run teeth` by its flags. */
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { deviationIds, requirementOf } from '../../mock/deviations/index.ts';
import { appendValue } from '../command-line/flag-values.ts';

export interface Selection {
  /** Absent: every id. */
  readonly only?: readonly string[];
  /** Only the first so many deviations of each rule. Absent: all. */
  readonly each?: number;
}

/** A glob that matches a rule id matches all its variants. */
const matches = (id: string, glob: string): boolean => path.matchesGlob(id, glob) || path.matchesGlob(id, `${glob}/*`);

/** For a repeatable flag. Rejects a glob that matches no deviation, because it must be a typo. */
export function appendGlob(glob: string, previous?: readonly string[]): string[] {
  if (deviationIds.some((id) => matches(id, glob))) return appendValue(glob, previous);
  const areas = [...new Set(deviationIds.map((id) => id.split('.', 1)[0]))];
  throw new InvalidArgumentError(
    `the id of a deviation that is listed in mock/deviations/index.ts, such as ${deviationIds[0]}. Areas: ${areas.join(', ')}.`,
  );
}

/** Grouped by rule. */
export function selectDeviations(ids: readonly string[], { only = ['*'], each }: Selection): string[] {
  const matching = ids.filter((id) => only.some((glob) => matches(id, glob)));
  return [...Map.groupBy(matching, requirementOf).values()].flatMap((variants) => variants.slice(0, each));
}

/** What follows the score if only some of `all` deviations were selected, otherwise an empty string. */
export function describeSelection({ only = [], each }: Selection, all: number): string {
  const flags = [...only.map((glob) => `--only '${glob}'`), ...(each === undefined ? [] : [`--each ${each}`])];
  return flags.length === 0 ? '' : `; of ${all}, selected by ${flags.join(' ')}`;
}
