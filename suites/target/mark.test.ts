import { expect, test } from 'vitest';
import { markIn, withMark } from './mark.ts';

test.each([
  [{ metadata: { name: 'a' } }, { 'assay-run': 'r1' }],
  [{ metadata: { name: 'a', labels: { b: 'c' } } }, { b: 'c', 'assay-run': 'r1' }],
])('%j gets the mark beside its labels', (body, labels) => {
  expect(withMark({ body }, 'r1').body).toEqual({ metadata: { name: 'a', labels } });
});

test.each([undefined, 'text', {}, { metadata: [] }, { metadata: { labels: null } }, { metadata: { labels: ['a'] } }])(
  '%j, which is to be refused, goes as it is',
  (body) => {
    expect(withMark({ body }, 'r1').body).toEqual(body);
  },
);

test('the mark says which run it is', () => {
  expect(markIn({ labels: { 'assay-run': 'r1' } })).toBe('r1');
  expect([markIn({}), markIn({ labels: null }), markIn({ labels: {} })]).toEqual([undefined, undefined, undefined]);
});
