/** What a deployment refuses that the interface does not define is named in the reason, or replaced, and fails no rule about something else. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { listOf, pickyTarget } from './testing/picky-target.ts';
import type { Fields, PickyOptions, PickyRequest, Refuses, RefusesData } from './testing/picky-target.ts';
import { create, isText, someTrigger } from './testing/refused-values.ts';
import { runOnTarget } from './testing/run-on-target.ts';

interface Overrides {
  readonly samples?: Fields;
  /** Deviations of the server that is picky. */
  readonly deviate?: readonly string[];
}

/** By rule: its verdict, and the reason if there is one. */
async function outcomesOn(
  refuses: Refuses,
  rules: readonly RequirementId[],
  { samples, deviate = [], ...options }: PickyOptions & Overrides = {},
) {
  await using mock = await startMock({ sandboxUrls: 'path', onlyDocumented: options.refusal?.status === 503, deviate });
  await using target = await pickyTarget(mock.target, refuses, options);
  const { samples: _, ...file } = target.target;
  const outcomes = await runOnTarget(
    { ...file, ...(samples && { samples }), allow: 'destroy' },
    { selected: rules, runs: 12, patienceSeconds: 3 },
  );
  return outcomes.map(({ result: { id, verdict, reason } }) => ({ id, verdict, reason }));
}

const outside: Refuses = ({ spec }, { path }) =>
  path.includes('/agents/') && listOf(spec['volumes']).some(({ mountPath }) => isText(mountPath, /^\/(?!vol9\/)/));
const ofVolumes = ['agents.volumes.region-required', 'agents.volumes.mount-path-absolute'] as const;

test.concurrent('mount paths that a deployment refuses are named, and the sample that replaces them', async () => {
  const refusal = { status: 400, message: 'mount paths are below /vol9' };
  for (const { verdict, reason } of await outcomesOn(outside, ofVolumes, { refusal })) {
    expect(verdict).toBe('not-tried');
    expect(reason).toMatch(/at \/mnt\/assay-0 \(status 400: "mount paths are below \/vol9"\).*samples\.mountPath/);
  }
  const samples = { mountPath: '/vol9/data' };
  const given = await outcomesOn(outside, ofVolumes, { refusal, samples });
  expect(given).toMatchObject(ofVolumes.map(() => ({ verdict: 'passed' })));
});

test.concurrent('other mount paths that a deployment accepts are used', async () => {
  const refuses: Refuses = ({ spec }, { path }) =>
    path.includes('/agents/') && listOf(spec['volumes']).some(({ mountPath }) => isText(mountPath, /^\/(?!data\/)/));
  const rules = [...ofVolumes, 'agents.update.any-sequence-follows-the-model'] as const;
  expect(await outcomesOn(refuses, rules)).toMatchObject(rules.map(() => ({ verdict: 'passed' })));
});

test.concurrent('a deployment that refuses volumes that are read-only fails, and other rules attach others', async () => {
  const refuses: Refuses = ({ spec }) => listOf(spec['volumes']).some(({ readOnly }) => readOnly === true);
  const [roundTrip, ...others] = await outcomesOn(refuses, ['agents.update.round-trip', ...ofVolumes]);
  expect(roundTrip).toMatchObject({ verdict: 'failed' });
  expect(others).toMatchObject(ofVolumes.map(() => ({ verdict: 'passed' })));
});

test.concurrent('a limit of one volume per agent is named', async () => {
  const refuses: Refuses = ({ spec }, { path }) => path.includes('/agents/') && listOf(spec['volumes']).length > 1;
  const [outcome] = await outcomesOn(refuses, ['agents.update.round-trip']);
  expect(outcome).toMatchObject({ verdict: 'passed', reason: expect.stringContaining('accepts 3 volumes at once') });
});

/** A write has at most one directory in the name of a file. */
const namesAreShort: RefusesData = ({ files }) => Object.keys(files ?? {}).some((path) => path.split('/').length > 2);

test.concurrent('files are written where a rule is about them if a deployment accepts no deep names', async () => {
  const rules = [
    'sandbox.watch.every-write-a-line',
    'sandbox.watch.only-its-directory',
    'sandbox.watch.watchers-independent',
    'sandbox.tree.nested-directories',
    'sandbox.tree.write-keeps-others',
    'sandbox.tree.readable-after-write',
  ] as const;
  const outcomes = await outcomesOn(() => false, rules, { refusesData: namesAreShort });
  const verdicts = Object.fromEntries(outcomes.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts).toEqual(Object.fromEntries(rules.map((id) => [id, 'passed'])));
});

