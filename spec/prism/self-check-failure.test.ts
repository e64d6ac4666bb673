import { expect, test } from 'vitest';
import { documentText } from '../documents.ts';
import { readByPrism } from './reader.ts';
import { describeSelfCheckFailure } from './self-check-failure.ts';

test('a validator that rejects every invalid response passes', async () => {
  expect(describeSelfCheckFailure((await readByPrism()).canaries)).toBeUndefined();
});

test('a validator that validates nothing, as Prism does with another dialect, fails', async () => {
  const dialect = 'https://spec.openapis.org/oas/3.1/dialect/base';
  const { canaries } = await readByPrism('Svc', (surface) =>
    documentText(surface).replaceAll('https://json-schema.org/draft/2020-12/schema', dialect),
  );
  expect(describeSelfCheckFailure(canaries)).toMatch(
    /^Prism accepted (\d+) of \1 invalid responses, so its findings are not reliable\. \w+/,
  );
});

test('a self-check without invalid responses fails', () => {
  expect(describeSelfCheckFailure({ sent: 0, caught: 0, missed: [], nothingToSay: [] })).toContain(
    'no invalid response',
  );
});
