import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE: RequirementId = 'oauth.token.expires-in-agrees';
const LIFETIME_SECONDS = 3600;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens were issued so many seconds ago, and the Date of responses is so many seconds ahead of that of this machine. */
async function verdictOn({ ageSeconds = 0, aheadSeconds = 0, hasIat = true }) {
  await using server = await localServer(({ url }) => {
    if (!url.startsWith('/oauth/token')) return { body: {} };
    const iat = Math.floor(Date.now() / 1000) - ageSeconds;
    const token = `${encoded({ alg: 'RS256' })}.${encoded({ ...(hasIat && { iat }), exp: iat + LIFETIME_SECONDS })}.c2ln`;
    return {
      body: { access_token: token, token_type: 'Bearer', expires_in: LIFETIME_SECONDS },
      headers: { Date: new Date(Date.now() + aheadSeconds * 1000).toUTCString() },
    };
  });
  const tokenUrl = `${server.address}/oauth/token`;
  const client = { id: 'a', secret: { value: 'secret', name: 'SVC_CLIENT_SECRET' }, tokenUrl, scopes: [] };
  const run = openTestContext({ address: server.address, target: { client } });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, run.context);
  await run.close();
  return result.verdict;
}

test.each([{}, { aheadSeconds: 600 }, { aheadSeconds: -600 }, { aheadSeconds: 600, hasIat: false }])(
  'the clock of a gateway may differ from that of the issuer: %j',
  async (clocks) => {
    expect(await verdictOn(clocks)).toBe('passed');
  },
);

test.each([{ ageSeconds: 600 }, { ageSeconds: 600, hasIat: false }, { ageSeconds: 600, aheadSeconds: 600 }])(
  'a token that was issued before must not be promised for its whole lifetime: %j',
  async (clocks) => {
    expect(await verdictOn(clocks)).toBe('failed');
  },
);
