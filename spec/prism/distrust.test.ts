import { expect, test } from 'vitest';
import { documentText } from '../documents.ts';
import { readByPrism } from './reader.ts';
import { whyDistrusted } from './distrust.ts';

test('a reader that finds every known-bad answer bad is trusted', async () => {
  expect(whyDistrusted((await readByPrism()).canaries)).toBeUndefined();
});

test('one that validates nothing, as Prism does with another dialect, is not', async () => {
  const dialect = 'https://spec.openapis.org/oas/3.1/dialect/base';
  const { canaries } = await readByPrism('Svc', (surface) =>
    documentText(surface).replaceAll('https://json-schema.org/draft/2020-12/schema', dialect),
  );
  expect(whyDistrusted(canaries)).toMatch(
    /^Prism passed over (\d+) of \1 known-bad answers, so that it proves nothing\. \w+/,
  );
});

test('one that was given none has proved nothing', () => {
  expect(whyDistrusted({ sent: 0, caught: 0, missed: [], nothingToSay: [] })).toContain('no known-bad answer');
});
