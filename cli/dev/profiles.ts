/**
 * `npm run profiles`: with the observations of each stranger, and with the made-up ones, the mock still keeps every rule of
 * the interface; and whatever words of a point it follows, it is seen to follow. Takes minutes.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import type { ObservationsFile } from '../../mock/profile/read-profile.ts';
import { startMock } from '../../mock/start-mock.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { Observation } from '../../spec/verdicts.ts';
import { runOnTarget } from '../e2e/testing/run-on-target.ts';
import { devCommand } from './dev-command.ts';
import { differences, followable, profileOfWords } from './profile-check.ts';
import { vocabulary } from './profile-words.ts';

devCommand('profiles', 'holds the mock to what its profiles say; takes minutes').parse();

/** Rules that cannot be tried on a mock that answers so. */
const NOT_TRIED: Record<string, readonly string[]> = {
  strict: ['oauth.code.good-once'], // the authorize page wants a person
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const outcomes = (file: TargetFile, level: 'must' | 'observe') =>
  runOnTarget(
    { ...file, allow: 'destroy' },
    { selected: requirements.filter((each) => each.level === level).map(({ id }) => id) },
  );

const observed = async (file: TargetFile): Promise<Observation[]> =>
  (await outcomes(file, 'observe')).flatMap(({ observations }) => observations);

async function ofStranger(character: 'strict' | 'lenient'): Promise<Observation[]> {
  await using stranger = await startStranger({ character, deploymentMs: 1000 });
  return await observed(stranger.target);
}

async function ofMock(): Promise<Observation[]> {
  await using mock = await startMock();
  return await observed(mock.target);
}

const MADE_UP = path.join(import.meta.dirname, '../../fixtures/observations/made-up.json');
const profiles: Record<string, readonly Observation[]> = {
  strict: await ofStranger('strict'),
  lenient: await ofStranger('lenient'),
  'made-up': (JSON.parse(readFileSync(MADE_UP, 'utf8')) as ObservationsFile).observations,
};

/** Says which rules are not as they are without a profile. */
async function tryRules(name: string, profile: readonly Observation[]): Promise<void> {
  await using mock = await startMock({ profile });
  const results = (await outcomes(mock.target, 'must')).map(({ result }) => result);
  const expected = (id: string) => (NOT_TRIED[name]?.includes(id) === true ? 'not-tried' : 'passed');
  const wrong = results.filter(({ id, verdict }) => verdict !== expected(id));
  say(`${name}: ${results.length - wrong.length} of ${results.length} rules are as expected.`);
  for (const { id, verdict, reason } of wrong) {
    say(`${verdict} ${id}: ${reason}`);
    process.exitCode = 1;
  }
}

/** Some points take any names, and so nearly all words there are: each is tried with so many. */
const MOST = 130;

/** Rule by rule, in as many profiles as a point of the rule has words. */
async function tryWords(id: string, seen: readonly Observation[], words: readonly string[]): Promise<void> {
  const points = followable(
    seen.filter((each) => each.id === id),
    words,
  );
  const most = Math.min(MOST, Math.max(0, ...points.map((choices) => choices.length)));
  for (let n = 0; n < most; n++)
    for (const { what, saw, mock } of await differences(profileOfWords(points, n))) {
      say(`${id}, "${what}": follows "${saw}", and is seen to do "${mock}"`);
      process.exitCode = 1;
    }
  say(`${id}: ${points.length} points, ${most} profiles.`);
}

for (const [name, profile] of Object.entries(profiles)) await tryRules(name, profile);
const byItself = await ofMock();
const words = vocabulary([...byItself, ...Object.values(profiles).flat()].map(({ saw }) => saw));
// What a stranger alone was asked, a mock of the default world is not asked either.
const points = [...byItself, ...(profiles['made-up'] ?? [])];
for (const id of new Set(points.map((each) => each.id))) await tryWords(id, points, words);
