/** A token that ends during a run explains the refusals after it: the target does not fail because of them, nor is it blamed. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const ENDED = /^(?:partly observed; missing: )?credentials\.admin ended at 20[\d-]+T[\d:.]+Z$/;
/** What the target file does not permit. */
const OF_TARGET_FILE = ['destroy', 'api-key', 'client'];

interface Ending {
  /** Of the token, in seconds. */
  readonly lifetime: number;
  readonly hasApiKey?: boolean;
  /** Of the clock of the target before ours. */
  readonly hoursAhead?: number;
}

/** Without the API key, every request needs the token. */
async function resultsWith({ lifetime, hasApiKey = true, hoursAhead = 0 }: Ending) {
  await using mock = await startMock({ now: new Date(Date.now() + hoursAhead * 3_600_000).toISOString() });
  const response = await fetch(`${mock.addresses.host}/_mock/tokens`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ lifetimeSeconds: lifetime }),
  });
  const { token } = (await response.json()) as { token: string };
  const { apiKey, ...others } = mock.target.credentials;
  const credentials = { ...others, ...(hasApiKey && apiKey && { apiKey }), admin: { value: token } };
  const outcomes = await runOnTarget(
    { ...mock.target, credentials, allow: 'write' },
    { isQuick: true, patienceSeconds: 5 },
  );
  return outcomes.map(({ result }) => result);
}

test.each([{ lifetime: 6 }, { lifetime: 9 }, { lifetime: 12, hasApiKey: false }, { lifetime: 8, hoursAhead: 1 }])(
  'no rule fails on a conforming target whose admin token ends (%o)',
  async (ending) => {
    const results = await resultsWith(ending);
    expect(results.filter(({ verdict }) => verdict === 'failed' || verdict === 'error')).toEqual([]);
    expect(results.some(({ verdict }) => verdict === 'passed')).toBe(true);
    expect(results.filter(({ missing }) => missing === 'lifetime').length).toBeGreaterThan(50);
    const notTried = results.filter(
      ({ verdict, missing }) => verdict === 'not-tried' && !OF_TARGET_FILE.includes(`${missing}`),
    );
    for (const { id, reason } of notTried)
      expect(`${id}: ${reason}`).toMatch(new RegExp(`^${id}: ${ENDED.source.slice(1)}`));
  },
  180_000,
);
