import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operations } from '../../../spec/operations.ts';
import { successFindings } from './response-findings.ts';
import { openMock, type OpenMock } from './open-mock.ts';
import { documentedValues } from './documented-values.ts';
import { validRequests, type ValidRequest } from './valid-requests.ts';

let opened: OpenMock;
beforeAll(async () => {
  opened = await openMock();
});
afterAll(() => opened.close());
beforeEach(() => opened.reset());

test.each(operations.map(({ id }) => id))('%s responds to a valid request as documented', async (id) => {
  const [firstDocumented] = documentedValues(id).successes.keys();
  const { status = firstDocumented }: ValidRequest = validRequests[id];
  const response = await opened.sendValid(id);
  expect(successFindings(response, id)).toEqual([]);
  expect(response.status).toBe(status);
  expect(await opened.last()).toMatchObject({ operation: id, status });
});
