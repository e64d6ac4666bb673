import { expect, test } from 'vitest';
import { runLabelIn, withRunLabel } from './run-label.ts';

test.each([
  [{ metadata: { name: 'a' } }, { 'assay-run': 'r1' }],
  [{ metadata: { name: 'a', labels: { b: 'c' } } }, { b: 'c', 'assay-run': 'r1' }],
])('%j gets the run label in addition to its labels', (body, labels) => {
  expect(withRunLabel({ body }, 'r1').body).toEqual({ metadata: { name: 'a', labels } });
});

test.each([undefined, 'text', {}, { metadata: [] }, { metadata: { labels: null } }, { metadata: { labels: ['a'] } }])(
  'the invalid body %j is unchanged',
  (body) => {
    expect(withRunLabel({ body }, 'r1').body).toEqual(body);
  },
);

test('the label contains the run id', () => {
  expect(runLabelIn({ labels: { 'assay-run': 'r1' } })).toBe('r1');
  expect([runLabelIn({}), runLabelIn({ labels: null }), runLabelIn({ labels: {} })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
