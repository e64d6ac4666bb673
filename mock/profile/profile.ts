/** A profile: the mock answers at undocumented points as an observed target does. */
import type { Observation } from '../../spec/verdicts.ts';
import { defaultChoices, type Choices } from '../state/choices.ts';
import type { ObserveId } from '../../spec/requirements/index.ts';
import type { ProfileSummary } from '../state/profile-summary.ts';
import type { ChoicesPart, Follow, Given, Layer } from './point.ts';
import { pointOf, profileRows } from './rows.ts';

export interface NotFollowed extends Observation {
  readonly why: string;
}

export interface Profile extends Followed {
  readonly following: ProfileSummary;
}

interface Followed {
  readonly choices: Choices;
  /** Puts everything around the app that the profile asks for. */
  readonly layer: Layer;
  readonly notFollowed: readonly NotFollowed[];
}

/** Whatever a run may have written is taken: words that the mock does not know are not followed. */
export function profileOf(observations: readonly Observation[]): Followed {
  const notFollowed: NotFollowed[] = [];
  const layers: Layer[] = [];
  const chosen: Chosen = new Map();
  const seen = new Map<string, string>();
  const done = new Set<string>();
  for (const observation of inOrder(observations)) {
    const { id, what, saw } = observation;
    const { layer, choices, cannot }: Follow = done.has(`${id} ${what}`)
      ? SEEN_OTHERWISE
      : followed(observation, givenTo(id, chosen, seen));
    done.add(`${id} ${what}`);
    const why = cannot ?? (choices && contradiction(chosen, choices));
    if (why !== undefined) {
      notFollowed.push({ ...observation, why });
      continue;
    }
    seen.set(`${id} ${what}`, saw);
    for (const [path, value] of leaves(choices ?? {})) chosen.set(path, value);
    if (layer !== undefined) layers.push(layer);
  }
  return {
    choices: chosenOf(chosen),
    layer: (app) => layers.reduce((inner, layer) => layer(inner), app),
    notFollowed,
  };
}

/** To a point of that rule. */
const givenTo = (id: ObserveId, chosen: Chosen, seen: ReadonlyMap<string, string>): Given => ({
  get chosen() {
    return chosenOf(chosen);
  },
  seenAt: (what, of = id) => seen.get(`${of} ${what}`) ?? pointOf(of, what)?.own,
});

/** By the rows of the table, and their points: a profile may be written in any order. */
function inOrder(observations: readonly Observation[]): readonly Observation[] {
  const ids: readonly string[] = Object.keys(profileRows);
  const rank = ({ id, what }: Observation): number => {
    const at = Object.keys(profileRows[id].points ?? {}).indexOf(what);
    return ids.indexOf(id) * 10_000 + (at === -1 ? 9999 : at);
  };
  return observations.toSorted((a, b) => rank(a) - rank(b));
}

function followed({ id, what, saw }: Observation, given: Given): Follow {
  const point = pointOf(id, what);
  if (point === undefined) return { cannot: 'this version of assay does not know that point' };
  if (saw === (point.ownWith?.(given) ?? point.own)) return { ...(point.ownChoices && { choices: point.ownChoices }) };
  return point.follow(saw, given) ?? { cannot: `the mock knows other words: ${point.allowed}` };
}

const SEEN_OTHERWISE: Follow = { cannot: 'it was seen otherwise, too, and that is followed' };

/** By the path of the choice, as `metrics cuts weekly`. */
type Chosen = Map<string, unknown>;

/** Two observations of one target that ask for different choices: the one that comes first in the table is followed. */
function contradiction(chosen: Chosen, choices: ChoicesPart): string | undefined {
  const other = leaves(choices).find(
    ([path, value]) => chosen.has(path) && JSON.stringify(chosen.get(path)) !== JSON.stringify(value),
  );
  return other && `it contradicts another observation, which is followed (${other[0]})`;
}

/** The choices in it by their paths; a list and a cut are one choice each. */
function leaves(part: object, above: readonly string[] = []): [string, unknown][] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    const path = [...above, name];
    const isOne = typeof value !== 'object' || value === null || Array.isArray(value) || above.at(-1) === 'cuts';
    return isOne ? [[path.join(' / '), value]] : leaves(value, path);
  });
}

function chosenOf(chosen: Chosen): Choices {
  const choices = structuredClone(defaultChoices);
  for (const [path, value] of chosen) {
    const names = path.split(' / ');
    const last = names.pop() ?? '';
    const home = names.reduce(
      (inner, name) => inner[name] as Record<string, unknown>,
      choices as unknown as Record<string, unknown>,
    );
    home[last] = value;
  }
  return choices;
}
