/** A mock with the observations of a stranger answers as that stranger does; `npm run profiles` holds it to every rule. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { defaultWorld } from '../fixtures/worlds/default.ts';
import type { WorldFile } from '../fixtures/worlds/world-file.ts';
import { startStranger } from '../fixtures/strangers/stranger.ts';
import { ownChoices } from '../mock/profile/choices.ts';
import { profileFrom } from '../mock/profile/read-profile.ts';
import type { ObservationsFile } from '../mock/profile/read-profile.ts';
import { pointOf } from '../mock/profile/rows.ts';
import { startMock } from '../mock/start-mock.ts';
import { requirements } from '../spec/requirements/index.ts';
import type { TargetFile } from '../spec/target-file.ts';
import { scopes as knownScopes } from '../spec/values.ts';
import type { Observation } from '../spec/verdicts.ts';
import { openTarget } from '../suites/target/open-target.ts';
import { createTransport } from '../suites/target/transport.ts';
import { run } from './assay-process.ts';
import { tryCases } from './try-cases.ts';

const observing = requirements.filter(({ level }) => level === 'observe').map(({ id }) => id);
const SEED = 11;

async function observed(file: TargetFile): Promise<Observation[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-profile-'));
  const transport = createTransport({ rate: 0 });
  const target = await openTarget({ ...file, allow: 'destroy', rate: 0 }, {}, transport);
  await transport.close();
  const ledgerFile = path.join(folder, 'ledger');
  try {
    const settings = { target, seed: SEED, runs: 3, patienceSeconds: 12, runId: 'profile', ledgerFile };
    const outcomes = await tryCases({ ...settings, selected: observing }, {});
    return outcomes.flatMap(({ observations }) => observations);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function observedByItself(): Promise<Observation[]> {
  await using mock = await startMock();
  return await observed(mock.target);
}

let byItself: Promise<Observation[]>;

beforeAll(() => {
  byItself = observedByItself();
  return byItself.then(() => undefined);
});

/** What a client may ask for is the world's to say: here it is what the stranger's may. */
function worldWithScopes(scopes: readonly string[]): WorldFile {
  const world = defaultWorld(SEED, Date.now());
  const named = knownScopes.filter((scope) => scopes.includes(scope));
  return { ...world, clients: (world.clients ?? []).map((client) => ({ ...client, scopes: named })) };
}

const keyOf = ({ id, what }: Observation): string => `${id}: ${what}`;

/** What is seen of the first, and otherwise or not at all of the second. */
function differences(first: readonly Observation[], second: readonly Observation[]) {
  const saw = new Map(second.map((each) => [keyOf(each), each.saw]));
  return first
    .filter((each) => saw.get(keyOf(each)) !== each.saw)
    .map((each) => ({ at: keyOf(each), target: each.saw, mock: saw.get(keyOf(each)) ?? 'not observed' }));
}

describe.each(['strict', 'lenient'] as const)('with the observations of the %s stranger', (character) => {
  let profile: Observation[] = [];
  let world: WorldFile;

  beforeAll(async () => {
    await using stranger = await startStranger({ character, deploymentMs: 1000 });
    profile = await observed(stranger.target);
    world = worldWithScopes(stranger.target.client?.scopes ?? []);
  });

  test('the mock is observed to differ in nothing, and says that it follows everything', async () => {
    await using mock = await startMock({ profile, world });
    expect(mock.notFollowed).toEqual([]);
    expect(differences(profile, await observed(mock.target))).toEqual([]);
  });

  test('the mock without it differs', async () => {
    expect(differences(profile, await byItself).length).toBeGreaterThan(100);
  });
});

/** What neither stranger decides so, and what needs a target that removes what a run creates. */
const madeUp = path.join(import.meta.dirname, '../fixtures/observations/made-up.json');

test('the mock is observed to answer as made-up observations say', async () => {
  const { observations } = JSON.parse(readFileSync(madeUp, 'utf8')) as ObservationsFile;
  await using mock = await startMock({ profile: madeUp });
  expect(mock.notFollowed).toEqual([]);
  expect(differences(observations, await observed(mock.target))).toEqual([]);
});

test('every point of the table says what the mock does by itself, and following that chooses nothing', async () => {
  const profile = await byItself;
  const wrong = profile
    .map((each) => ({ ...each, own: pointOf(each.id, each.what)?.own }))
    .filter(({ saw, own }) => saw !== own);
  expect(wrong).toEqual([]);
  expect(profileFrom(profile)).toMatchObject({ choices: ownChoices, notFollowed: [] });
});

const isFollowed: Observation = {
  id: 'errors.generic.statuses',
  what: 'an unknown path of the management API',
  saw: '410, no body',
};
const isNot: Observation = {
  id: 'resources.lifecycle.status-sequence',
  what: 'updateAgent: time until then',
  saw: 'a minute or more',
};

/** A folder with a profile in it, for the time of a test. */
function inFolder(files: Readonly<Record<string, string>>): { cwd: string } & Disposable {
  const cwd = mkdtempSync(path.join(tmpdir(), 'assay-profile-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
  return { cwd, [Symbol.dispose]: () => rmSync(cwd, { recursive: true }) };
}

/** Says the status of an unknown path of the mock that it is started beside. */
const asking = `const { addresses, credentials } = JSON.parse(require('node:fs').readFileSync(process.env.ASSAY_TARGET, 'utf8'));
const headers = { authorization: 'Bearer ' + credentials.apiKey.value };
fetch(addresses.management + '/nowhere', { headers }).then(({ status }) => console.log('status', status));`;

test.each([
  ['a flag', ['--profile', 'observations.json'], {}],
  ['assay.config.ts', [], { 'assay.config.ts': `export default { mock: { profile: 'observations.json' } };` }],
])('a profile may be named by %s, and what is not followed is told at the start', async (_, flags, more) => {
  const text = JSON.stringify({ target: 'staging', observations: [isFollowed, isNot] });
  using folder = inFolder({ 'observations.json': text, ...more });
  const { code, out } = await run(['mock', ...flags, '--', process.execPath, '-e', asking], folder);
  expect(out).toContain('status 410');
  expect(out).toMatch(
    /^Not followed: resources\.lifecycle\.status-sequence, "updateAgent: time until then": a minute or more \(.+\)$/m,
  );
  expect(code).toBe(0);
});

test.each([
  ['that is not there', 'other.json', '', /--profile other\.json: it cannot be read/],
  ['that is no JSON', 'observations.json', 'x', /--profile observations\.json: it is no JSON/],
  [
    'with an unknown id',
    'observations.json',
    '[{"id":"a.b.c","what":"x","saw":"y"}]',
    /observations\[0\]\.id is "a\.b\.c"; allowed/,
  ],
])('a profile %s is refused with exit code 2', async (_, file, text, sentence) => {
  using folder = inFolder({ 'observations.json': text });
  const { code, out } = await run(['mock', '--port', '0', '--profile', file], folder);
  expect(out).toMatch(sentence);
  expect(code).toBe(2);
});
