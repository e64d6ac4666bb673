/** Cases that run at the same time attach different volumes, because a deployment may refuse to attach one to two agents. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { changeMock } from '../../mock/testing/control-client.ts';
import type { OperationId } from '../../spec/operations.ts';
import { collectCases } from '../../suites/engine/collect-cases.ts';
import { sharedResources } from '../../suites/engine/locks.ts';
import { openRun } from '../../suites/engine/open-run.ts';
import { schedule } from '../../suites/engine/schedule.ts';
import type { Exchange } from '../../suites/target/exchange.ts';
import { cleanUp } from '../run/clean-up.ts';
import { openTestTarget } from './testing/run-on-target.ts';

const { rules } = sharedResources.volumes;

/** What each agent has attached according to the responses, all volumes attached so far, and those that two agents had at once. */
function watchVolumes() {
  const attached = new Map<string, readonly string[]>();
  const twice: string[] = [];
  const used = new Set<string>();
  const record = (exchange: object): void => {
    const { request, response } = exchange as Partial<Exchange>;
    if (request === undefined || response === undefined || response.status !== 200) return;
    const { pathname } = new URL(request.url);
    const sent = JSON.parse(String(request.body ?? null)) as { spec?: { volumes?: { name: string }[] } } | null;
    if (request.method !== 'PUT' || !pathname.startsWith('/v0/agents/')) return;
    const names = (sent?.spec?.volumes ?? []).map(({ name }) => name);
    for (const [agent, own] of attached)
      if (agent !== pathname) twice.push(...names.filter((name) => own.includes(name)));
    attached.set(pathname, names);
    for (const name of names) used.add(name);
  };
  return { record, attached, twice, used };
}

async function attachedIn(refused?: OperationId) {
  await using mock = await startMock({ latency: { min: 5, max: 15 } });
  if (refused !== undefined)
    await changeMock(mock.addresses.host, 'PUT', '/faults', { rules: [{ operation: refused, status: 405 }] });
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-volumes-'));
  const target = await openTestTarget({ ...mock.target, allow: 'write' });
  const ledgerFile = path.join(folder.path, 'ledger');
  const run = openRun({ target, seed: 3, runs: 4, patienceSeconds: 12, runId: 'volumes', ledgerFile });
  const { record, attached, twice, used } = watchVolumes();
  const cases = await collectCases(rules);
  const outcomes = await Promise.all(schedule(cases.values(), { ...run.context, record }).values());
  await run.close();
  const verdicts = new Set(outcomes.map(({ result: { verdict } }) => verdict));
  const { left } = await cleanUp(target, ledgerFile, { busySeconds: 1 });
  return { verdicts: [...verdicts], stillAttached: [...attached.values()].flat(), twice, used: used.size, left };
}

const passed = { verdicts: ['passed'], stillAttached: [], twice: [] };

test.concurrent('each case has three volumes of its own, and all are removed at the end', async () => {
  expect(await attachedIn()).toEqual({ ...passed, used: 6, left: [] });
});

test.concurrent('if no volume can be created, the cases attach that of the target file, one after the other', async () => {
  expect(await attachedIn('createVolume')).toEqual({ ...passed, used: 1, left: [] });
});

test.concurrent('if the target removes no volumes, the run creates few of them', async () => {
  const { left, ...found } = await attachedIn('deleteVolume');
  expect(found).toEqual({ ...passed, used: 3 });
  expect(left).toHaveLength(3);
});
