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
  /** Examples that detect any deviation, by index. */
  readonly killing: readonly number[];
  readonly requests: number;
}

/** `baseline`: the survey of a conforming mock. */
export function curveOf(baseline: Verdicts, deviations: readonly SurveyedDeviation[]): RuleCurve[] {
  const byRule = Map.groupBy(deviations, ({ deviation }) => requirementOf(deviation));
  const surveys = [...byRule].map(([rule, ofRule]) => ruleSurvey(rule, baseline[rule], ofRule));
  const fixedReads = Object.values(baseline).flatMap((ofRule) => ofRule.fixedReads ?? []);
  const picks = pickExamples(
    surveys.map(({ examples }) => examples),
    fixedReads,
  );
  return surveys.map(({ curve }, index) => ({ ...curve, picks: picks[index]! }));
}

interface RuleSurvey {
  readonly curve: Omit<RuleCurve, 'picks'>;
  readonly examples: Examples;
}

function ruleSurvey(
  rule: string,
  baseline: Surveyed | undefined,
  deviations: readonly SurveyedDeviation[],
): RuleSurvey {
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
  const curve = {
    rule,
    fixedRequests: Math.max(0, requests - inProperties),
    requests,
    fixedKills,
    generatedKills: rest.filter(isGenerated).map(({ deviation }) => deviation),
    survivors: rest.filter((each) => !isGenerated(each)).map(({ deviation }) => deviation),
    properties: [...costs].map(([property, { examples, requests: ofProperty }]) => ({
      property,
      examples,
      killing: killingExamples(property, killers),
      requests: ofProperty,
    })),
  };
  return { curve, examples: { undetected, killers, costs: examplesIn(rows) } };
}

function killingExamples(property: number, killers: Examples['killers']): number[] {
  const keys = new Set([...killers.values()].flatMap((each) => [...each]));
  return [...keys].filter((key) => propertyOf(key) === property).map(exampleOf);
}

const keyOf = (property: number, example: number): string => `${property}:${example}`;
const propertyOf = (key: string): number => Number(key.split(':', 1)[0]);
const exampleOf = (key: string): number => Number(key.split(':')[1]);

interface PropertyCost {
  /** How many examples the property has. */
  readonly examples: number;
  readonly requests: number;
}

function requestsByProperty(rows: readonly SurveyRow[]): ReadonlyMap<number, PropertyCost> {
  const costs = new Map<number, PropertyCost>();
  for (const [property, ofProperty] of Map.groupBy(rows, ([number]) => number)) {
    const reads = new Set(ofProperty.flatMap(([, , , , read = []]) => read));
    const requests = ofProperty.reduce((sum, [, , , own]) => sum + own, reads.size);
    const examples = new Set(ofProperty.map(([, example]) => example).filter((example) => example >= 0)).size;
    costs.set(property, { examples, requests });
  }
  return costs;
}

/** What an example sends: requests of its own, and reads that it shares with other examples. */
interface ExampleCost {
  readonly requests: number;
  readonly reads: readonly number[];
}

const examplesIn = (rows: readonly SurveyRow[]): ReadonlyMap<string, ExampleCost> =>
  new Map(rows.map(([property, example, , requests, reads = []]) => [keyOf(property, example), { requests, reads }]));

/** The examples of a rule, by key. */
interface Examples {
  /** Deviations that any example detects. */
  readonly undetected: ReadonlySet<string>;
  /** The examples that detect each deviation. */
  readonly killers: ReadonlyMap<string, ReadonlySet<string>>;
  readonly costs: ReadonlyMap<string, ExampleCost>;
}

/**
 * By rule: in each step the example that detects most of the remaining deviations per request. A read that is sent in every
 * round, or that an earlier pick of any rule has sent, costs nothing.
 */
function pickExamples(rules: readonly Examples[], fixedReads: readonly number[]): ChosenExample[][] {
  const sent = new Set(fixedReads);
  const remaining = rules.map(({ undetected, killers, costs }) => ({
    kills: killsByExample(undetected, killers),
    costs,
    picks: [] as ChosenExample[],
  }));
  for (;;) {
    const candidates = remaining.flatMap((rule) => {
      const best = bestExample(rule.kills, rule.costs, sent);
      return best === undefined ? [] : [{ rule, ...best }];
    });
    const [next] = candidates.toSorted((one, other) => gainOf(other) - gainOf(one));
    if (next === undefined) return remaining.map(({ picks }) => picks);
    const { rule, key, kills, requests } = next;
    rule.picks.push({ property: propertyOf(key), example: exampleOf(key), kills, requests });
    for (const read of rule.costs.get(key)?.reads ?? []) sent.add(read);
    removeKilled(rule.kills, kills);
  }
}

