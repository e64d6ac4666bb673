import { expect, test } from 'vitest';
import { hidesVersions } from './template.ts';

test.each([
  [{}, true],
  [{ versions: null, state: {} }, true],
  [{ state: { versionCount: 2 } }, true],
  [{ state: { versionCount: 0 } }, false],
  [{ versions: [] }, false],
  [{ versions: [{ name: 'v1' }], state: { versionCount: 1 } }, false],
])('whether %j hides its versions: %s', (template, hides) => {
  expect(hidesVersions(template)).toBe(hides);
});
