import { expect, test } from 'vitest';
import { birthBy, callIn, creationBy } from './creations.ts';

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
  expect(callIn({ ...raw, body: '{"metadata": 7}' })).toEqual({
    id: 'createVpc',
    input: { path: {}, headers: {}, body: { metadata: 7 } },
  });
  expect(callIn({ ...raw, body: '{' })?.input.body).toBeUndefined();
  expect(callIn({ ...raw, path: '/vpcs/a' })).toBeUndefined();
  expect(callIn({ ...raw, surface: 'sandbox' })).toBeUndefined();
  expect(callIn({ ...raw, method: 'GET' })).toBeUndefined();
});

test('an update would create what is not there, also one that is sent raw', () => {
  const birth = {
    created: 'createAgent',
    name: 'a/b',
    removal: { operation: 'deleteAgent', path: { agentName: 'a/b' } },
  };
  expect(birthBy('updateAgent', { path: { agentName: 'a/b' }, ...body({ name: 'other' }) })).toEqual(birth);
  const raw = { surface: 'management', method: 'PUT', path: '/agents/a%2Fb?c=d', body: '{' } as const;
  const meant = callIn(raw);
  expect(meant && birthBy(meant.id, meant.input)).toEqual(birth);
  for (const path of ['/agents', '/agents/', '/agents/a/b', '/agents/%FF'])
    expect(callIn({ ...raw, path })).toBeUndefined();
  expect(birthBy('createVpc', body({ name: 'a' }))).toBeUndefined();
  expect(birthBy('writeTree', { path: { path: 'a' } })).toBeUndefined();
});

test('another workspace header than the target’s goes with the removal; without any it is empty', () => {
  const headersOf = (headers: Record<string, string | undefined>) =>
    creationBy('createVpc', { ...body({ name: 'a' }), headers })?.removal?.headers;
  expect(headersOf({ 'X-Svc-Workspace': 'other' })).toEqual({ 'X-Svc-Workspace': 'other' });
  expect(headersOf({ 'X-Svc-Workspace': undefined })).toEqual({});
  expect(headersOf({ 'Svc-Version': 'a' })).toBeUndefined();
});
