/** Tests the check of the brand against the mock, a server with another brand, and server errors. */
import { expect, test } from 'vitest';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import { startMock } from '../../mock/start-mock.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import type { LocalResponse } from '../../suites/testing/local-server.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { brandIn } from './brand.ts';
import { examineTarget } from './examine-target.ts';

async function brandCheck(file: TargetFile) {
  const { checks } = await examineTarget(file, {});
  return checks.find(({ subject }) => subject === 'brand');
}

/** A target that refuses the header with the brand in this way. */
async function brandCheckWith(refusal: LocalResponse) {
  await using server = await localServer(({ headers }) =>
    headers['x-svc-authorization'] === undefined ? { body: [] } : refusal,
  );
  const addresses = { management: `${server.address}/v0` };
  const check = await brandCheck({ addresses, account: 'a', credentials: { admin: { value: 'marked-secret' } } });
  return check;
}

test('the brand of a mock is accepted, with one request', async () => {
  await using mock = await startMock({ brand: 'Acme' });
  expect(await brandCheck(mock.target)).toMatchObject({ outcome: 'passed' });
  const requests = await mock.requests({});
  expect(requests.filter(({ headers }) => headers['x-acme-authorization'] !== undefined)).toHaveLength(1);
  expect(await brandCheck({ ...mock.target, brand: 'Svc' })).toMatchObject({ outcome: 'warning' });
});

test('a warning says what to set', async () => {
  await using stranger = await startStranger({ character: 'lenient' });
  const { brand: _, ...file } = stranger.target;
  expect(await brandCheck(file)).toEqual({
    outcome: 'warning',
    subject: 'brand',
    found:
      'X-Svc-Authorization is refused, although Authorization is accepted: GET /accounts/4711/metrics/enums/group-by returned 401',
    advice: expect.stringMatching(/^Set brand in the target file to the word in the header names /) as string,
  });
});

test('a brand in response headers is suggested', async () => {
  const check = await brandCheckWith({ status: 401, headers: { vary: 'Accept, X-Zephyr-Authorization' } });
  expect(check?.advice).toContain(', probably Zephyr.');
});

test.each([
  [200, 'passed'],
  [401, 'warning'],
  [403, 'warning'],
  [500, undefined],
])('status %s for the header with the brand: %s', async (status, outcome) => {
  expect((await brandCheckWith({ status }))?.outcome).toBe(outcome);
});

test('without an accepted credential, the brand is not checked', async () => {
  await using mock = await startMock({});
  const credentials = { admin: { value: 'no.such.token' } };
  expect(await brandCheck({ ...mock.target, credentials })).toBeUndefined();
});

test.each([
  [{ 'x-zephyr-workspace': 'w' }, 'zephyr'],
  [{ 'access-control-allow-headers': 'content-type,x-zephyr-thread-id' }, 'zephyr'],
  [{ 'x-request-id': '1', 'x-content-type-options': 'nosniff', vary: 'Authorization' }, undefined],
])('the brand in %j is %s', (headers, expected) => {
  expect(brandIn({ headers })).toBe(expected);
});
