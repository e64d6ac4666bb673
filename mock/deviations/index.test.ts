import { expect, test } from 'vitest';
import { deviation, deviationIds, requirementOf } from './index.ts';

test('the sentences of one rule differ', () => {
  const sentences = deviationIds.map((id) => `${requirementOf(id)}: ${deviation(id).what}`);
  expect(sentences.filter((each, index) => sentences.indexOf(each) !== index)).toEqual([]);
});
