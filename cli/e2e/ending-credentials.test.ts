/** A token that ends during a run explains the refusals after it: the target does not fail because of them, nor is it blamed. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const ENDED =
  /^(?:partly observed; missing: )?credentials\.admin ended at 20[\d-]+T[\d:.]+Z, (?:before|during) the run$/;
/** What the target file does not permit. */
const OF_TARGET_FILE = ['destroy', 'api-key', 'client'];
const NOT_PERMITTED = /--allow (?:write|destroy)/;
/** Runs on the hiding server only read, and the one behind it reports its own URLs. */
const isOfFront = ({ id, reason = '' }: RuleResult): boolean =>
  id === 'resources.url.serves-the-agent' || NOT_PERMITTED.test(reason);

interface Ending {
  /** Of the token, in seconds. */
  readonly lifetime: number;
  readonly hasApiKey?: boolean;
  /** Of the clock of the target before ours. */
  readonly hoursAhead?: number;
  /** Whether it answers 404 in place of 401, so as not to reveal what exists. Only read: agent updates get 401. */
  readonly isHiding?: boolean;
}

/** Agent updates keep 401, which is documented, and so do token requests. */
const isDocumented401 = (method = '', url = ''): boolean =>
  (method === 'PUT' && url.includes('/agents/')) || url.includes('/oauth/');

/** A deployment that answers 404 to callers that the one behind it does not know. */
async function openHiding(inner: TargetFile) {
  const { origin, port } = new URL(inner.addresses.management);
  const server = http.createServer((request, response) => {
    const { method, url, headers } = request;
    const forwarded = http.request(new URL(url ?? '/', origin), { method, headers }, (received) => {
      const isHidden = received.statusCode === 401 && !isDocumented401(method, url);
      if (!isHidden) {
        response.writeHead(received.statusCode ?? 502, received.headers);
        return void received.pipe(response);
      }
      received.resume();
      const { date } = received.headers;
      response.writeHead(404, { 'Content-Type': 'application/json', ...(date && { Date: date }) });
      response.end(JSON.stringify({ error: 'Not found.', code: 404, status: 404 }));
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front = `:${(server.address() as AddressInfo).port}`;
  return {
    target: JSON.parse(JSON.stringify(inner).replaceAll(`:${port}`, front)) as TargetFile,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Without the API key, every request needs the token. */
async function resultsWith(
  { lifetime, hasApiKey = true, hoursAhead = 0, isHiding = false }: Ending,
  selected?: readonly RequirementId[],
) {
  await using mock = await startMock({
    sandboxUrls: 'path',
    now: new Date(Date.now() + hoursAhead * 3_600_000).toISOString(),
  });
  const response = await fetch(`${mock.addresses.host}/_mock/tokens`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ lifetimeSeconds: lifetime }),
  });
  const { token } = (await response.json()) as { token: string };
  await using hiding = await openHiding(mock.target);
  const { target } = isHiding ? hiding : mock;
  const { apiKey, ...others } = mock.target.credentials;
  const credentials = { ...others, ...(hasApiKey && apiKey && { apiKey }), admin: { value: token } };
  const outcomes = await runOnTarget(
    { ...target, credentials, allow: isHiding ? 'read' : 'write' },
    { isQuick: true, patienceSeconds: 5, ...(selected && { selected }) },
  );
  return outcomes.map(({ result }) => result);
}

const endings: readonly Ending[] = [
  { lifetime: 6 },
  { lifetime: 9 },
  { lifetime: 12, hasApiKey: false },
  { lifetime: 8, hoursAhead: 1 },
  { lifetime: 8, hoursAhead: -1 },
  { lifetime: 9, hasApiKey: false, isHiding: true },
];

test.each(endings)(
  'no rule fails on a conforming target whose admin token ends (%o)',
  async (ending) => {
    const results = await resultsWith(ending);
    expect(results.filter(({ verdict }) => verdict === 'failed' || verdict === 'error')).toEqual([]);
    expect(results.some(({ verdict }) => verdict === 'passed')).toBe(true);
    expect(results.filter(({ missing }) => missing === 'lifetime').length).toBeGreaterThan(50);
    const notTried = results.filter(
      ({ verdict, missing }) => verdict === 'not-tried' && !OF_TARGET_FILE.includes(`${missing}`),
    );
    for (const { id, reason } of notTried.filter((each) => ending.isHiding !== true || !isOfFront(each)))
      expect(`${id}: ${reason}`).toMatch(new RegExp(`^${id}: ${ENDED.source.slice(1)}`));
  },
  180_000,
);

test('a token that has ended only by our clock explains no refusal', async () => {
  const rules = ['agents.update.round-trip', 'agents.update.unknown-404'] as const;
  const results = await resultsWith({ lifetime: 3570, hoursAhead: -1 }, rules);
  expect(results).toMatchObject(rules.map((id) => ({ id, verdict: 'passed' })));
}, 60_000);
