/** Which inputs of the suites detect deviations, computed from a survey: `npm run teeth -- --curve`. */
import { requirementOf } from '../../mock/deviations/index.ts';
import type { InformativeTable } from '../../suites/engine/informative-inputs.ts';
import type { SurveyRow, Verdicts } from './teeth-verdict.ts';

type Surveyed = Verdicts[string];

/** The survey of a deviation by the case of its rule. */
export interface SurveyedDeviation {
  readonly deviation: string;
  readonly result: Surveyed;
}

export interface ChosenExample {
  readonly property: number;
  readonly example: number;
  /** Deviations that it detects, and no earlier pick of the rule. */
  readonly kills: readonly string[];
  readonly requests: number;
}

export interface RuleCurve {
  readonly rule: string;
  /** Requests outside of properties: sent in every round. */
  readonly fixedRequests: number;
  /** Requests of the whole case, with all examples. */
  readonly requests: number;
  /** Detected by requests outside of properties. */
  readonly fixedKills: readonly string[];
  /** Examples that detect a deviation, the most informative ones first. */
  readonly picks: readonly ChosenExample[];
  /** Detected only by generated inputs. */
  readonly generatedKills: readonly string[];
  readonly survivors: readonly string[];
  readonly properties: readonly PropertyUse[];
}

export interface PropertyUse {
  readonly property: number;
  readonly examples: number;
  /** Examples that detect any deviation. */
  readonly killing: number;
  readonly requests: number;
}

/** `baseline`: the survey of a conforming mock. */
export function curveOf(baseline: Verdicts, deviations: readonly SurveyedDeviation[]): RuleCurve[] {
  const byRule = Map.groupBy(deviations, ({ deviation }) => requirementOf(deviation));
  return [...byRule].map(([rule, ofRule]) => ruleCurve(rule, baseline[rule], ofRule));
}

function ruleCurve(rule: string, baseline: Surveyed | undefined, deviations: readonly SurveyedDeviation[]): RuleCurve {
  const rows = baseline?.surveyed ?? [];
  const costs = requestsByProperty(rows);
  const failingIn = ({ result }: SurveyedDeviation) =>
    (result.surveyed ?? []).filter(([, , isFailing]) => isFailing === 1);
  const killers = new Map(
    deviations.map((each) => [
      each.deviation,
      new Set(failingIn(each).flatMap(([property, example]) => (example < 0 ? [] : [keyOf(property, example)]))),
    ]),
  );
  const undetected = new Set([...killers].flatMap(([id, keys]) => (keys.size === 0 ? [] : [id])));
  const others = deviations.filter(({ deviation }) => !undetected.has(deviation));
  // An example that detects a deviation may also change what is checked after it.
  const isFixed = ({ result }: SurveyedDeviation): boolean => result.verdict === 'failed' && result.reason !== '';
  const fixedKills = others.filter((each) => isFixed(each)).map(({ deviation }) => deviation);
  const rest = others.filter((each) => !isFixed(each));
  const isGenerated = (each: SurveyedDeviation): boolean => failingIn(each).length > 0;
  const inProperties = [...costs.values()].reduce((sum, { requests }) => sum + requests, 0);
  const requests = baseline?.exchanges ?? 0;
  return {
    rule,
    fixedRequests: requests - inProperties,
    requests,
    fixedKills,
    picks: pickGreedily(undetected, killers, costs),
    generatedKills: rest.filter(isGenerated).map(({ deviation }) => deviation),
    survivors: rest.filter((each) => !isGenerated(each)).map(({ deviation }) => deviation),
    properties: [...costs].map(([property, { examples, requests: ofProperty }]) => ({
      property,
      examples: examples.size,
      killing: new Set([...killers.values()].flatMap((keys) => [...keys]).filter((key) => propertyOf(key) === property))
        .size,
      requests: ofProperty,
    })),
  };
}

const keyOf = (property: number, example: number): string => `${property}:${example}`;
const propertyOf = (key: string): number => Number(key.split(':', 1)[0]);
const exampleOf = (key: string): number => Number(key.split(':')[1]);

interface Cost {
  /** The requests of each example. */
  readonly examples: ReadonlyMap<number, number>;
  readonly requests: number;
}

function requestsByProperty(rows: readonly SurveyRow[]): ReadonlyMap<number, Cost> {
  const costs = new Map<number, Cost>();
  for (const [property, ofProperty] of Map.groupBy(rows, ([number]) => number)) {
    const requests = ofProperty.reduce((sum, row) => sum + row[3], 0);
    const ofExamples = ofProperty.map((row) => [row[1], row[3]] as const);
    costs.set(property, { examples: new Map(ofExamples.filter(([example]) => example >= 0)), requests });
  }
  return costs;
}

