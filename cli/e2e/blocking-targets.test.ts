/** Deployments that block the run for a while after its wrong credentials do not fail; those that refuse them with another status do. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { pickyTarget } from './testing/picky-target.ts';
import type { PickyOptions } from './testing/picky-target.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const rules = [
  'auth.update-agent.missing-credential-401',
  'auth.update-agent.bad-credential-401',
  'auth.headers.authorization-accepted-on-every-api',
  'auth.scopes.update-agent-refuses-others-403',
  'agents.update.unknown-404',
] as const satisfies RequirementId[];

async function verdictsOn(options: PickyOptions) {
  await using mock = await startMock({ sandboxUrls: 'path' });
  await using picky = await pickyTarget(mock.target, () => false, options);
  const outcomes = await runOnTarget({ ...picky.target, allow: 'write' }, { selected: rules, isQuick: true });
  return Object.fromEntries(outcomes.map(({ result: { id, verdict } }) => [id, verdict]));
}

const all = (verdict: string) => Object.fromEntries(rules.map((id) => [id, verdict]));

test.concurrent.each([
  ['403 and a page', { status: 403, headers: { 'content-type': 'text/html' } }],
  ['403 and JSON', { status: 403, headers: { 'content-type': 'application/json' } }],
  ['503', { status: 503 }],
  ['429', { status: 429 }],
])('a deployment that responds %s to everything for a second after ten wrong credentials passes', async (_, busy) => {
  expect(await verdictsOn({ block: { after: 10, milliseconds: 1000, busy } })).toEqual(all('passed'));
});

test.concurrent('a deployment that refuses wrong credentials with 403 fails', async () => {
  expect(await verdictsOn({ unauthorized: 403 })).toMatchObject({
    'auth.update-agent.missing-credential-401': 'failed',
    'auth.update-agent.bad-credential-401': 'failed',
  });
});

test.concurrent('a deployment that also refuses them with 403 after blocks fails', async () => {
  const busy = { status: 403, headers: { 'content-type': 'application/json' } };
  const verdicts = await verdictsOn({ unauthorized: 403, block: { after: 10, milliseconds: 500, busy } });
  expect(verdicts['auth.update-agent.bad-credential-401']).toBe('failed');
});
