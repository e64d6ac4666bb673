/** A run of all rules observes what each rule observes alone: no helper and no other rule of the run may change an answer. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { profileFrom } from '../../mock/profile/read-profile.ts';
import type { ObservationsFile } from '../../mock/profile/read-profile.ts';
import { rowOf } from '../../mock/profile/profile-rows.ts';
import type { Given } from '../../mock/profile/row.ts';
import { startMock } from '../../mock/start-mock.ts';
import { defaultChoices } from '../../mock/state/choices.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { Observation } from '../../spec/verdicts.ts';
import { isNightly } from './testing/sample-size.ts';
import { newFolder, run, targetFile } from './testing/assay-process.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const observeRules = requirements.filter(({ level }) => level === 'observe').map(({ id }) => id);

const triedAlone = isNightly ? observeRules : observeRules.filter((id) => id.startsWith('mcp.'));

/** The duration of a deployment also depends on the load of the machine. */
const isOfTime = ({ what }: Observation): boolean => what.endsWith(': time until then');

/** At the same time, as users run them: all rules every night, otherwise those of MCP. */
async function observedTogether(): Promise<Observation[]> {
  await using mock = await startMock();
  const folder = newFolder();
  const target = targetFile({ ...mock.target, allow: 'destroy' });
  const { code } = await run([
    'test',
    '--target',
    target,
    '--report',
    folder,
    '--seed',
    '11',
    '--patience',
    '12',
    ...(isNightly ? [] : ['--only', 'mcp.*']),
  ]);
  expect(code).toBe(0);
  const { observations } = JSON.parse(readFileSync(path.join(folder, 'observations.json'), 'utf8')) as ObservationsFile;
  return [...observations];
}

/** Each rule in a run of its own, with a mock of its own: every night; otherwise those whose sessions others may replace. */
async function observedAlone(): Promise<Observation[]> {
  const found: Observation[] = [];
  for (const id of triedAlone) {
    await using mock = await startMock();
    const outcomes = await runOnTarget({ ...mock.target, allow: 'destroy' }, { selected: [id] });
    found.push(...outcomes.flatMap(({ observations }) => observations));
  }
  return found;
}

const keyOf = ({ id, what }: Pick<Observation, 'id' | 'what'>): string => `${id}: ${what}`;
const valuesOf = (observations: readonly Observation[]) =>
  Object.fromEntries(observations.filter((each) => !isOfTime(each)).map((each) => [keyOf(each), each.value] as const));

/** What the table says that the mock does by itself, if it does what was observed at the other points. */
function ownValues(observed: readonly Observation[]): (observation: Observation) => unknown {
  const values = new Map(observed.map((each) => [keyOf(each), each.value]));
  const ownValue = ({ id, what, value }: Pick<Observation, 'id' | 'what'> & { readonly value?: unknown }): unknown => {
    const { own } = rowOf(id, what);
    return typeof own === 'function' ? own(given, value) : own;
  };
  const given: Given = {
    chosen: defaultChoices,
    valueAt: (id, what) => (values.get(keyOf({ id, what })) ?? ownValue({ id, what })) as never,
  };
  return ownValue;
}

test('every observation is the same alone and in a whole run, and the mock observed by itself has its own defaults', async () => {
  const together = await observedTogether();
  const alone = await observedAlone();
  const isTriedAlone = ({ id }: Observation) => triedAlone.some((each) => each === id);
  expect(valuesOf(together.filter(isTriedAlone))).toEqual(valuesOf(alone));
  const ownValueOf = ownValues(alone);
  const differing = alone.filter((each) => {
    const own = ownValueOf(each);
    return own !== undefined && !isDeepStrictEqual(own, each.value);
  });
  expect(differing).toEqual([]);
  for (const profile of [alone, together])
    expect(profileFrom(profile)).toMatchObject({ choices: defaultChoices, notFollowed: [] });
});
