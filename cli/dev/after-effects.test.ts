import { expect, test } from 'vitest';
import { withAfterEffects, type OnlyInputs } from './after-effects.ts';
import type { RuleCurve } from './curve.ts';

const RULE = 'metrics.cost.always-there';

const curve: RuleCurve = {
  rule: RULE,
  fixedRequests: 2,
  requests: 12,
  fixedKills: [`${RULE}/fixed`, `${RULE}/after-seven`, `${RULE}/after-picked`],
  picks: [{ property: 1, example: 3, kills: [`${RULE}/a`], requests: 1 }],
  generatedKills: [],
  survivors: [],
  properties: [
    { property: 1, examples: 4, killing: [3], requests: 4 },
    { property: 2, examples: 9, killing: [], requests: 18 },
  ],
};

/** The deviations need an example of the second property, one of the picks, and none. */
const detects = async (deviation: string, _: string, inputs: OnlyInputs): Promise<boolean> => {
  if (deviation.endsWith('after-seven')) return inputs['2']?.includes(7) === true;
  return !deviation.endsWith('after-picked') || inputs['1']?.includes(3) === true;
};

test('an example whose effect is detected only afterwards becomes a pick', async () => {
  const found = await withAfterEffects(curve, detects);
  expect(found.fixedKills).toEqual([`${RULE}/fixed`, `${RULE}/after-picked`]);
  expect(found.picks).toEqual([
    ...curve.picks,
    { property: 2, example: 7, kills: [`${RULE}/after-seven`], requests: 2 },
  ]);
});

test('what no example of one property detects stays with the fixed requests', async () => {
  expect(await withAfterEffects(curve, async () => false)).toEqual(curve);
});
