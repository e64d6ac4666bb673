import { expect, test } from 'vitest';
import type { MustId } from '../../spec/requirements/index.ts';
import { judgeExchanges } from '../testing/judge-exchanges.ts';
import { collectCases } from '../engine/collect-cases.ts';

// Loads the suite files of these rules.
await collectCases([
  'naming.display-name.up-to-63-accepted',
  'naming.labels.string-values',
  'naming.name.valid-accepted',
]);

const created = (rule: MustId, metadata: object, status = 200, received: object = metadata): string => {
  const exchange = { method: 'POST', url: '/vpcs', sent: { metadata, spec: {} }, status };
  return judgeExchanges(rule, [{ ...exchange, received: { metadata: received, spec: {} } }])[0]!;
};

test.each([
  ['naming.name.at-most-49', { name: 'a'.repeat(50) }, 200, 'breaks'],
  ['naming.name.at-most-49', { name: 'a'.repeat(50) }, 422, 'keeps'],
  ['naming.name.at-most-49', { name: 'a'.repeat(50) }, 307, 'says nothing'],
  ['naming.name.at-most-49', { name: 'a'.repeat(49) }, 400, 'says nothing'],
  ['naming.name.other-characters-rejected', { name: 'a_b' }, 200, 'breaks'],
  ['naming.name.other-characters-rejected', { name: 'a-b' }, 200, 'says nothing'],
  ['naming.name.required', { name: '' }, 200, 'breaks'],
  ['naming.name.valid-accepted', { name: 'a-b' }, 400, 'says nothing'],
  ['naming.display-name.over-63-rejected', { name: 'a', displayName: 'x'.repeat(64) }, 200, 'breaks'],
  ['naming.display-name.over-63-rejected', { name: 'a', displayName: 'é'.repeat(64) }, 200, 'says nothing'],
  ['naming.display-name.over-63-rejected', { name: 'a', displayName: 'x'.padEnd(64) }, 200, 'says nothing'],
  ['naming.labels.string-values', { name: 'a', labels: { count: 1 } }, 200, 'breaks'],
  ['naming.labels.string-values', { name: 'a', labels: null }, 200, 'says nothing'],
] as const)('%s: a create with %j and status %s', (rule, metadata, status, expected) => {
  expect(created(rule, metadata, status)).toBe(expected);
});

test.each([
  ['from before', { displayName: 'One', createdAt: new Date(Date.now() - 3_600_000).toISOString() }, 'says nothing'],
  ['of another client', { displayName: 'Two', createdAt: new Date(Date.now() + 60_000).toISOString() }, 'says nothing'],
  ['created now', { displayName: 'One', createdAt: new Date(Date.now() + 60_000).toISOString() }, 'breaks'],
])('a create may return the first resource of its name, with its own labels: one %s', (_, received, expected) => {
  const sent = { name: 'a', displayName: 'One', labels: { team: 'b' } };
  expect(created('naming.labels.string-values', sent, 200, { name: 'a', labels: { team: 'c' }, ...received })).toBe(
    expected,
  );
});
