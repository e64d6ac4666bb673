/** The requests that the API reference prefills, sent to a mock. */
import { expect, test } from 'vitest';
import { documentOf } from '../../../spec/documents.ts';
import { eachOperation } from '../../../spec/openapi-document.ts';
import { startMock } from '../../start-mock.ts';
import { toListedOperation } from './page/reference/operations.ts';
import { bodyText, buildRequest, initialBody, initialFields } from './page/reference/request.ts';

const server = { url: '/v0' };

test('what is filled in for a new resource creates it in the default world', async () => {
  await using mock = await startMock();
  const document = documentOf('management');
  const creating = eachOperation(document)
    .map((found) => toListedOperation('management', document, found))
    .filter(({ method, id, body }) => method === 'POST' && body !== undefined && id.startsWith('create'));
  const statuses = await Promise.all(
    creating.map(async (operation) => {
      const fields = initialFields(operation, server);
      const authorization = `Bearer ${mock.target.credentials.admin.value}`;
      const body = bodyText(initialBody(operation, document), 'application/json');
      const values = { fields, authorization, body, contentType: 'application/json' };
      const { url, ...request } = buildRequest(operation, server, values, new URL(mock.addresses.host).origin);
      const { status } = await fetch(url, request as RequestInit);
      return [operation.id, status < 300];
    }),
  );
  expect(statuses.length).toBeGreaterThan(10);
  expect(statuses).toEqual(creating.map(({ id }) => [id, true]));
});
