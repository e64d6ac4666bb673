/** Selects the deviations of `npm run teeth` by its flags. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { deviationIds, requirementOf } from '../../mock/deviations/index.ts';
import { appendValue } from '../command-line/flag-values.ts';

export interface Selection {
  /** Absent: every id. */
  readonly only?: readonly string[];
  /** Only the first so many deviations of each rule. Absent: all, or none if there is a sample. */
  readonly each?: number;
  /** So many of the other deviations, drawn from all areas in turn. Absent: none. */
  readonly sample?: number;
  /** Decides which deviations are drawn. */
  readonly seed?: string;
}

/** A glob that matches a rule id matches all its variants. */
const matches = (id: string, glob: string): boolean => path.matchesGlob(id, glob) || path.matchesGlob(id, `${glob}/*`);

/** For a repeatable flag. Rejects a glob that matches no deviation, because it must be a typo. */
export function appendGlob(glob: string, previous?: readonly string[]): string[] {
  if (deviationIds.some((id) => matches(id, glob))) return appendValue(glob, previous);
  const areas = [...new Set(deviationIds.map(areaOf))];
  throw new InvalidArgumentError(
    `the id of a deviation that is listed in mock/deviations/index.ts, such as ${deviationIds[0]}. Areas: ${areas.join(', ')}.`,
  );
}

/** Grouped by rule; the sample comes last. */
export function selectDeviations(ids: readonly string[], selection: Selection): string[] {
  const { only = ['*'], sample, each = sample === undefined ? undefined : 0, seed = '' } = selection;
  const matching = ids.filter((id) => only.some((glob) => matches(id, glob)));
  const first = [...Map.groupBy(matching, requirementOf).values()].flatMap((variants) => variants.slice(0, each));
  const selected = new Set(first);
  const others = matching.filter((id) => !selected.has(id));
  return [...first, ...drawn(others, seed).slice(0, sample ?? 0)];
}

/** All ids in an order that depends only on the seed: the areas take turns. */
function drawn(ids: readonly string[], seed: string): string[] {
  const order = (id: string): string => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  const shuffled = ids.map((id) => ({ id, order: order(id) })).toSorted((a, b) => (a.order < b.order ? -1 : 1));
  const turns = [...Map.groupBy(shuffled, ({ id }) => areaOf(id)).values()].flatMap((area) =>
    area.map(({ id }, turn) => ({ id, turn })),
  );
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ id }) => id);
}

const areaOf = (id: string): string => id.split('.', 1)[0] ?? '';

/** What follows the score if only some of `all` deviations were selected, otherwise an empty string. */
export function describeSelection({ only = [], each, sample, seed }: Selection, all: number): string {
  const flags = [
    ...only.map((glob) => `--only '${glob}'`),
    ...(each === undefined ? [] : [`--each ${each}`]),
    ...(sample === undefined ? [] : [`--sample ${sample} --seed ${seed}`]),
  ];
  return flags.length === 0 ? '' : `; of ${all}, selected by ${flags.join(' ')}`;
}
