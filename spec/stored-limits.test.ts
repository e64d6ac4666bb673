import { expect, test } from 'vitest';
import { withStoredLimits } from './stored-limits.ts';

test.each([
  ['stricter', { maxLength: 40 }, { maxLength: 63 }, { maxLength: 63 }],
  ['looser', { maxLength: 200, minLength: 0 }, { maxLength: 63, minLength: 1 }, { maxLength: 200, minLength: 0 }],
  ['new', { maximum: 5 }, {}, {}],
  ['gone', {}, { maximum: 5 }, {}],
])('a limit that is %s in the later version', (_, later, earliest, expected) => {
  const inMember = (schema: object) => ({ type: 'object', properties: { a: { type: 'string', ...schema } } });
  expect(withStoredLimits({ ...later, type: 'string' }, earliest)).toEqual({ ...expected, type: 'string' });
  expect(withStoredLimits(inMember(later), inMember(earliest))).toEqual(inMember(expected));
});

test('a member with another name has the limits of the one that it was', () => {
  const later = { properties: { title: { maxLength: 10, 'x-earliest-name': 'displayName' } } };
  const earliest = { properties: { displayName: { maxLength: 63 } } };
  expect(withStoredLimits(later, earliest).properties?.['title']).toHaveProperty('maxLength', 63);
});
