/** A token that ends during a run explains the refusals after it: the target does not fail because of them. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { runOnTarget } from './testing/run-on-target.ts';

test.each([6, 9])(
  'no rule fails on a conforming target whose admin token ends after %i s',
  async (lifetime) => {
    await using mock = await startMock();
    const response = await fetch(`${mock.addresses.host}/_mock/tokens`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ lifetimeSeconds: lifetime }),
    });
    const { token } = (await response.json()) as { token: string };
    const credentials = { ...mock.target.credentials, admin: { value: token } };
    const outcomes = await runOnTarget(
      { ...mock.target, credentials, allow: 'write' },
      { isQuick: true, patienceSeconds: 5 },
    );
    const results = outcomes.map(({ result }) => result);
    expect(results.filter(({ verdict }) => verdict === 'failed' || verdict === 'error')).toEqual([]);
    expect(results.some(({ verdict }) => verdict === 'passed')).toBe(true);
    const ended = results.filter(({ missing }) => missing === 'lifetime');
    expect(ended.length).toBeGreaterThan(50);
    for (const { reason } of ended) expect(reason).toMatch(/^credentials\.admin ended at 20[\d-]+T[\d:.]+Z$/);
  },
  180_000,
);
