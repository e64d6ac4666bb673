/**
 * `npm run profiles`: with the observations of each stranger, and with the made-up ones, the mock still keeps every rule of
 * the interface; and observed again, it shows every value that it follows. Takes minutes.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import type { ObservationsFile } from '../../mock/profile/read-profile.ts';
import { startMock } from '../../mock/start-mock.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { Json } from '../../spec/observations/value-kind.ts';
import type { Observation } from '../../spec/verdicts.ts';
import { runOnTarget } from '../e2e/testing/run-on-target.ts';
import { devCommand } from './dev-command.ts';
import { candidateValues } from './candidate-values.ts';
import { differences, followable, profileVariant } from './profile-check.ts';

devCommand('profiles', 'holds the mock to what its profiles say; takes minutes').parse();

/** Rules that cannot be tried on a mock with the profile. */
const NOT_TRIED: Record<string, readonly string[]> = {
  // The authorize page requires user interaction, and token responses have no expires_in.
  strict: [
    'oauth.authorize.other-parameters-ignored',
    'oauth.code.good-once',
    'oauth.code.redirect-uri-identical',
    'oauth.code.verifier-checked',
    'oauth.errors.unknown-code',
    'oauth.token.expires-in-agrees',
  ],
  // The MCP servers choose a version without the header.
  lenient: ['mcp.functions.version-header-checked', 'mcp.sandboxes.version-header-checked'],
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

/** Profiles per rule: some points accept nearly all candidate values. */
const MAX_PROFILES = 130;

/** As many profiles as the point of the rule with the most values has. */
async function tryValues(id: string, observations: readonly Observation[], values: readonly Json[]): Promise<void> {
  const points = followable(
    observations.filter((each) => each.id === id),
    values,
  );
  const count = Math.min(MAX_PROFILES, Math.max(0, ...points.map((choices) => choices.length)));
  for (let n = 0; n < count; n++)
    for (const { what, saw, mock } of await differences(profileVariant(points, n))) {
      say(`${id}, "${what}": follows "${saw}", but "${mock}" is observed`);
      process.exitCode = 1;
    }
  say(`${id}: ${points.length} points, ${count} profiles.`);
}

for (const [name, profile] of Object.entries(profiles)) await tryRules(name, profile);
const ofPlainMock = await ofMock();
const values = candidateValues([...ofPlainMock, ...Object.values(profiles).flat()].map(({ value }) => value));
// Points that only a stranger has are not reached with a mock of the default world.
const points = [...ofPlainMock, ...(profiles['made-up'] ?? [])];
for (const id of new Set(points.map((each) => each.id))) await tryValues(id, points, values);
