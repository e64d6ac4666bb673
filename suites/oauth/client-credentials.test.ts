import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE = 'oauth.client-credentials.token-works';
const [ID, SECRET] = ['assay', 'a+b%/secret'];

/** A server with one client, whose header it does not decode. */
const undecoding = (expected: string) =>
  localServer(({ url, headers }) => {
    if (!url.startsWith('/oauth/token')) return { body: {} };
    const accepts = headers.authorization === `Basic ${Buffer.from(expected).toString('base64')}`;
    return accepts
      ? { body: { access_token: 'issued-token', token_type: 'Bearer' } }
      : { status: 401, body: { error: 'invalid_client' } };
  });

async function reasonOn(expected: string): Promise<string | undefined> {
  await using server = await undecoding(expected);
  const client = {
    id: ID,
    secret: { value: SECRET, name: 'SVC_CLIENT_SECRET' },
    tokenUrl: `${server.address}/oauth/token`,
    scopes: [],
  };
  const run = openTestContext({ address: server.address, target: { client } });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, run.context);
  await run.close();
  expect(result.verdict).toBe('failed');
  return result.reason;
}

test('a server that does not form-decode the secret fails, and the reason names the cause', async () => {
  expect(await reasonOn(`${ID}:${SECRET}`)).toBe(
    'status 401, and a token for the same id and secret without form encoding, expected a token for the client id and secret, form-encoded in HTTP Basic (RFC 6749 section 2.3.1)',
  );
});

test('a secret that is wrong in both forms is no matter of encoding', async () => {
  expect(await reasonOn('assay:another')).not.toContain('form encoding');
});