/** Deletes examples that detect no other deviation. */
function removeKilled(kills: Map<string, readonly string[]>, killed: readonly string[]): void {
  for (const [example, ids] of kills) {
    const remaining = ids.filter((id) => !killed.includes(id));
    if (remaining.length === 0) kills.delete(example);
    else kills.set(example, remaining);
  }
}

function killsByExample(
  undetected: ReadonlySet<string>,
  killers: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, readonly string[]> {
  const kills = new Map<string, readonly string[]>();
  for (const id of undetected) for (const key of killers.get(id) ?? []) kills.set(key, [...(kills.get(key) ?? []), id]);
  return kills;
}

/** An example that needs only reads that were already sent. */
const MIN_REQUESTS = 0.1;

function bestExample(
  kills: ReadonlyMap<string, readonly string[]>,
  costs: ReadonlyMap<string, ExampleCost>,
  sent: ReadonlySet<number>,
) {
  const candidates = [...kills].map(([key, ids]) => {
    const { requests = 1, reads = [] } = costs.get(key) ?? {};
    const newReads = reads.filter((read) => !sent.has(read)).length;
    return { key, kills: ids, requests: Math.max(MIN_REQUESTS, requests + newReads) };
  });
  return candidates.toSorted((one, other) => gainOf(other) - gainOf(one) || compareKeys(one.key, other.key))[0];
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

const gainOf = ({ kills, requests }: Pick<ChosenExample, 'kills' | 'requests'>): number => kills.length / requests;

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
    ...describeUseless(uselessExamples(curves)),
    '',
    'They are not always sent: a run fills the rest of its inputs with them, drawn by the seed if there are more',
    '(suites/engine/choose-inputs.ts).',
    '',
  ].join('\n');
}

const deviationsOf = ({ picks, fixedKills, generatedKills, survivors }: RuleCurve): number =>
  picks.reduce((sum, { kills }) => sum + kills.length, fixedKills.length + generatedKills.length + survivors.length);

const listOf = (ids: readonly string[]): string => (ids.length === 0 ? '.' : `: ${ids.join(', ')}.`);

/** The examples of a property that detect no deviation. */
export interface UselessExamples {
  readonly rule: string;
  readonly property: number;
  /** How many examples the property has. */
  readonly examples: number;
  /** Indices, in ascending order. */
  readonly useless: readonly number[];
  /** An estimate: their share of the requests of the property. */
  readonly requests: number;
}

/** Of all properties that have any, by requests, descending. */
export const uselessExamples = (curves: readonly RuleCurve[]): UselessExamples[] =>
  curves
    .flatMap((curve) => curve.properties.map((use) => uselessOf(curve, use)))
    .filter(({ useless }) => useless.length > 0)
    .toSorted((one, other) => other.requests - one.requests);

function uselessOf({ rule, picks }: RuleCurve, { property, examples, killing, requests }: PropertyUse) {
  // What an example does may be detected only after the property: then it is a pick, without failing itself.
  const picked = picks.filter((pick) => pick.property === property).map(({ example }) => example);
  const useful = new Set([...killing, ...picked]);
  const useless = Array.from({ length: examples }, (_, index) => index).filter((index) => !useful.has(index));
  return { rule, property, examples, useless, requests: Math.round((requests * useless.length) / (examples || 1)) };
}

const MAX_LISTED = 40;
const MAX_INDICES = 12;

function describeUseless(all: readonly UselessExamples[]): string[] {
  const lines = all.slice(0, MAX_LISTED).map(({ rule, property, examples, useless, requests }) => {
    const indices = useless.slice(0, MAX_INDICES).join(' ') + (useless.length > MAX_INDICES ? ' …' : '');
    return `${String(requests).padStart(8)}  ${rule}, property ${property}: ${useless.length} of ${examples} examples (${indices})`;
  });
  const [rest, count] = [all.slice(MAX_LISTED), all.reduce((sum, { useless }) => sum + useless.length, 0)];
  if (rest.length > 0) lines.push(`${' '.repeat(10)}and ${rest.length} more properties: --out FILE writes all`);
  return [...lines, `${' '.repeat(10)}${count} examples of ${all.length} properties in all`];
}
