/** A mock with the observations of a stranger behaves like that stranger; `npm run profiles` tries every rule and value. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import type { WorldFile } from '../../spec/formats/world-file.ts';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import { defaultChoices } from '../../mock/state/choices.ts';
import { profileFrom } from '../../mock/profile/read-profile.ts';
import type { ObservationsFile } from '../../mock/profile/read-profile.ts';
import { rowOf } from '../../mock/profile/profile-rows.ts';
import { startMock } from '../../mock/start-mock.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { ObserveId } from '../../spec/requirements/index.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { scopes as knownScopes } from '../../spec/values.ts';
import { renderObservation, type ValueAt, type WhatOf } from '../../spec/observations/observation.ts';
import { objectOf } from '../../spec/observations/response-kinds.ts';
import type { Observation } from '../../spec/verdicts.ts';
import { run } from './testing/assay-process.ts';
import { mockBanner } from '../mock/banner.ts';
import { candidateValues } from '../dev/candidate-values.ts';
import { differences as notReproduced, followable, profileVariant } from '../dev/profile-check.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const observeRules = requirements.filter(({ level }) => level === 'observe').map(({ id }) => id);
const SEED = 11;

/** The duration of a deployment also depends on the load of the machine. */
const isOfTime = ({ what }: Observation): boolean => what.endsWith(': time until then');

async function observed(file: TargetFile): Promise<Observation[]> {
  const outcomes = await runOnTarget({ ...file, allow: 'destroy' }, { seed: SEED, selected: observeRules });
  return outcomes.flatMap(({ observations }) => observations).filter((each) => !isOfTime(each));
}

async function observePlainMock(): Promise<Observation[]> {
  await using mock = await startMock();
  return await observed(mock.target);
}

let ofPlainMock: Promise<Observation[]>;

beforeAll(() => {
  ofPlainMock = observePlainMock();
  return ofPlainMock.then(() => undefined);
});

/** The scopes of a client come from the world, not from the profile: here they are those of the stranger's client. */
function worldWithScopes(scopes: readonly string[]): WorldFile {
  const world = defaultWorld(SEED, Date.now());
  const named = knownScopes.filter((scope) => scopes.includes(scope));
  return { ...world, clients: (world.clients ?? []).map((client) => ({ ...client, scopes: named })) };
}

const keyOf = ({ id, what }: Observation): string => `${id}: ${what}`;

/** Observations of the first whose value the second does not have. */
function differences(first: readonly Observation[], second: readonly Observation[]) {
  const values = new Map(second.map((each) => [keyOf(each), each.value]));
  return first
    .map((each) => ({ at: keyOf(each), target: each.value, mock: values.get(keyOf(each)) ?? 'not observed' }))
    .filter(({ target, mock }) => !isDeepStrictEqual(target, mock));
}

describe.each(['strict', 'lenient'] as const)('with the observations of the %s stranger', (character) => {
  let profile: Observation[] = [];
  let world: WorldFile;

  beforeAll(async () => {
    await using stranger = await startStranger({ character, deploymentMs: 1000 });
    profile = await observed(stranger.target);
    world = worldWithScopes(stranger.target.client?.scopes ?? []);
  });

  test('the mock follows every observation and reproduces it', async () => {
    await using mock = await startMock({ profile, world });
    expect(mock.notFollowed).toEqual([]);
    expect(differences(profile, await observed(mock.target))).toEqual([]);
  });

  test('a mock without the profile differs', async () => {
    expect(differences(profile, await ofPlainMock).length).toBeGreaterThan(100);
  });
});

/** Values that neither stranger has, and points that require a target that removes what a run creates. */
const madeUp = path.join(import.meta.dirname, '../../fixtures/observations/made-up.json');

test('the mock reproduces the made-up observations', async () => {
  const { observations } = JSON.parse(readFileSync(madeUp, 'utf8')) as ObservationsFile;
  await using mock = await startMock({ profile: madeUp });
  expect(mock.notFollowed).toEqual([]);
  expect(differences(observations, await observed(mock.target))).toEqual([]);
});

