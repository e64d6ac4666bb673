/** A published sandbox server, as it is and with path lines: verdicts, observations, and a mock that follows them. */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { Observation } from '../../spec/verdicts.ts';
import { startPublishedSandbox, type PublishedSandboxOptions } from './testing/published-sandbox.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const sandboxRules = requirements.map(({ id }) => id).filter((id) => id.startsWith('sandbox.'));
const watchRules = sandboxRules.filter((id) => id.startsWith('sandbox.watch.'));

const verdicts = (outcomes: readonly CaseOutcome[]) =>
  Object.fromEntries(outcomes.map(({ result: { id, verdict, reason } }) => [id, reason ?? verdict]));
const failed = (outcomes: readonly CaseOutcome[]) =>
  outcomes.filter(({ result }) => ['failed', 'error'].includes(result.verdict)).map(({ result }) => result);
const valuesOf = (outcomes: readonly CaseOutcome[]) =>
  new Map(outcomes.flatMap(({ observations }) => observations).map(({ what, value }) => [what, value]));

async function tryPublished(options: PublishedSandboxOptions, selected: readonly string[] = sandboxRules) {
  await using sandbox = await startPublishedSandbox({ keepAliveMs: 5000, ...options });
  return await runOnTarget(sandbox.target, { selected: [...selected] as typeof sandboxRules });
}

describe('with path lines, and watches below the working directory', () => {
  let outcomes: CaseOutcome[];
  beforeAll(async () => {
    outcomes = await tryPublished({ lines: 'paths', workingDirectory: '/app' });
  });

  test('every rule passes', () => {
    expect(failed(outcomes)).toEqual([]);
    const tried = outcomes.filter(({ result }) => result.verdict !== 'not-tried');
    expect(tried.map(({ result }) => result.id)).toEqual(expect.arrayContaining(watchRules));
  });

  test('what the interface leaves open is observed', () => {
    expect(Object.fromEntries(valuesOf(outcomes))).toMatchObject({
      'the path of a watch': 'absolute',
      'the headers of a watch': 'with the first line',
      'the format of lines': 'absolute paths',
      'keep-alive lines': { line: '[keepalive]', everySeconds: 5 },
      'a watch of a path that ends in /**': 'with subdirectories',
      'a watch of a file of a subdirectory': 'not reported',
      'a watch with ?ignore': ['exact name', 'extension', 'prefix', 'part of a name'],
      'a watch with ?exclude': [],
      'a watch of an unknown directory': { status: 400 },
      'other files of a refused write': 'written',
      'the format of permissions': 'octal',
    });
  });
});

test('watches of absolute paths that are percent-encoded are found', async () => {
  const rules = ['sandbox.watch.every-write-a-line', 'sandbox.undocumented.answers'];
  const outcomes = await tryPublished({ lines: 'paths', hasEncodedWatches: true }, rules);
  expect(verdicts(outcomes)).toMatchObject({ 'sandbox.watch.every-write-a-line': 'passed' });
  expect(Object.fromEntries(valuesOf(outcomes))).toMatchObject({ 'the path of a watch': 'absolute, percent-encoded' });
});

test('its MCP endpoint, which serves versions with and without initialize, and its errors conform', async () => {
  const rules = requirements.map(({ id }) => id).filter((id) => /^(mcp\.sandboxes|errors\.sandbox)\./.test(id));
  const outcomes = await tryPublished({ lines: 'paths' }, [...rules, 'mcp.undocumented.session-and-capabilities']);
  expect(verdicts(outcomes)).toEqual({
    ...Object.fromEntries(rules.map((id) => [id, 'passed'])),
    'mcp.undocumented.session-and-capabilities': 'observed',
  });
  expect(Object.fromEntries(valuesOf(outcomes))).toMatchObject({
    'sandbox: era': 'dual-era',
    'sandbox: session id': 'none',
    'sandbox: GET': { status: 405 },
  });
});

test('its errors are those of watches that it finds', async () => {
  const rules = ['errors.sandbox.body-shape', 'errors.management.is-json'];
  const outcomes = await tryPublished({ lines: 'paths', hasEncodedWatches: true }, rules);
  expect(verdicts(outcomes)).toEqual({
    'errors.sandbox.body-shape': 'passed',
    'errors.management.is-json': 'passed',
  });
});

describe.each(['/', '/app'] as const)('as it is, in the working directory %s', (workingDirectory) => {
  test('only the rule that its lines break fails, and says what they are', async () => {
    const startedAt = performance.now();
    const outcomes = await tryPublished({ lines: 'JSON objects', workingDirectory }, watchRules);
    expect(verdicts(outcomes)).toEqual({
      'sandbox.watch.every-write-a-line': expect.stringMatching(
        /^\d lines, such as ".*sentinel-.*, expected a line with only the path of "sentinel-\d+\.txt"/,
      ),
      'sandbox.watch.only-its-directory': 'passed',
      'sandbox.watch.watchers-independent': 'passed',
    });
    // Each of them waited for lines that had arrived in another form, until the patience of the run was over.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});

test('a watch may need time to report anything, while others of its directory report', async () => {
  const outcomes = await tryPublished({ lines: 'paths', slowWatches: 2 }, ['sandbox.watch.watchers-independent']);
  expect(verdicts(outcomes)).toEqual({ 'sandbox.watch.watchers-independent': 'passed' });
});

test('a mock that follows its observations reproduces them', async () => {
  const id = 'sandbox.undocumented.answers';
  const profile = (await tryPublished({ lines: 'JSON objects' }, [id])).flatMap(({ observations }) => observations);
  expect(profile.find(({ what }) => what === 'the format of lines')?.value).toEqual({
    members: { op: 'string', name: 'name', path: 'directory', error: 'null' },
  });
  await using mock = await startMock({ profile });
  const followed = profile.filter(({ what }) => !mock.notFollowed.some((each) => each.what === what));
  const outcomes = await runOnTarget({ ...mock.target, allow: 'write' }, { selected: [id] });
  const values = valuesOf(outcomes);
  const isDifferent = ({ what, value }: Observation) => !isDeepStrictEqual(value, values.get(what));
  expect(followed.filter(isDifferent).map(({ what, value }) => ({ what, value, mock: values.get(what) }))).toEqual([]);
  // It returns the path of a listing as it was requested.
  expect(mock.notFollowed.filter(({ what }) => !what.startsWith('a read by a path with '))).toEqual([]);
});
