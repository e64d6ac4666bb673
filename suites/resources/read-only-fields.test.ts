import { expect, test } from 'vitest';
import { exampleVariants, ownValue, ownValues, readOnlyFields } from './read-only-fields.ts';
import { schemaFindings } from '../../spec/validators.ts';

const documented = [
  ...['createdAt', 'updatedAt', 'createdBy', 'updatedBy', 'plan', 'url', 'workspace'].map((name) => ['metadata', name]),
  ...['status', 'events'].map((name) => ['resource', name]),
];

test.each(['updateAgent', 'createVpc', 'createIntegrationConnection', 'createFunction'] as const)(
  'the read-only fields of %s are those of the interface',
  (id) => {
    expect(readOnlyFields(id).map(({ within, name }) => [within, name])).toEqual(documented);
  },
);

test('what a client sends for them is of their own type', () => {
  const sent = ownValues(exampleVariants[0]!, 'mark', new Set());
  const of = (within: string) =>
    Object.fromEntries(documented.filter(([at]) => at === within).map(([, name = '']) => [name, ownValue(name, sent)]));
  const resource = { metadata: { name: 'a', ...of('metadata') }, spec: {}, ...of('resource') };
  expect(schemaFindings('management', 'Vpc', resource)).toEqual([]);
});

test.each(exampleVariants)('no other write sends the instant of $instant', (variant) => {
  const instants = Array.from({ length: 100 }, (_, index) => ownValues(variant, `mark-${index}`, new Set()).instant);
  expect(new Set(instants).size).toBe(100);
  const years = instants.map((instant) => Number(instant.slice(0, 4)));
  const [min, max] = variant.instant === 'future' ? [2091, 2098] : [2001, 2010];
  expect(years.every((year) => year >= min && year <= max)).toBe(true);
});

test.each(exampleVariants)('the status $status is only sent if the resource did not have it', (variant) => {
  const { status } = variant;
  expect(ownValues(variant, 'mark', new Set(['DEPLOYED', undefined])).status).toBe(status);
  const others = exampleVariants.map((each) => each.status).filter((each) => each !== status);
  expect(others).toContain(ownValues(variant, 'mark', new Set([status])).status);
  expect(ownValues(variant, 'mark', new Set([status, others[0]])).status).toBe(others[1]);
});
