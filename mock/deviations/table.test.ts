import { expect, test } from 'vitest';
import type { Context } from '../pipeline/context.ts';
import { all, any, not, whenQuery } from './conditions.ts';
import { deviationsOf, type Effect } from './table.ts';

const drop: Effect = {
  kind: 'drop request',
  wrap: (app, applies) => async (ctx) => {
    if (!applies(ctx)) await app(ctx);
  },
};
const limited = whenQuery('with a limit', (query) => query.has('limit'));
const paged = whenQuery('on a later page', (query) => query.has('cursor'));
const context = (querystring: string) => ({ querystring }) as Context;

test('a row becomes a deviation with the id of its rule and variant', () => {
  const table = { '': ['Drops every request', drop], limited: ['Drops requests with a limit', limited, drop] } as const;
  const deviations = deviationsOf({ 'vpcs.create.answers-resource': table });
  expect(deviations).toMatchObject({
    'vpcs.create.answers-resource': { what: 'Drops every request', effect: 'drop request', condition: 'always' },
    'vpcs.create.answers-resource/limited': { condition: 'with a limit' },
  });
});

test('an effect applies only if its condition holds', async () => {
  const rows = { '': ['Drops requests with a limit', limited, drop] } as const;
  const [deviation] = Object.values(deviationsOf({ 'vpcs.create.answers-resource': rows }));
  const calls: string[] = [];
  const app = deviation!.wrap(async ({ querystring }) => void calls.push(querystring));
  for (const query of ['limit=1', 'cursor=a']) await app(context(query));
  expect(calls).toEqual(['cursor=a']);
});

test('conditions combine, and so do their names', () => {
  const combined = all(any(limited, paged), not(limited));
  expect(combined.name).toBe('with a limit or on a later page and not with a limit');
  expect(['limit=1', 'cursor=a', ''].map((query) => combined.holds(context(query)))).toEqual([false, true, false]);
});

test('a rule that does not exist does not compile', () => {
  // @ts-expect-error There is no such rule.
  expect(deviationsOf({ 'vpcs.create.no-such-rule': {} })).toEqual({});
});
