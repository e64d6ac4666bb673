import { expect, test } from 'vitest';
import { headerNames } from './brand.ts';
import { documentText } from './documents.ts';
import { surfaces } from './openapi-document.ts';

test('header names contain the brand Svc by default', () => {
  expect(headerNames()).toEqual({
    authorization: 'X-Svc-Authorization',
    workspace: 'X-Svc-Workspace',
    threadId: 'X-Svc-Thread-Id',
    version: 'Svc-Version',
  });
});

test.each(['', '1a', 'a b', 'a:b', 'é', '-a', 'a-b'])('the brand %j is rejected', (brand) => {
  expect(() => headerNames(brand)).toThrow(`Brand "${brand}" is not allowed`);
});

test.each(surfaces)('the header names of the %s document contain the brand', (surface) => {
  const text = documentText(surface, 'Acme');
  expect(text).toContain('X-Acme-Authorization');
  expect(text).not.toContain('Svc');
});

test.each(surfaces)('no placeholder is left in the %s document', (surface) => {
  expect(documentText(surface)).not.toContain('{brand}');
});
