/** Finds the examples whose effects a case detects only after the property, such as a refused write that took effect. */
import type { ChosenExample, PropertyUse, RuleCurve } from './curve.ts';

/** The examples of each property to test, and no others. */
export type OnlyInputs = Readonly<Record<string, readonly number[]>>;

/** Whether the case of the rule detects the deviation with only these examples. */
export type Detects = (deviation: string, rule: string, inputs: OnlyInputs) => Promise<boolean>;

/** The curve, with these examples among its picks instead of among the fixed requests. */
export async function withAfterEffects(curve: RuleCurve, detects: Detects): Promise<RuleCurve> {
  const found: ChosenExample[] = [];
  for (const deviation of curve.properties.length === 0 ? [] : curve.fixedKills) {
    const pick = await afterEffectOf(deviation, curve, detects);
    if (pick !== undefined) found.push(pick);
  }
  const picks = joinSame([...curve.picks, ...found]);
  const moved = found.flatMap(({ kills }) => kills);
  return { ...curve, picks, fixedKills: curve.fixedKills.filter((deviation) => !moved.includes(deviation)) };
}

/** Undefined if the picks of the curve suffice, or no example of one property does. */
async function afterEffectOf(
  deviation: string,
  { rule, picks, properties }: RuleCurve,
  detects: Detects,
): Promise<ChosenExample | undefined> {
  const picked = inputsOf(picks);
  if (await detects(deviation, rule, picked)) return undefined;
  for (const use of properties) {
    const { property, requests, examples: count } = use;
    const example = await smallest(use, (examples) =>
      detects(deviation, rule, { ...picked, [property]: [...(picked[property] ?? []), ...examples] }),
    );
    if (example !== undefined)
      return { property, example, kills: [deviation], requests: Math.max(1, Math.round(requests / count)) };
  }
  return undefined;
}

/** Halves the examples of a property until one is left. */
async function smallest(
  { examples: count }: PropertyUse,
  suffice: (examples: readonly number[]) => Promise<boolean>,
): Promise<number | undefined> {
  let examples = Array.from({ length: count }, (_, index) => index);
  if (!(await suffice(examples))) return undefined;
  while (examples.length > 1) {
    const half = examples.slice(0, examples.length / 2);
    examples = (await suffice(half)) ? half : examples.slice(half.length);
  }
  return examples[0];
}

const inputsOf = (picks: readonly ChosenExample[]): OnlyInputs =>
  Object.fromEntries(
    [...Map.groupBy(picks, ({ property }) => property)].map(([property, ofProperty]) => [
      String(property),
      ofProperty.map(({ example }) => example),
    ]),
  );

/** One pick per example. */
const joinSame = (picks: readonly ChosenExample[]): ChosenExample[] =>
  [...Map.groupBy(picks, ({ property, example }) => `${property}:${example}`).values()].map((same) => ({
    ...same[0]!,
    kills: same.flatMap(({ kills }) => kills),
  }));