test('every row has the value that is observed without a profile, and following it chooses nothing', async () => {
  const profile = await ofPlainMock;
  const constant = profile.flatMap((each) => {
    const { own } = rowOf(each.id, each.what);
    return typeof own === 'function' ? [] : [{ ...each, own }];
  });
  expect(constant.filter(({ value, own }) => !isDeepStrictEqual(value, own))).toEqual([]);
  expect(profileFrom(profile)).toMatchObject({ choices: defaultChoices, notFollowed: [] });
});

/** All rules, with all values at all points: `npm run profiles`. */
test.each([
  'errors.generic.statuses',
  'metrics.pagination.cursor-with-other-parameters',
  'inference.undocumented.answers',
] as const)('the values of %s that are followed are observed again', async (id) => {
  const { observations } = JSON.parse(readFileSync(madeUp, 'utf8')) as ObservationsFile;
  const all = [...(await ofPlainMock), ...observations];
  const ofRule = all.filter((each) => each.id === id);
  const values = candidateValues(all.map(({ value }) => value));
  expect(await notReproduced(profileVariant(followable(ofRule, values), 0))).toEqual([]);
});

test('without an observed owner, files have no owner', async () => {
  const none = { owner: null, group: null };
  expect(await notReproduced([observation('sandbox.undocumented.answers', 'owner and group of a file', none)])).toEqual(
    [],
  );
});

const observation = <Id extends ObserveId, What extends WhatOf<Id>>(id: Id, what: What, value: ValueAt<Id, What>) =>
  renderObservation(id, what, value);

type OauthPoint = WhatOf<'oauth.extras.what-the-server-offers'>;

const offer = <What extends OauthPoint>(what: What, value: ValueAt<'oauth.extras.what-the-server-offers', What>) =>
  observation('oauth.extras.what-the-server-offers', what, value);

const html = (status: number) => ({ status, mediaType: 'text/html', body: 'text' }) as const;

const chains: readonly Observation[][] = [
  [
    observation('errors.generic.statuses', 'an agent update of malformed JSON', html(415)),
    observation('errors.generic.statuses', 'an agent update as text/plain', html(413)),
    observation('errors.generic.statuses', 'an agent update of six million bytes', html(400)),
  ],
  [
    observation('sandbox.undocumented.answers', 'a watch of an unknown directory', { status: 400 }),
    observation('sandbox.undocumented.answers', 'a watch of a file', { status: 410 }),
  ],
  [
    observation('sandbox.undocumented.answers', 'a watch of an unknown directory', { status: 204 }),
    observation('sandbox.undocumented.answers', 'a watch of a file', { status: 404 }),
  ],
  [
    observation('metrics.parameters.edge-cases', 'fractions .123456789', { status: 422 }),
    observation('metrics.parameters.edge-cases', 'a comma before the fraction', {
      status: 200,
      resolution: 'hourly',
      entries: 'one',
      by: [],
      buckets: 25,
    }),
  ],
  [
    observation('sandbox.undocumented.answers', 'a write of no files', { status: 201, body: objectOf('id') }),
    observation('sandbox.undocumented.answers', 'a write of an empty path', {
      status: 200,
      body: objectOf('files', 'name', 'path', 'subdirectories'),
    }),
  ],
  [
    offer('client_secret_basic', { status: 400 }),
    offer('the same client by header and by body', { status: 200 }),
    offer('expires_in of the client’s own token', { seconds: 60 }),
    offer('a code with another code_verifier', { status: 401, error: 'invalid_grant' }),
  ],
  [
    offer('client_secret_basic', { status: 400, error: 'invalid_scope' }),
    offer('client_secret_post', { status: 200 }),
    offer('a code with another code_verifier', { status: 400, error: 'invalid_scope' }),
  ],
  [
    offer('client_secret_basic', { status: 403 }),
    offer('client_secret_post', { status: null, error: 'unauthorized_client' }),
    offer('a code with PKCE', { status: 400, error: 'unauthorized_client', refresh: null }),
  ],
];

