import { expect, test } from 'vitest';
import { resourceCreatedBy, callFromRequest, describeCreation } from './creations.ts';

const body = (metadata: object): { body: unknown } => ({ body: { metadata, spec: {} } });
const removalOf = (vpcName: string) => ({ operation: 'deleteVpc', path: { vpcName } });

test('a resource is removed by the requested name, regardless of the name in the response', () => {
  const creation = { created: 'createVpc', name: 'a', removal: removalOf('a') };
  expect(describeCreation('createVpc', body({ name: 'a' }))).toEqual(creation);
  expect(describeCreation('createVpc', body({ name: 'a' }), { metadata: { name: 'demo-a' } })).toEqual(creation);
});

test.each([{}, { name: '' }, { name: 7 }, { name: null }, { name: ['a'] }])(
  'a resource created with %j has the name in the response, if any',
  (metadata) => {
    expect(describeCreation('createVpc', body(metadata))).toEqual({ created: 'createVpc' });
    expect(describeCreation('createVpc', body(metadata), { metadata: { name: 7 } })).toEqual({ created: 'createVpc' });
    const returned = { metadata: { name: 'vpc-1', displayName: 'Sent' } };
    const removal = removalOf('vpc-1');
    expect(describeCreation('createVpc', body(metadata), returned)).toEqual({
      created: 'createVpc',
      name: 'vpc-1',
      displayName: 'Sent',
      removal,
    });
  },
);

test.each([undefined, null, [], 'a', { metadata: null }])('a body of %j has no name', (sent) => {
  expect(describeCreation('createVpc', { body: sent })).toEqual({ created: 'createVpc' });
});

test('a call of an operation that creates no named resource is not a creation', () => {
  expect(describeCreation('updateAgent', body({ name: 'a' }))).toBeUndefined();
  expect(describeCreation('createSandboxPreviewToken', body({}))).toBeUndefined();
});

test('a raw request to a collection is recognized as a create', () => {
  const raw = { surface: 'management', method: 'POST', path: '/vpcs?a=b' } as const;
  expect(callFromRequest({ ...raw, body: '{"metadata": 7}' })).toEqual({
    id: 'createVpc',
    input: { path: {}, headers: {}, body: { metadata: 7 } },
  });
  expect(callFromRequest({ ...raw, body: '{' })?.input.body).toBeUndefined();
  expect(callFromRequest({ ...raw, path: '/vpcs/a' })).toBeUndefined();
  expect(callFromRequest({ ...raw, surface: 'sandbox' })).toBeUndefined();
  expect(callFromRequest({ ...raw, method: 'GET' })).toBeUndefined();
});

test('an update, including a raw one, could create a missing resource', () => {
  const birth = {
    created: 'createAgent',
    name: 'a/b',
    removal: { operation: 'deleteAgent', path: { agentName: 'a/b' } },
  };
  expect(resourceCreatedBy('updateAgent', { path: { agentName: 'a/b' }, ...body({ name: 'other' }) })).toEqual(birth);
  const raw = { surface: 'management', method: 'PUT', path: '/agents/a%2Fb?c=d', body: '{' } as const;
  const meant = callFromRequest(raw);
  expect(meant && resourceCreatedBy(meant.id, meant.input)).toEqual(birth);
  for (const path of ['/agents', '/agents/', '/agents/a/b', '/agents/%FF'])
    expect(callFromRequest({ ...raw, path })).toBeUndefined();
  expect(resourceCreatedBy('createVpc', body({ name: 'a' }))).toBeUndefined();
  expect(resourceCreatedBy('writeTree', { path: { path: 'a' } })).toBeUndefined();
});

test('the removal has the workspace header of the create, empty if the create had none', () => {
  const headersOf = (headers: Record<string, string | undefined>) =>
    describeCreation('createVpc', { ...body({ name: 'a' }), headers })?.removal?.headers;
  expect(headersOf({ 'X-Svc-Workspace': 'other' })).toEqual({ 'X-Svc-Workspace': 'other' });
  expect(headersOf({ 'X-Svc-Workspace': undefined })).toEqual({});
  expect(headersOf({ 'Svc-Version': 'a' })).toBeUndefined();
});
