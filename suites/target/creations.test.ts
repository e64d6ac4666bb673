import { expect, test } from 'vitest';
import { createIn, creationBy } from './creations.ts';

const body = (metadata: object): { body: unknown } => ({ body: { metadata, spec: {} } });
const removalOf = (vpcName: string) => ({ operation: 'deleteVpc', path: { vpcName } });

test('what is created under a name is removed by it, whatever name is answered', () => {
  const creation = { created: 'createVpc', name: 'a', removal: removalOf('a') };
  expect(creationBy('createVpc', body({ name: 'a' }))).toEqual(creation);
  expect(creationBy('createVpc', body({ name: 'a' }), { metadata: { name: 'demo-a' } })).toEqual(creation);
});

test.each([{}, { name: '' }, { name: 7 }, { name: null }, { name: ['a'] }])(
  'what is created with %j has the name of the answer, if any',
  (metadata) => {
    expect(creationBy('createVpc', body(metadata))).toEqual({ created: 'createVpc' });
    expect(creationBy('createVpc', body(metadata), { metadata: { name: 7 } })).toEqual({ created: 'createVpc' });
    const shown = { metadata: { name: 'vpc-1', displayName: 'Sent' } };
    const removal = removalOf('vpc-1');
    expect(creationBy('createVpc', body(metadata), shown)).toEqual({
      created: 'createVpc',
      name: 'vpc-1',
      displayName: 'Sent',
      removal,
    });
  },
);

test.each([undefined, null, [], 'a', { metadata: null }])('a body of %j has no name', (sent) => {
  expect(creationBy('createVpc', { body: sent })).toEqual({ created: 'createVpc' });
});

test('a call that creates nothing that is known is none', () => {
  expect(creationBy('updateAgent', body({ name: 'a' }))).toBeUndefined();
  expect(creationBy('createSandboxPreviewToken', body({}))).toBeUndefined();
});

test('a raw request to a collection that can be added to is such a call', () => {
  const raw = { surface: 'management', method: 'POST', path: '/vpcs?a=b' } as const;
  expect(createIn({ ...raw, body: '{"metadata": 7}' })).toEqual({
    id: 'createVpc',
    input: { headers: {}, body: { metadata: 7 } },
  });
  expect(createIn({ ...raw, body: '{' })?.input.body).toBeUndefined();
  expect(createIn({ ...raw, path: '/vpcs/a' })).toBeUndefined();
  expect(createIn({ ...raw, surface: 'sandbox' })).toBeUndefined();
  expect(createIn({ ...raw, method: 'GET' })).toBeUndefined();
});

test('another workspace header than the target’s goes with the removal; without any it is empty', () => {
  const headersOf = (headers: Record<string, string | undefined>) =>
    creationBy('createVpc', { ...body({ name: 'a' }), headers })?.removal?.headers;
  expect(headersOf({ 'X-Svc-Workspace': 'other' })).toEqual({ 'X-Svc-Workspace': 'other' });
  expect(headersOf({ 'X-Svc-Workspace': undefined })).toEqual({});
  expect(headersOf({ 'Svc-Version': 'a' })).toBeUndefined();
});