test.each(chains.map((profile) => [profile.map(({ what, saw }) => `${what}: ${saw}`).join('; '), profile] as const))(
  'points do not change the responses of other points (%s)',
  async (_, profile) => {
    expect(await notReproduced(profile)).toEqual([]);
  },
);

const isFollowed = observation('errors.generic.statuses', 'an unknown path of the management API', {
  status: 410,
  mediaType: null,
  body: 'nothing',
});
const isNot = observation(
  'metrics.pagination.cursor-with-other-parameters',
  'a cursor with its last character altered',
  { status: 200, continues: false },
);
const olderEntry = { id: isFollowed.id, what: isFollowed.what, saw: isFollowed.saw };

/** A temporary folder with these files. */
function inFolder(files: Readonly<Record<string, string>>): { cwd: string } & Disposable {
  const cwd = mkdtempSync(path.join(tmpdir(), 'assay-profile-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
  return { cwd, [Symbol.dispose]: () => rmSync(cwd, { recursive: true }) };
}

/** Prints the status of an unknown path of the mock that runs the command. */
const printStatus = `const { addresses, credentials } = JSON.parse(require('node:fs').readFileSync(process.env.ASSAY_TARGET, 'utf8'));
const headers = { authorization: 'Bearer ' + credentials.apiKey.value };
fetch(addresses.management + '/nowhere', { headers }).then(({ status }) => console.log('status', status));`;

test.each([
  ['a flag', ['--profile', 'observations.json'], {}],
  ['assay.config.ts', [], { 'assay.config.ts': `export default { mock: { profile: 'observations.json' } };` }],
])('a profile can be set by %s, and the mock lists what it does not follow', async (_, flags, more) => {
  const text = JSON.stringify({ target: 'staging', observations: [isFollowed, isNot] });
  using folder = inFolder({ 'observations.json': text, ...more });
  const { code, out } = await run(['mock', ...flags, '--', process.execPath, '-e', printStatus], folder);
  expect(out).toContain('status 410');
  expect(out).toMatch(
    /^Not followed: metrics\.pagination\.cursor-with-other-parameters, "a cursor with its last character altered": 200 \(.+\)$/m,
  );
  expect(code).toBe(0);
});

test('the banner says how many observations of which target the mock follows', async () => {
  await using plain = await startMock();
  expect(mockBanner(plain)).not.toContain('Follows');
  const observations = [isFollowed, isNot];
  await using mock = await startMock({ profile: { target: 'staging\u001B', observations } });
  expect(mockBanner(mock)).toMatch(/^Follows 1 observations of staging.* \(1 not followed\)\.$/m);
  expect(mockBanner(mock)).not.toContain('\u001B');
});

test.each([
  ['that does not exist', 'other.json', '', /--profile other\.json: It does not exist/],
  ['that is not JSON', 'observations.json', 'x', /--profile observations\.json: Not JSON/],
  [
    'with an unknown id',
    'observations.json',
    '[{"id":"a.b.c","what":"x","saw":"y","value":1}]',
    /observations\[0\]\.id: "a\.b\.c" is not the id of an observe rule/,
  ],
  [
    'without values',
    'observations.json',
    JSON.stringify({ target: 'staging', observations: [olderEntry] }),
    /observations\[0\] has no value.* Write a new one: assay test --target FILE --report DIR\./,
  ],
])('a profile %s is refused with exit code 2', async (_, file, text, sentence) => {
  using folder = inFolder({ 'observations.json': text });
  const { code, out } = await run(['mock', '--port', '0', '--profile', file], folder);
  expect(out).toMatch(sentence);
  expect(code).toBe(2);
});