test.concurrent.each([
  ['sandbox.watch.every-write-a-line', 'does-not-report-files-written-via-the-parent-directory'],
  ['sandbox.tree.nested-directories', 'omits-directories-whose-name-starts-with-another'],
] as const)('%s fails on such a deployment that %s', async (rule, deviation) => {
  const deviate = [`${rule}/${deviation}`];
  const [outcome] = await outcomesOn(() => false, [rule], { refusesData: namesAreShort, deviate });
  expect(outcome).toMatchObject({ verdict: 'failed' });
});

/** In names of files, relative to the directory of the write. */
const directoryCount = ({ files }: Fields): number =>
  new Set(Object.keys(files ?? {}).flatMap((path) => /^(.*)\//.exec(path)?.[1] ?? [])).size;
const fileCount = ({ files }: Fields): number => Object.keys(files ?? {}).length;

test.concurrent.each<[string, RefusesData, readonly RequirementId[]]>([
  [
    'several directories at once',
    (body) => directoryCount(body) > 1,
    ['sandbox.watch.watchers-independent', 'sandbox.tree.paths-end-with-names'],
  ],
  ['two files', (body) => fileCount(body) === 2, ['sandbox.watch.watchers-independent']],
  [
    'more than one file',
    (body) => fileCount(body) > 1,
    ['sandbox.tree.listing-shape', 'sandbox.tree.readable-after-write'],
  ],
])('rules about something else are not tried on a sandbox that refuses %s', async (_, refusesData, rules) => {
  const outcomes = await outcomesOn(() => false, ['sandbox.tree.write-answers-listing', ...rules], {
    refusesData,
  });
  const verdicts = Object.fromEntries(outcomes.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts).toEqual({
    'sandbox.tree.write-answers-listing': 'failed',
    ...Object.fromEntries(rules.map((id) => [id, 'not-tried'])),
  });
});

test.concurrent('a sandbox that refuses writes to directories that have been watched fails', async () => {
  const watched = new Set<string>();
  const directoryIn = (path: string, of: string): string => (path.split(of)[1] ?? '').replace(/^\//, '');
  const routed = ({ path }: PickyRequest): undefined => {
    if (path.includes('/watch/filesystem/')) watched.add(directoryIn(path, '/watch/filesystem/'));
  };
  const refusesData: RefusesData = (body, { path }) =>
    fileCount(body) > 1 && watched.has(directoryIn(path, '/filesystem/tree/'));
  const rule = 'sandbox.watch.watchers-independent';
  expect(await outcomesOn(() => false, [rule], { routed, refusesData })).toMatchObject([
    { id: rule, verdict: 'failed' },
  ]);
});

test.concurrent('an MCP server that supports no era shows nothing about sessions', async () => {
  const routed = ({ path }: PickyRequest) => (path.endsWith('/mcp') ? 406 : undefined);
  const rule = 'mcp.undocumented.session-and-capabilities';
  const reason = /^an MCP server that supports .*initialize: status 406; server\/discover: status 406/;
  expect(await outcomesOn(() => false, [rule], { routed })).toMatchObject([
    { id: rule, verdict: 'not-tried', reason: expect.stringMatching(reason) },
  ]);
});

const ofThreads = [
  'inference.agents.answers',
  'inference.agents.threads-separate',
  'inference.agents.no-thread-no-memory',
] as const;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

test.concurrent.each([
  ['UUIDs', UUID],
  ['at most 40 characters', /^.{1,40}$/],
])('rules about threads are tried on agents whose thread ids are %s', async (_, threads) => {
  const outcomes = await outcomesOn(() => false, ofThreads, { threads });
  expect(outcomes).toMatchObject(ofThreads.map((id) => ({ id, verdict: 'passed' })));
  expect(outcomes[1]?.reason).toMatch(/inputs show nothing.*accepts the thread id \S+ \(status 400\)/);
});

test.concurrent('a thread id that an agent refuses is named, also in another form', async () => {
  const [outcome] = await outcomesOn(() => false, ['inference.agents.threads-separate'], { threads: /^$/ });
  expect(outcome).toMatchObject({
    verdict: 'not-tried',
    reason: expect.stringMatching(/^an agent that accepts the thread id "[\da-f-]{36}" \(status 400\)/),
  });
});

test.concurrent.each([
  'shares-one-thread-among-all-calls-of-mk3-agents',
  'shares-one-thread-among-calls-after-the-third-of-each-thread',
  'assigns-simultaneous-calls-to-the-thread-of-the-last-one',
])('an agent that %s fails, also if it accepts only UUIDs', async (deviation) => {
  const rule = 'inference.agents.threads-separate';
  const deviate = [`${rule}/${deviation}`];
  const [outcome] = await outcomesOn(() => false, [rule], { threads: UUID, deviate });
  expect(outcome).toMatchObject({ verdict: 'failed' });
});

const ofCreates = [
  ['vpcs', 'vpcs.create.answers-resource', 'vpcSpec'],
  ['functions', 'functions.create.with-connection', 'functionSpec'],
  ['connections', 'integrations.connections.create-succeeds', 'connectionSecrets'],
] as const;

test.concurrent.each(ofCreates)('a refused displayName of %s is no refused spec', async (collection, rule, sample) => {
  const refusal = { status: 422, message: 'The displayName is not one of the registered ones.' };
  const [outcome] = await outcomesOn(
    create(collection, () => true),
    [rule],
    { refusal },
  );
  expect(outcome?.verdict).toBe('not-tried');
  expect(outcome?.reason).toMatch(
    /^metadata\.displayName that is accepted \(sent: "Assay\w+"; status 422: "The display/,
  );
  expect(outcome?.reason).not.toContain(sample);
});

test.concurrent.each(ofCreates)('a refusal of %s without a label names no sample', async (collection, rule) => {
  const isRefused = create(collection, (_, { labels }) => labels === undefined);
  const [outcome] = await outcomesOn(isRefused, [rule], { refusal: { status: 422, message: 'a label is missing' } });
  expect(outcome?.reason ?? '').not.toContain('samples.');
});

test.concurrent('an agent that refuses every update of its generation lacks no sample', async () => {
  const refuses: Refuses = ({ spec }, { method, path }) =>
    method === 'PUT' && path.includes('/agents/') && (spec['runtime'] as Fields | undefined)?.['generation'] === 'mk2';
  const refusal = { status: 400, message: 'generation mk2 is retired' };
  const rules = [
    'agents.triggers.ids-distinct',
    'agents.triggers.callback-secret-is-the-servers',
    'agents.triggers.timeout-at-most-900',
  ] as const;
  const outcomes = await outcomesOn(refuses, rules, { refusal });
  for (const { reason } of outcomes) expect(reason ?? '').not.toContain('samples.');
  const reasons = outcomes.flatMap(({ verdict, reason }) => (verdict === 'not-tried' ? [reason] : []));
  expect(reasons).not.toEqual([]);
  for (const reason of reasons) expect(reason).toContain('mk2');
});

const namedOnly = [
  'naming.name.at-most-49',
  'naming.name.valid-accepted',
  'naming.labels.string-values',
  'functions.create.with-connection',
] as const;

test.concurrent.each([
  ['letters, digits, spaces and hyphens', /[^A-Za-z0-9 -]/],
  ['letters and digits', /[^A-Za-z0-9]/],
])('displayNames of functions that have only %s fail no rule about something else', async (_, refused) => {
  const refuses = create('functions', (__, { displayName }) => isText(displayName, refused));
  const outcomes = await outcomesOn(refuses, [...namedOnly, 'naming.display-name.up-to-63-accepted']);
  const failed = outcomes.filter(({ verdict }) => verdict !== 'passed').map(({ id }) => id);
  expect(failed).toEqual(['naming.display-name.up-to-63-accepted']);
});

test.concurrent('a defined value that a deployment answers with 503 is a failure', async () => {
  const refuses = someTrigger((__, { timeout }) => timeout === 900);
  const rule = 'agents.triggers.timeout-at-most-900';
  expect(await outcomesOn(refuses, [rule], { refusal: { status: 503 } })).toMatchObject([
    { id: rule, verdict: 'failed' },
  ]);
});

test.concurrent('a sandbox that refuses every update of a file breaks the rule that quotes it', async () => {
  const existing = new Set<string>();
  const refusesData = ({ files }: Fields, { path }: { path: string }): boolean => {
    if (!path.includes('/filesystem/tree/')) return false;
    const written = Object.keys(files ?? {}).map((name) => `${path}/${name}`);
    const isUpdate = written.some((each) => existing.has(each));
    for (const each of written) existing.add(each);
    return isUpdate;
  };
  const rules = ['sandbox.tree.size-in-bytes', 'sandbox.tree.write-answers-listing'] as const;
  const outcomes = await outcomesOn(() => false, rules, { refusesData });
  expect(outcomes).toMatchObject(rules.map((id) => ({ id, verdict: 'failed' })));
});
