/** A profile: the mock behaves at undocumented points as an observed deployment does. */
import type { Observation } from '../../spec/formats/report.ts';
import type { ObserveId } from '../../spec/requirements/index.ts';
import { isObject } from '../../spec/json-object.ts';
import { defaultChoices, type Choices } from '../state/choices.ts';
import type { ProfileSummary } from '../state/profile-summary.ts';
import { profileRows, rowOf } from './profile-rows.ts';
import { isSameValue, keyOf, type ChoicesPart, type Follow, type Given, type Layer, type Row } from './row.ts';

export interface NotFollowed extends Observation {
  readonly why: string;
}

/** @internal */
export interface Profile extends Followed {
  readonly following: ProfileSummary;
}

interface Followed {
  readonly choices: Choices;
  /** Puts all layers of the profile around the app. */
  readonly layer: Layer;
  readonly notFollowed: readonly NotFollowed[];
}

/**
 * The observations are valid, and their points are known.
 * @internal
 */
export function profileOf(observations: readonly Observation[]): Followed {
  const notFollowed: NotFollowed[] = [];
  const layers: Layer[] = [];
  const chosen: Chosen = new Map();
  const values = new Map<string, unknown>();
  const done = new Set<string>();
  for (const observation of inOrder(observations)) {
    const key = keyOf(observation);
    const { layer, choices, cannot } = done.has(key) ? OBSERVED_TWICE : follow(observation, givenTo(chosen, values));
    done.add(key);
    const why = cannot ?? (choices && contradiction(chosen, choices));
    if (why !== undefined) {
      notFollowed.push({ ...observation, why });
      continue;
    }
    values.set(key, observation.value);
    for (const [path, value] of leaves(choices ?? {})) chosen.set(path, value);
    if (layer !== undefined) layers.push(layer);
  }
  return {
    choices: choicesOf(chosen),
    layer: (app) => layers.reduce((inner, layer) => layer(inner), app),
    notFollowed,
  };
}

function givenTo(chosen: Chosen, values: ReadonlyMap<string, unknown>): Given {
  const given: Given = {
    get chosen() {
      return choicesOf(chosen);
    },
    // A row without a value in the profile depends on earlier rows, too.
    valueAt: (id, what) => (values.get(keyOf({ id, what })) ?? ownValue(rowOf(id, what), given)) as never,
  };
  return given;
}

/** What is observed of a mock that follows the earlier rows. */
function ownValue(row: Row<unknown>, given: Given, value?: unknown): unknown {
  return typeof row.own === 'function' ? row.own(given, value) : row.own;
}

/** In the order of the rows: a profile may list its observations in any order. */
function inOrder(observations: readonly Observation[]): readonly Observation[] {
  const ids = Object.keys(profileRows) as ObserveId[];
  const ranks = new Map(
    ids
      .flatMap((id) => Object.keys(profileRows[id]).map((what) => keyOf({ id, what })))
      .entries()
      .map(([at, key]) => [key, at]),
  );
  const rank = (each: Observation): number => ids.indexOf(each.id) * 10_000 + (ranks.get(keyOf(each)) ?? 9999);
  return observations.toSorted((a, b) => rank(a) - rank(b));
}

function follow({ id, what, value }: Observation, given: Given): Follow {
  const row = rowOf(id, what);
  const own = ownValue(row, given, value);
  if (own !== undefined && isSameValue(value, own)) return { ...(row.ownChoices && { choices: row.ownChoices }) };
  if (isObject(value) && value['status'] === TOO_MANY) return { cannot: 'a run retries after 429' };
  return row.follow(value, given);
}

const TOO_MANY = 429;
const OBSERVED_TWICE: Follow = { cannot: 'another value of this point is followed' };

/** By the path of the choice, such as `metrics / cuts / weekly`. */
type Chosen = Map<string, unknown>;

/** If two observations require different choices, the mock follows the one whose row is first. */
function contradiction(chosen: Chosen, choices: ChoicesPart): string | undefined {
  const other = leaves(choices).find(([path, value]) => chosen.has(path) && !isSameValue(chosen.get(path), value));
  return other && `it contradicts another observation, which is followed (${other[0]})`;
}

/** The choices by path; a list and a cut are one choice each. */
function leaves(part: object, above: readonly string[] = []): [string, unknown][] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    const path = [...above, name];
    return isObject(value) && above.at(-1) !== 'cuts' ? leaves(value, path) : [[path.join(' / '), value]];
  });
}

function choicesOf(chosen: Chosen): Choices {
  const choices = structuredClone(defaultChoices);
  for (const [path, value] of chosen) {
    const names = path.split(' / ');
    const last = names.pop() ?? '';
    const parent = names.reduce(
      (inner, name) => inner[name] as Record<string, unknown>,
      choices as unknown as Record<string, unknown>,
    );
    parent[last] = value;
  }
  return choices;
}
