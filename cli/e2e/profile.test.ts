/** A mock with the observations of a stranger answers as that stranger does; `npm run profiles` holds it to every rule. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import type { WorldFile } from '../../fixtures/worlds/world-file.ts';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import { defaultChoices } from '../../mock/state/choices.ts';
import { profileFrom } from '../../mock/profile/read-profile.ts';
import type { ObservationsFile } from '../../mock/profile/read-profile.ts';
import { pointOf } from '../../mock/profile/rows.ts';
import { startMock } from '../../mock/start-mock.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { scopes as knownScopes } from '../../spec/values.ts';
import type { Observation } from '../../spec/verdicts.ts';
import { run } from './testing/assay-process.ts';
import { mockBanner } from '../mock/banner.ts';
import { differences as unlike, followable, profileOfWords } from '../dev/profile-check.ts';
import { vocabulary } from '../dev/profile-words.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const observing = requirements.filter(({ level }) => level === 'observe').map(({ id }) => id);
const SEED = 11;

/** How long a deployment took is what the machine was busy with, too. */
const isOfTime = ({ what }: Observation): boolean => what.endsWith(': time until then');

async function observed(file: TargetFile): Promise<Observation[]> {
  const outcomes = await runOnTarget({ ...file, allow: 'destroy' }, { seed: SEED, selected: observing });
  return outcomes.flatMap(({ observations }) => observations).filter((each) => !isOfTime(each));
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
const madeUp = path.join(import.meta.dirname, '../../fixtures/observations/made-up.json');

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
  expect(profileFrom(profile)).toMatchObject({ choices: defaultChoices, notFollowed: [] });
});

/** Of all rules, with all words at all points: `npm run profiles`. */
test.each([
  'errors.generic.statuses',
  'metrics.pagination.cursor-with-other-parameters',
  'inference.undocumented.answers',
] as const)('what is followed of %s is seen again in the very same words', async (id) => {
  const { observations } = JSON.parse(readFileSync(madeUp, 'utf8')) as ObservationsFile;
  const seen = [...(await byItself), ...observations];
  const words = vocabulary(seen.map(({ saw }) => saw));
  const ofRule = seen.filter((each) => each.id === id);
  expect(await unlike(profileOfWords(followable(ofRule, words), 0))).toEqual([]);
});

test('an owner that is not shown is none, and with such an observation none is shown', async () => {
  const saw = { id: 'sandbox.undocumented.answers', what: 'owner and group of a file', saw: 'none, none' } as const;
  expect(await unlike([saw])).toEqual([]);
});

const offer = (what: string, saw: string): Observation => ({ id: 'oauth.extras.what-the-server-offers', what, saw });

const chains: readonly Observation[][] = [
  [
    { id: 'errors.generic.statuses', what: 'an agent update of malformed JSON', saw: '415, text/html' },
    { id: 'errors.generic.statuses', what: 'an agent update as text/plain', saw: '413, text/html' },
    { id: 'errors.generic.statuses', what: 'an agent update of six million bytes', saw: '400, text/html' },
  ],
  [
    { id: 'sandbox.undocumented.answers', what: 'a watch of a directory that is not there', saw: '400' },
    { id: 'sandbox.undocumented.answers', what: 'a watch of a file', saw: '410' },
  ],
  [
    { id: 'sandbox.undocumented.answers', what: 'a watch of a directory that is not there', saw: '204' },
    { id: 'sandbox.undocumented.answers', what: 'a watch of a file', saw: '404' },
  ],
  [
    { id: 'metrics.parameters.edge-cases', what: 'fractions .123456789', saw: '422' },
    {
      id: 'metrics.parameters.edge-cases',
      what: 'a comma before the fraction',
      saw: '200, hourly, one entry, 25 buckets',
    },
  ],
  [
    { id: 'sandbox.undocumented.answers', what: 'a write of no files', saw: '201, id' },
    {
      id: 'sandbox.undocumented.answers',
      what: 'a write of a path that is empty',
      saw: '200, files, name, path, subdirectories',
    },
  ],
  [
    offer('client_secret_basic', '400'),
    offer('the same client by header and by body', '200'),
    offer('expires_in of the client’s own token', '60 seconds'),
    offer('a code with another code_verifier', '401 invalid_grant'),
  ],
  [
    offer('client_secret_basic', '400 invalid_scope'),
    offer('client_secret_post', '200'),
    offer('a code with another code_verifier', '400 invalid_scope'),
  ],
  [
    offer('client_secret_basic', '403'),
    offer('client_secret_post', 'unauthorized_client'),
    offer('a code with PKCE', '400 unauthorized_client, without a refresh token'),
  ],
];

test.each(chains.map((profile) => [profile.map(({ what, saw }) => `${what}: ${saw}`).join('; '), profile] as const))(
  'what one point makes of a request is no other point’s (%s)',
  async (_, profile) => {
    expect(await unlike(profile)).toEqual([]);
  },
);

const isFollowed: Observation = {
  id: 'errors.generic.statuses',
  what: 'an unknown path of the management API',
  saw: '410, no body',
};
const isNot: Observation = {
  id: 'metrics.pagination.cursor-with-other-parameters',
  what: 'a cursor altered in its last character',
  saw: '200',
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
    /^Not followed: metrics\.pagination\.cursor-with-other-parameters, "a cursor altered in its last character": 200 \(.+\)$/m,
  );
  expect(code).toBe(0);
});

test('the banner says how much of whose observations the mock follows', async () => {
  await using plain = await startMock();
  expect(mockBanner(plain)).not.toContain('Follows');
  const observations = [isFollowed, isNot];
  await using mock = await startMock({ profile: { target: 'staging\u001B', observations } });
  expect(mockBanner(mock)).toMatch(/^Follows 1 observations of staging.* \(1 not followed\)\.$/m);
  expect(mockBanner(mock)).not.toContain('\u001B');
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
