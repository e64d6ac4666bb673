import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import type { ReceivedRequest } from '../testing/local-server.ts';
import { schedule } from '../engine/schedule.ts';
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

const clientAt = (address: string) => ({
  id: ID,
  secret: { value: SECRET, name: 'SVC_CLIENT_SECRET' },
  tokenUrl: `${address}/oauth/token`,
  scopes: [],
});

async function reasonOn(expected: string): Promise<string | undefined> {
  await using server = await undecoding(expected);
  const run = openTestContext({ address: server.address, target: { client: clientAt(server.address) } });
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

test.each([`${ID}:${SECRET}`, `${ID}:another`])('a refused client is reported by one rule (%s)', async (expected) => {
  await using server = await undecoding(expected);
  const run = openTestContext({ address: server.address, target: { client: clientAt(server.address) } });
  const cases = await collectCases(undefined);
  const ofOAuth = [...cases].filter(([id]) => id.startsWith('oauth.')).map(([, each]) => each);
  // Last, after the others have used the client up.
  const ordered = ofOAuth.toSorted((one, other) => Number(one === cases.get(RULE)) - Number(other === cases.get(RULE)));
  const results: { id: string; verdict: string; reason?: string | undefined }[] = [];
  for (const each of ordered) results.push((await runCase(each, run.context)).result);
  await run.close();
  const idsOf = (verdict: string) => results.flatMap((each) => (each.verdict === verdict ? [each.id] : []));
  expect(idsOf('error')).toEqual([]);
  expect(idsOf('failed')).toContain(RULE);
  const reasons = results.map(({ reason = '' }) => reason).filter((reason) => reason.includes('5 times in a row'));
  expect(reasons.length).toBeGreaterThan(3);
  for (const reason of reasons) expect(reason).toContain(`see ${RULE}`);
});

const PARAMETERS = { audience: 'https://api.example.com' };
const rules = [
  RULE,
  'oauth.token.no-store',
  'oauth.token.other-parameters-ignored',
  'oauth.errors.invalid-client',
  'oauth.errors.basic-challenge',
  'oauth.errors.grant-type',
  'oauth.scopes.never-exceeded-silently',
] as const satisfies RequirementId[];

const isPost = (sent: URLSearchParams): boolean => sent.get('client_id') === ID && sent.get('client_secret') === SECRET;
const basic = `Basic ${Buffer.from(`${ID}:${encodeURIComponent(SECRET)}`).toString('base64')}`;
const refused = (status: number, error: string, error_description?: string) => ({
  status,
  body: { error, error_description },
  headers: { 'Content-Type': 'application/json', ...(status === 401 && { 'WWW-Authenticate': 'Basic' }) },
});

/** Why a server refuses a token request that conforms to RFC 6749; undefined: it accepts the request. */
type Requirement = (sent: URLSearchParams, received: ReceivedRequest) => ReturnType<typeof refused> | undefined;

const needsAudience: Requirement = (sent) =>
  sent.get('audience') === PARAMETERS.audience ? undefined : refused(400, 'invalid_request', 'audience is required');

/** A server of one client. Its own requirement is checked before the client, if `isEarly`. */
const requiring = (requirement: Requirement, isEarly: boolean) =>
  localServer((received) => {
    if (!received.url.startsWith('/oauth/token')) return { body: {} };
    const sent = new URLSearchParams(received.body);
    const own = requirement(sent, received);
    if (isEarly && own !== undefined) return own;
    if (!isPost(sent) && received.headers.authorization !== basic) return refused(401, 'invalid_client');
    if (!sent.get('grant_type')) return refused(400, 'invalid_request');
    if (sent.get('grant_type') !== 'client_credentials') return refused(400, 'unsupported_grant_type');
    if (own !== undefined) return own;
    if (sent.get('scope')?.includes('assay') === true) return refused(400, 'invalid_scope');
    return { body: { access_token: 'issued-token', token_type: 'Bearer' }, headers: { 'Cache-Control': 'no-store' } };
  });

async function resultsOn(
  requirement: Requirement,
  { isEarly = false, ...more }: { isEarly?: boolean; parameters?: typeof PARAMETERS; scopes?: string[] } = {},
) {
  await using server = await requiring(requirement, isEarly);
  const client = {
    id: ID,
    secret: { value: SECRET, name: 'SVC_CLIENT_SECRET' },
    tokenUrl: `${server.address}/oauth/token`,
    scopes: [],
    ...more,
  };
  const run = openTestContext({ address: server.address, target: { client } });
  const outcomes = schedule((await collectCases(rules)).values(), { ...run.context, concurrency: 16 });
  const results = await Promise.all(outcomes.values());
  await run.close();
  return {
    verdicts: Object.fromEntries(results.map(({ result: { id, verdict } }) => [id, verdict])),
    reasons: results.map(({ result: { reason = '' } }) => reason),
    requests: server.received.filter(({ url }) => url.startsWith('/oauth/token')),
  };
}

const everywhere = (verdict: string) => Object.fromEntries(rules.map((rule) => [rule, verdict]));

// Auth0 requires an audience unless the tenant has a default one; RFC 8707 section 2 defines invalid_target.
test.each([
  [false, 'invalid_request'],
  [true, 'invalid_request'],
  [false, 'invalid_target'],
  [true, 'invalid_target'],
])(
  'a required audience that the target file lacks leaves the rules untried (early: %s, %s)',
  async (isEarly, error) => {
    const { verdicts, reasons } = await resultsOn(
      (sent) => (needsAudience(sent, {} as ReceivedRequest) ? refused(400, error, 'audience is required') : undefined),
      { isEarly },
    );
    expect(verdicts).toEqual(everywhere('not-tried'));
    expect(new Set(reasons)).toEqual(
      new Set([
        `the parameters that the token endpoint requires (it returned status 400, ${error}, audience is required); client.parameters in the target file adds some`,
      ]),
    );
  },
);

test.each([false, true])('parameters of the target file are sent in every request (early: %s)', async (isEarly) => {
  const { verdicts, requests } = await resultsOn(needsAudience, { isEarly, parameters: PARAMETERS });
  expect(verdicts).toEqual(everywhere('passed'));
  const sent = requests.map(({ body }) => new URLSearchParams(body));
  expect(sent.filter((each) => !each.has('audience')).map((each) => each.get('grant_type'))).toEqual([]);
});

// RFC 6749 section 3.3 says invalid_scope; the missing parameter is also an invalid_request of section 5.2.
test.each(['invalid_request', 'invalid_scope'])('a required scope may be reported as %s', async (error) => {
  const { verdicts } = await resultsOn((sent) => (sent.get('scope') ? undefined : refused(400, error)), {
    isEarly: true,
    scopes: ['agents:get'],
  });
  expect(verdicts).toMatchObject({ [RULE]: 'passed', 'oauth.errors.invalid-client': 'passed' });
});

test('a server that issues tokens only to a client in the body fails, also if it calls Basic an invalid request', async () => {
  const { verdicts } = await resultsOn(
    (sent, { headers }) =>
      headers.authorization === undefined ? undefined : refused(400, 'invalid_request', 'client_id is missing'),
    { isEarly: true },
  );
  expect(verdicts).toMatchObject({ [RULE]: 'failed' });
});
