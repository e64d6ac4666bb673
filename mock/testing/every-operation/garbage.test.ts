import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { operation, operations, type OperationId } from '../../../spec/operations.ts';
import { garbageFindings } from './response-findings.ts';
import type { OperationResponse } from './request-types.ts';
import { openMock, type OpenMock } from './open-mock.ts';
import { requestTo } from './operation-request.ts';
import { invalidChanges } from './invalid-request.ts';

let opened: OpenMock;
beforeAll(async () => {
  opened = await openMock();
});
afterAll(() => opened.close());
afterEach(() => opened.requireHealthy());

function invalidChangesTo(id: OperationId) {
  const { admin, apiKey, scoped, ...others } = opened.mock.target.credentials;
  const narrow = Object.values({ ...others, ...scoped }).map(({ value }) => value);
  return invalidChanges(id, requestTo(id, admin.value), narrow);
}

/** The operation that reads what another one writes: the GET of the same path. */
function readerOf(id: OperationId): OperationId | undefined {
  const { surface, path, method } = operation(id);
  if (method === 'GET') return undefined;
  return operations.find((each) => each.method === 'GET' && each.surface === surface && each.path === path)?.id;
}

const findingsOf = (response: OperationResponse, id: OperationId) =>
  garbageFindings(response, id, async () => (await opened.last())?.operation ?? undefined);

// A seed per operation, so that operations are not all corrupted in the same way.
test.each(operations.map(({ id }, seed) => [id, seed] as const))(
  '%s responds to invalid requests as documented, without a server error',
  async (id, seed) => {
    const reader = readerOf(id);
    const property = fc.asyncProperty(invalidChangesTo(id), async (changes) => {
      await opened.reset();
      const response = await opened.sendValid(id, ...changes);
      expect(await findingsOf(response, id)).toEqual([]);
      if (reader === undefined || response.status >= 400) return;
      expect(await findingsOf(await opened.sendValid(reader), reader)).toEqual([]);
    });
    await fc.assert(property, { numRuns: 10, seed });
  },
);

test.each([
  ['getAgent', ['method', 'path', 'query', 'headers', 'body']],
  ['updateAgent', ['method', 'path', 'query', 'headers', 'body']],
  ['uploadMultipartPart', ['method', 'path', 'query', 'headers', 'body']],
  ['requestToken', ['method', 'query', 'headers', 'body']],
] as const)('every part of a request to %s is spoilt', (id, parts) => {
  const changes = fc.sample(invalidChangesTo(id), 300).flat();
  expect(new Set(changes.flatMap(Object.keys))).toEqual(new Set(parts));
});
