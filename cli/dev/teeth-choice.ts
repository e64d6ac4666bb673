/** Selects the deviations of `npm run teeth` by its flags. */
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { deviationIds, requirementOf } from '../../mock/deviations/index.ts';
import { appendValue } from '../command-line/flag-values.ts';

export interface Choice {
  /** Absent: every id. */
  readonly only?: readonly string[];
  /** So many of each rule, the first ones. Absent: all. */
  readonly each?: number;
}

/** A glob that fits a rule fits all its variants. */
const fits = (id: string, glob: string): boolean => path.matchesGlob(id, glob) || path.matchesGlob(id, `${glob}/*`);

/** For a flag that may be repeated; a glob that fits no deviation is refused: a slip, not a wish. */
export function oneMoreGlob(glob: string, previous?: readonly string[]): string[] {
  if (deviationIds.some((id) => fits(id, glob))) return appendValue(glob, previous);
  const areas = [...new Set(deviationIds.map((id) => id.split('.', 1)[0]))];
  throw new InvalidArgumentError(
    `It fits no deviation. They are named like ${deviationIds[0]}; areas: ${areas.join(', ')}.`,
  );
}

/** Rule by rule. */
export function chosenOf(ids: readonly string[], { only = ['*'], each }: Choice): string[] {
  const fitting = ids.filter((id) => only.some((glob) => fits(id, glob)));
  return [...Map.groupBy(fitting, requirementOf).values()].flatMap((variants) => variants.slice(0, each));
}

/** The suffix of a score of some of `all`. Empty if all were tried. */
export function choiceSaid({ only = [], each }: Choice, all: number): string {
  const flags = [...only.map((glob) => `--only '${glob}'`), ...(each === undefined ? [] : [`--each ${each}`])];
  return flags.length === 0 ? '' : `; of ${all}, chosen by ${flags.join(' ')}`;
}
