/** What a run may do to things that it did not create, under `write` and under `destroy`. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Allow } from '../../spec/formats/target-values.ts';
import type { SentRequest } from '../../suites/target/exchange.ts';
import { newFolder, targetFile } from './testing/assay-process.ts';
import { cleanUp } from '../run/clean-up.ts';
import { findTarget } from '../command-line/find-target.ts';
import { runCases } from '../run/run-cases.ts';
import { runOnTarget } from './testing/run-on-target.ts';

/** Every request that the case of the rule sends. */
async function sentBy(rule: RequirementId, allow: Allow): Promise<SentRequest[]> {
  await using mock = await startMock();
  const target = await findTarget({ target: targetFile(mock.target), allow }, {});
  const ledgerFile = path.join(newFolder(), 'ledger.ndjson');
  const settings = { target, runId: 'r1', seed: 1, runs: 3, patienceSeconds: 5, selected: [rule], ledgerFile };
  const sent: SentRequest[] = [];
  await runCases(settings, { record: ({ request }) => void sent.push(request) });
  expect(await cleanUp(target, ledgerFile)).toMatchObject({ left: [] });
  return sent;
}

const toolsCalled = (sent: readonly SentRequest[]): Set<string> =>
  new Set(sent.flatMap(({ body = '' }) => /"tools\/call".*?"name":"(\w+)"/.exec(body)?.[1] ?? []));

test('tools that do not say that they only read are called under destroy alone', async () => {
  const [few, all] = [
    toolsCalled(await sentBy('mcp.functions.listed-tools-callable', 'write')),
    toolsCalled(await sentBy('mcp.functions.listed-tools-callable', 'destroy')),
  ];
  expect([few.has('find_order'), few.has('refund_order'), all.has('refund_order')]).toEqual([true, false, true]);
});

test('an agent that is changed under destroy, and could not be read before, is named in the end', async () => {
  await using mock = await startMock({ onlyDocumented: true });
  const target = await findTarget({ target: targetFile(mock.target), allow: 'destroy' }, {});
  const ledgerFile = path.join(newFolder(), 'ledger.ndjson');
  const selected: RequirementId[] = ['agents.update.round-trip', 'agents.enabled.false-does-not-serve'];
  await runCases({ target, runId: 'r1', seed: 1, runs: 1, patienceSeconds: 5, selected, ledgerFile }, {});
  const named = 'Not restored: demo-agent (changed by updateAgent), because its previous state could not be read.';
  expect((await cleanUp(target, ledgerFile)).left.filter((line) => line === named)).toHaveLength(1);
});

test('a target with only mk3 agents needs no other agent', async () => {
  await using mock = await startMock();
  const { agent: _, ...resources } = mock.target.resources ?? {};
  const names: unknown[] = [];
  await runOnTarget(
    { ...mock.target, resources, allow: 'write' },
    {
      selected: ['agents.update.unknown-404'],
      record: ({ request: { method, url, body = '' } }) => {
        if (method === 'PUT' && url.includes('none-')) names.push(/"generation":"(\w+)"/.exec(body)?.[1]);
      },
    },
  );
  expect(new Set(names)).toEqual(new Set(['mk3']));
});

const workspacesOf = (sent: readonly SentRequest[]): Set<unknown> =>
  new Set(sent.filter(({ method }) => method === 'POST').map(({ headers }) => headers['X-Svc-Workspace']));

test('nothing is created in a workspace that the target file does not name, except with destroy', async () => {
  const [few, all] = [
    workspacesOf(await sentBy('auth.workspace-header.missing-or-other', 'write')),
    workspacesOf(await sentBy('auth.workspace-header.missing-or-other', 'destroy')),
  ];
  expect(few).toEqual(new Set(['demo', 'assay-r1-none', undefined]));
  expect(all.difference(few).size).toBe(1);
});
