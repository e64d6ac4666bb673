import { expect, test } from 'vitest';
import type { Context } from '../pipeline/context.ts';
import { all, always, any, not, whenQuery } from './conditions.ts';
import type { Effect } from './deviation.ts';
import { across, deviationsOf, merged } from './table.ts';

const RULE = 'vpcs.create.answers-resource';
const drop: Effect = {
  kind: 'drop request',
  wrap: (app, applies) => async (ctx) => {
    if (!applies(ctx)) await app(ctx);
  },
};
const limited = whenQuery('with a limit', (query) => query.has('limit'));
const paged = whenQuery('on a later page', (query) => query.has('cursor'));
const context = (querystring: string) => ({ querystring }) as Context;

/** Those of these queries that get to the app. */
async function passing(deviation: { wrap: Effect['wrap'] } | undefined, ...queries: readonly string[]) {
  const calls: string[] = [];
  const app = deviation!.wrap(
    async ({ querystring }) => void calls.push(querystring),
    () => true,
  );
  for (const query of queries) await app(context(query));
  return calls;
}

test('the first row has the id of its rule, the others have their sentence', () => {
  const deviations = deviationsOf({ [RULE]: { 'drops it': drop, "drops every VPC's limit": [limited, drop] } });
  expect(deviations).toMatchObject({
    [RULE]: { what: 'Drops it', effect: 'drop request', condition: 'always' },
    [`${RULE}/drops-every-vpc-s-limit`]: { what: "Drops every VPC's limit", condition: 'with a limit' },
  });
});

test('an effect applies only if its condition holds', async () => {
  const [deviation] = Object.values(deviationsOf({ [RULE]: { 'drops requests with a limit': [limited, drop] } }));
  expect(await passing(deviation, 'limit=1', 'cursor=a')).toEqual(['cursor=a']);
});

test('conditions combine, and so do their names', () => {
  const combined = all(any(limited, paged), not(limited));
  expect(combined.name).toBe('with a limit or on a later page and not with a limit');
  expect(['limit=1', 'cursor=a', ''].map((query) => combined.holds(context(query)))).toEqual([false, true, false]);
});

test('a fault across conditions has one row for each, besides its own condition', async () => {
  const deviations = deviationsOf({
    [RULE]: across([always, paged], { 'drops it': drop, 'drops limits': [limited, drop] }),
  });
  expect(Object.values(deviations).map((deviation) => deviation?.what)).toEqual([
    'Drops it',
    'Drops it on a later page',
    'Drops limits',
    'Drops limits on a later page',
  ]);
  const last = Object.values(deviations).at(-1);
  expect(await passing(last, 'limit=1', 'cursor=a', 'limit=1&cursor=a')).toEqual(['limit=1', 'cursor=a']);
});

test('a rule may have rows in several tables, but none twice', () => {
  const tables = [{ [RULE]: { 'drops one': drop } }, { [RULE]: { 'drops two': drop } }];
  expect(merged(...tables)).toEqual({ [RULE]: { 'drops one': drop, 'drops two': drop } });
  expect(() => merged(...tables, ...tables)).toThrow('"drops one" of vpcs.create.answers-resource is given twice.');
  expect(() => deviationsOf({ [RULE]: { a: drop, 'b?': drop, 'b!': drop } })).toThrow('/b.');
});

test('a rule that does not exist does not compile', () => {
  // @ts-expect-error There is no such rule.
  expect(deviationsOf({ 'vpcs.create.no-such-rule': {} })).toEqual({});
});
