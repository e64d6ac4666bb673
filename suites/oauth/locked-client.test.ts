import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { schedule } from '../engine/schedule.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const [ID, SECRET] = ['client-id', 'right-secret'];
const GRANT_TYPE = 'oauth.errors.grant-type';
const rules = [
  'oauth.errors.invalid-client',
  GRANT_TYPE,
  'oauth.token.no-store',
  'oauth.token.type-is-bearer',
] as const satisfies RequirementId[];

const refused = (error: string) => ({
  status: error === 'invalid_client' ? 401 : 400,
  body: { error },
  headers: { 'Content-Type': 'application/json', 'WWW-Authenticate': 'Basic', 'Cache-Control': 'no-store' },
});

const MAX_WRONG = 3;

/** A server that refuses the client for a time after wrong secrets. */
function lockingServer(lockedMs: number, unknownGrant: string) {
  let wrongCount = 0;
  let lockedUntil = 0;
  const right = `Basic ${Buffer.from(`${ID}:${SECRET}`).toString('base64')}`;
  return localServer(({ url, headers, body }) => {
    if (!url.startsWith('/oauth/token')) return { body: {} };
    if (Date.now() < lockedUntil) return refused('invalid_client');
    if (headers.authorization !== right) {
      wrongCount += 1;
      if (wrongCount % MAX_WRONG === 0) lockedUntil = Date.now() + lockedMs;
      return refused('invalid_client');
    }
    const grant = new URLSearchParams(body).get('grant_type');
    if (!grant) return refused('invalid_request');
    if (grant !== 'client_credentials') return refused(unknownGrant);
    return {
      body: { access_token: 'issued-token', token_type: 'Bearer' },
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    };
  });
}

async function verdictsOn(lockedMs: number, unknownGrant = 'unsupported_grant_type') {
  await using server = await lockingServer(lockedMs, unknownGrant);
  const client = {
    id: ID,
    secret: { value: SECRET, name: 'SVC_CLIENT_SECRET' },
    tokenUrl: `${server.address}/oauth/token`,
    scopes: [],
  };
  const run = openTestContext({ address: server.address, target: { client }, patienceSeconds: 5 });
  const outcomes = schedule((await collectCases(rules)).values(), { ...run.context, concurrency: 16 });
  const results = await Promise.all(outcomes.values());
  await run.close();
  return Object.fromEntries(results.map(({ result: { id, verdict } }) => [id, verdict]));
}

test('a server that locks the client for a moment after wrong secrets passes', async () => {
  expect(await verdictsOn(500)).toEqual(Object.fromEntries(rules.map((rule) => [rule, 'passed'])));
});

test('a server that locks it for longer than the run waits does not fail', async () => {
  const verdicts = Object.values(await verdictsOn(600_000));
  expect(verdicts).toContain('not-tried');
  expect(new Set(verdicts)).not.toContain('failed');
  expect(new Set(verdicts)).not.toContain('error');
});

test('a server that calls the client invalid because of an unknown grant type fails', async () => {
  expect((await verdictsOn(500, 'invalid_client'))[GRANT_TYPE]).toBe('failed');
});
