import { expect, test } from 'vitest';
import { inOneOrder } from './request.ts';

test('queries that mean the same are sent as the same text', () => {
  const query = { limit: 5, groupBy: 'resource_type', resolution: undefined, endTime: 'b', startTime: 'a' };
  const same = { startTime: 'a', endTime: 'b', groupBy: 'resource_type', limit: '5' };
  expect(JSON.stringify(inOneOrder(query))).toBe(JSON.stringify(same));
  expect(JSON.stringify(inOneOrder(same))).toBe(JSON.stringify(same));
});

test('the order of dimensions, empty values and undocumented parameters are kept', () => {
  const query = { groupBy: 'workspace,resource_type', label: 'team', resourceName: '' };
  expect(inOneOrder(query)).toEqual(query);
});