/** In each step the example that detects most of the remaining deviations per request. */
function pickGreedily(
  undetected: ReadonlySet<string>,
  killers: ReadonlyMap<string, ReadonlySet<string>>,
  costs: ReadonlyMap<number, Cost>,
): ChosenExample[] {
  const picks: ChosenExample[] = [];
  const remaining = new Set(undetected);
  // A response from the cache counts as a request: in a shorter run, this input may be the one that sends it.
  const costOf = (key: string): number => Math.max(1, costs.get(propertyOf(key))?.examples.get(exampleOf(key)) ?? 1);
  while (remaining.size > 0) {
    const kills = new Map<string, string[]>();
    for (const id of remaining)
      for (const key of killers.get(id) ?? []) kills.set(key, [...(kills.get(key) ?? []), id]);
    const [best] = [...kills].toSorted(
      ([a, ofA], [b, ofB]) => ofB.length / costOf(b) - ofA.length / costOf(a) || compareKeys(a, b),
    );
    if (best === undefined) break;
    const [key, ids] = best;
    for (const id of ids) remaining.delete(id);
    const [property = 0, example = 0] = key.split(':').map(Number);
    picks.push({ property, example, kills: ids, requests: costOf(key) });
  }
  return picks;
}

function compareKeys(one: string, other: string): number {
  const [a, b] = [one, other].map((key) => key.split(':').map(Number));
  return (a?.[0] ?? 0) - (b?.[0] ?? 0) || (a?.[1] ?? 0) - (b?.[1] ?? 0);
}

/** Replaces what is known of the surveyed rules, sorted by rule. */
export function mergeTables(known: InformativeTable, surveyed: readonly RuleCurve[]): InformativeTable {
  const merged = { ...known, ...Object.fromEntries(surveyed.map((curve) => [curve.rule, tableOf(curve)])) };
  return Object.fromEntries(
    Object.entries(merged)
      .filter(([, ofRule]) => Object.keys(ofRule).length > 0)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** Deviations per request: examples that detect fewer belong to the second round. */
const MIN_GAIN = 3 / 10;

function tableOf({ picks, fixedKills, properties }: RuleCurve): InformativeTable[string] {
  // The first round of every rule detects something.
  const isNeeded = (pick: ChosenExample): boolean => fixedKills.length === 0 && pick === picks[0];
  const isFirst = (pick: ChosenExample): boolean => isNeeded(pick) || gainOf(pick) >= MIN_GAIN;
  const examplesOf = (number: number, inFirst: boolean): number[] =>
    picks.filter((pick) => pick.property === number && isFirst(pick) === inFirst).map(({ example }) => example);
  return Object.fromEntries(
    properties.map(({ property, examples }) => [
      String(property),
      [examplesOf(property, true), examplesOf(property, false), examples],
    ]),
  );
}

const gainOf = ({ kills, requests }: ChosenExample): number => kills.length / requests;

const STEPS = [500, 1000, 2000, 5000, 10_000, 20_000];

/** How many deviations are detected after so many requests, if each rule sends its fixed requests first and then its picks. */
export function describeCurve(curves: readonly RuleCurve[]): string {
  const total = curves.reduce((sum, curve) => sum + deviationsOf(curve), 0);
  const first = curves.map(({ fixedRequests, fixedKills }) => ({ requests: fixedRequests, kills: fixedKills.length }));
  const later = curves
    .flatMap(({ picks }) => picks)
    .toSorted((one, other) => gainOf(other) - gainOf(one))
    .map(({ requests, kills }) => ({ requests, kills: kills.length }));
  let [requests, kills] = [0, 0];
  const after = new Map(STEPS.map((step) => [step, 0]));
  for (const each of [...first, ...later]) {
    requests += each.requests;
    kills += each.kills;
    for (const step of STEPS) if (requests <= step) after.set(step, kills);
  }
  const generated = curves.flatMap(({ generatedKills }) => generatedKills);
  const survivors = curves.flatMap((curve) => curve.survivors);
  return [
    'requests  deviations detected',
    ...[...after].map(([step, count]) => `${String(step).padStart(8)}  ${count} of ${total}`),
    '',
    `Examples and fixed requests detect ${kills} with ${Math.ceil(requests)} requests.`,
    `Only generated inputs detect ${generated.length}${listOf(generated)}`,
    `Nothing detects ${survivors.length}${listOf(survivors)}`,
    '',
    'requests of examples that detect nothing, by property',
    ...requestsWithoutKills(curves).map(({ label, requests: count }) => `${String(count).padStart(8)}  ${label}`),
    '',
  ].join('\n');
}

const deviationsOf = ({ picks, fixedKills, generatedKills, survivors }: RuleCurve): number =>
  picks.reduce((sum, { kills }) => sum + kills.length, fixedKills.length + generatedKills.length + survivors.length);

const listOf = (ids: readonly string[]): string => (ids.length === 0 ? '.' : `: ${ids.join(', ')}.`);

const MAX_LISTED = 40;

function requestsWithoutKills(curves: readonly RuleCurve[]) {
  return curves
    .flatMap(({ rule, properties }) =>
      properties.map(({ property, examples, killing, requests }) => ({
        label: `${rule}, property ${property}: ${examples - killing} of ${examples} examples`,
        requests: examples === 0 ? 0 : Math.round((requests * (examples - killing)) / examples),
      })),
    )
    .toSorted((one, other) => other.requests - one.requests)
    .slice(0, MAX_LISTED);
}
