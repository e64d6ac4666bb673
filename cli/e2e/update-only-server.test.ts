/** A server that is being built may have the update of agents before it can create or read them. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { changeMock } from '../../mock/testing/control-client.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const aboutUpdates = requirements
  .filter(({ id, level }) => level === 'must' && (id.startsWith('agents.') || id.startsWith('resources.')))
  .map(({ id }) => id);

/** This rule needs an agent without a generation, which only a new one is. */
const needsNewAgent = 'agents.runtime.empty-generation';

test('with --allow write, every rule that waits for an agent names the response in its way and --allow destroy', async () => {
  await using mock = await startMock();
  const missing = ['createAgent', 'getAgent', 'listAgents'];
  await changeMock(mock.addresses.host, 'PUT', '/faults', {
    rules: missing.map((operation) => ({ operation, status: 404 })),
  });
  const outcomes = await runOnTarget(
    { ...mock.target, allow: 'write' },
    { selected: aboutUpdates, patienceSeconds: 0 },
  );
  const waiting = outcomes.filter(({ result }) => result.verdict === 'not-tried').map(({ result }) => result);
  expect(waiting.length).toBeGreaterThan(20);
  for (const { id, reason } of waiting)
    expect
      .soft(reason, id)
      .toMatch(id === needsNewAgent ? /POST \/agents returned 404/ : /returned 404.*--allow destroy/);
}, 60_000);
