/** A server that is being built may have the update of agents before it can create or read them. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { changeMock } from '../../mock/testing/control-client.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { markdownPages } from './testing/markdown-pages.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const aboutUpdates = requirements
  .filter(({ id, level }) => level === 'must' && (id.startsWith('agents.') || id.startsWith('resources.')))
  .map(({ id }) => id);

/** This rule needs an agent without a generation, which only a new one is. */
const needsNewAgent = 'agents.runtime.empty-generation';

/** What docs/implementing.md says that the update of agents takes. */
const documentedNeeds = markdownPages()
  .find(({ file }) => file === 'docs/implementing.md')
  ?.text.split('\n')
  .find((line) => /^\|[^|]*\| `updateAgent` /.test(line));

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
  const advised = waiting.flatMap(({ reason }) => /--allow \w+/.exec(String(reason))?.[0] ?? []);
  expect(new Set(advised)).toEqual(new Set(['--allow destroy']));
  for (const flag of new Set(advised)) expect(documentedNeeds).toContain(`\`${flag}\``);
}, 60_000);
