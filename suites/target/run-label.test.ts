import { expect, test } from 'vitest';
import { runLabelIn, withRunLabel } from './run-label.ts';

test.each([
  [{ metadata: { name: 'a' } }, { 'assay-run': 'r1' }],
  [{ metadata: { name: 'a', labels: { b: 'c' } } }, { b: 'c', 'assay-run': 'r1' }],
])('%j gets the mark beside its labels', (body, labels) => {
  expect(withRunLabel({ body }, 'r1').body).toEqual({ metadata: { name: 'a', labels } });
});

test.each([undefined, 'text', {}, { metadata: [] }, { metadata: { labels: null } }, { metadata: { labels: ['a'] } }])(
  '%j, which is to be refused, goes as it is',
  (body) => {
    expect(withRunLabel({ body }, 'r1').body).toEqual(body);
  },
);

test('the mark says which run it is', () => {
  expect(runLabelIn({ labels: { 'assay-run': 'r1' } })).toBe('r1');
  expect([runLabelIn({}), runLabelIn({ labels: null }), runLabelIn({ labels: {} })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
