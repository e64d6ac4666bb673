import { expect, test } from 'vitest';
import { exampleVariants, ownValue, readOnlyFields } from './read-only-fields.ts';
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
  const of = (within: string) =>
    Object.fromEntries(
      documented
        .filter(([at]) => at === within)
        .map(([, name = '']) => [name, ownValue(name, exampleVariants[0]!, 'mark')]),
    );
  const resource = { metadata: { name: 'a', ...of('metadata') }, spec: {}, ...of('resource') };
  expect(schemaFindings('management', 'Vpc', resource)).toEqual([]);
});
