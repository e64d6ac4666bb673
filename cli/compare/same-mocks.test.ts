import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { compareInProcess } from '../e2e/testing/compare-mocks.ts';

test('two mocks are the same, with writes', async () => {
  await using a = await startMock();
  await using b = await startMock();
  const files = { a: { ...a.target, allow: 'write' }, b: { ...b.target, allow: 'write' } } as const;
  const { differences, steps } = await compareInProcess(files, { requests: 60 });
  expect(differences.map(({ operation, context, at }) => [operation, context, at])).toEqual([]);
  expect(steps).toBeGreaterThan(50);
});

test('two mocks are the same, read-only', async () => {
  await using a = await startMock();
  await using b = await startMock();
  const files = { a: { ...a.target, allow: 'read' }, b: { ...b.target, allow: 'write' } } as const;
  const { differences, steps } = await compareInProcess(files, { requests: 40 });
  expect([differences.length, steps > 30]).toEqual([0, true]);
  const requests = await a.requests({});
  expect(requests.filter(({ method, path }) => method !== 'GET' && path.startsWith('/v0'))).toEqual([]);
});

test('tokens are requested with the credential of the client alone', async () => {
  await using a = await startMock();
  await using b = await startMock();
  const files = { a: { ...a.target, allow: 'read' }, b: { ...b.target, allow: 'read' } } as const;
  await compareInProcess(files, { requests: 8, isSelected: ({ id }) => id === 'requestToken' });
  const requests = (await b.requests({})).filter(({ path }) => path === '/oauth/token');
  expect(requests.map(({ status }) => status)).toContain(200);
});
