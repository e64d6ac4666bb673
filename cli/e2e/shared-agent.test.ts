/** Several runs want to change the same agent, because the target does not let them create one: only one does, and restores it. */
import path from 'node:path';
import { expect, test } from 'vitest';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { newFolder, targetFile } from './testing/assay-process.ts';
import { cleanUp } from '../run/clean-up.ts';
import { findTarget } from '../command-line/find-target.ts';
import { runCases } from '../run/run-cases.ts';
import { changesOf, refuseAgents, startRecordingMock } from './testing/recording-mock.ts';
import type { RecordedRequest, RecordingMock } from './testing/recording-mock.ts';

const selected: RequirementId[] = ['agents.update.round-trip', 'naming.labels.string-values'];

/** Tries the cases, and undoes what they did. */
async function ran(watched: RecordingMock, runId: string, isShard = false): Promise<CaseOutcome[]> {
  const target = await findTarget({ target: targetFile(watched.target), allow: 'write' }, {});
  const ledgerFile = path.join(newFolder(), 'ledger.ndjson');
  const settings = { target, runId, isShard, seed: 1, runs: 3, patienceSeconds: 5, selected, ledgerFile };
  const outcomes = await runCases(settings, {});
  expect(await cleanUp(target, ledgerFile)).toMatchObject({ left: [] });
  return outcomes;
}

const verdictsOf = (outcomes: readonly CaseOutcome[]) => outcomes.map(({ result: { verdict } }) => verdict);
const reasonsOf = (outcomes: readonly CaseOutcome[]) => outcomes.map(({ result: { reason } }) => reason);
const isUpdate = ({ method, url }: RecordedRequest): boolean => method === 'PUT' && url === '/v0/agents/demo-agent';

test('a run that comes while another changes the agent leaves it alone, and it ends as it was', async () => {
  let begun = (): void => {};
  const changed = new Promise<void>((resolve) => (begun = resolve));
  const tell = (passing: RecordedRequest): void => {
    if (passing.status === 200 && isUpdate(passing)) begun();
  };
  await using watched = await startRecordingMock(tell);
  await refuseAgents(watched.mock);
  const before = await watched.contents();
  const first = ran(watched, 'first');
  await Promise.race([changed, first]);
  const second = await ran(watched, 'second');
  expect(reasonsOf(second)[0]).toContain('no other run changes: demo-agent has the label assay-run: first');
  expect(verdictsOf(await first)).toEqual(['passed', 'passed']);
  expect(changesOf(before, await watched.contents())).toEqual({ added: [], gone: [] });
});

test('whichever of two runs comes first, the agent ends as it was', async () => {
  await using watched = await startRecordingMock();
  await refuseAgents(watched.mock);
  const before = await watched.contents();
  await Promise.all([ran(watched, 'first'), ran(watched, 'second')]);
  expect(changesOf(before, await watched.contents())).toEqual({ added: [], gone: [] });
});

test('no shard changes it', async () => {
  await using watched = await startRecordingMock();
  await refuseAgents(watched.mock);
  expect(reasonsOf(await ran(watched, 'shard', true))[0]).toContain('shards do not change the agent');
  expect(watched.seen.filter(isUpdate)).toEqual([]);
});
