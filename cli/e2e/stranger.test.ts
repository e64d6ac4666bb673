/** Runs every case on two independent conforming servers: no case may fail, and the cases that are not tried are listed. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import type { StrangerOptions } from '../../fixtures/strangers/stranger.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Allow } from '../../spec/formats/target-values.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { readByPrism } from '../../spec/prism/reader.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import { oracleErrors } from '../../reports/oracle/harness-errors.ts';
import { oracleReport } from '../../reports/oracle/oracle-report.ts';
import { collectCases } from '../../suites/engine/collect-cases.ts';
import { openRun } from '../../suites/engine/open-run.ts';
import { runCase } from '../../suites/engine/run-case.ts';
import type { Case } from '../../suites/engine/run-case.ts';
import { openTestTarget } from './testing/run-on-target.ts';

type Character = StrangerOptions['character'];
/** Rules that cannot be tried, and why. */
type NotTried = Partial<Record<RequirementId, string>>;

/** Inputs per property; the mock gets more. */
const RUNS = 8;
/** Long enough to be observed, and short enough to wait for. */
const DEPLOYMENT_MS = 1000;
/** Several times the duration of a deployment. */
const PATIENCE_SECONDS = 12;

/** The servers have none of the inferred operations, so nothing that is created can be removed. */
const neither: NotTried = {
  'agents.runtime.empty-generation': 'no agent can be created',
  'auth.workspace-header.missing-or-other': 'it would create resources that cannot be removed',
  'jobs.executions.billed': 'their metrics do not change',
  'naming.name.hyphens-digits-reserved': 'it would create resources that cannot be removed',
};

const notTried: Record<Character, NotTried> = {
  strict: {
    ...neither,
    'oauth.authorize.other-parameters-ignored': 'the authorize page requires user interaction',
    'oauth.authorize.state-returned': 'the authorize page requires user interaction',
    'oauth.code.good-once': 'the authorize page requires user interaction',
    'oauth.code.redirect-uri-identical': 'the authorize page requires user interaction',
    'oauth.code.verifier-checked': 'the authorize page requires user interaction',
    'oauth.errors.unknown-code': 'the authorize page requires user interaction',
    'oauth.token.expires-in-agrees': 'its token responses have no expires_in',
    'resources.events.times-are-timestamps': 'its responses have no events with a time',
    'sandbox.multipart.uploads-distinct': 'it has no uploads',
  },
  lenient: {
    ...neither,
    'errors.management.code-is-the-status': 'its Error bodies have no code',
    'integrations.get.entries-identified': 'its providers have no organizations or repositories',
    'mcp.functions.version-header-checked': 'it chooses a version without the header',
    'mcp.sandboxes.version-header-checked': 'it chooses a version without the header',
  },
};

const cases = await collectCases();
const prism = await readByPrism();
/** Each area runs on its own server, so that they wait for deployments concurrently. */
const areas = Object.values(Object.groupBy(cases.values(), ({ rule }) => rule.id.split('.', 1)[0] ?? ''));

/** The options of a trial. */
interface Trial extends Pick<StrangerOptions, 'character' | 'hasSinglePages'> {
  readonly seed: number;
  readonly allow: Allow;
  /** Only the first round of every rule. Defaults to false. */
  readonly isQuick?: boolean;
  /** Changes the target file. */
  readonly edit?: (file: TargetFile) => TargetFile;
}

/**
 * Prism takes as long as everything else, so it only reads the runs with all permissions, and no metrics, of which it reads
 * the mock's.
 */
const isReadByPrism = (some: readonly Case[], { allow }: Trial): boolean =>
  allow === 'destroy' && some[0]?.rule.id.startsWith('metrics.') !== true;

async function tryArea(some: readonly Case[], trial: Trial): Promise<CaseOutcome[]> {
  const { seed, allow, isQuick = false, edit = (file) => file, ...options } = trial;
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-stranger-'));
  await using stranger = await startStranger({ ...options, deploymentMs: DEPLOYMENT_MS });
  const target = await openTestTarget({ ...edit(stranger.target), allow });
  const patienceSeconds = PATIENCE_SECONDS;
  const ledgerFile = path.join(folder.path, 'ledger');
  const settings = {
    isProcessShared: true,
    target,
    seed,
    runs: RUNS,
    isQuick,
    patienceSeconds,
    runId: 'stranger',
    ledgerFile,
  };
  const run = openRun(settings, isReadByPrism(some, trial) ? prism : undefined);
  const outcomes: CaseOutcome[] = [];
  try {
    for (const each of some) outcomes.push(await runCase(each, run.context));
  } finally {
    await run.close();
  }
  return outcomes;
}

const resultsOf = (outcomes: readonly CaseOutcome[]): RuleResult[] => outcomes.map(({ result }) => result);

async function tryOut(trial: Trial, some = areas): Promise<CaseOutcome[]> {
  return (await Promise.all(some.map((area = []) => tryArea(area, trial)))).flat();
}

/** The findings of the oracle, none of which is expected. */
function saidByOracle(outcomes: readonly CaseOutcome[]) {
  const oracle = oracleReport({ name: 'prism', outcomes, results: resultsOf(outcomes) });
  const { checked, violations, disagreements } = oracle;
  return { checked: checked > 0, violations, disagreements, faults: oracleErrors(oracle) };
}
const nothing = { checked: true, violations: [], disagreements: [], faults: [] };

/** Failures by rule, so that a failing test prints all of them. */
function wrong(results: readonly RuleResult[]) {
  return results
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'error')
    .map(({ id, verdict, reason, counterexample }) => ({ id, verdict, reason, ...counterexample }));
}

test.each([
  { character: 'strict', seed: 1 },
  { character: 'lenient', seed: 2 },
] as const)('every rule that can be tried passes on the $character server', async ({ character, seed }) => {
  const outcomes = await tryOut({ character, seed, allow: 'destroy' });
  const results = resultsOf(outcomes);
  const left = results.filter(({ verdict }) => verdict === 'not-tried');
  for (const { id, reason } of left) console.info(`${character}: ${id} not tried: ${reason}`);
  expect(wrong(results)).toEqual([]);
  expect(saidByOracle(outcomes)).toEqual(nothing);
  expect(results).toHaveLength(cases.size);
  expect(left.map(({ id }) => id).sort()).toEqual(Object.keys(notTried[character]).sort());
});

const withoutMetrics = areas.filter((area) => area?.[0]?.rule.id.startsWith('metrics.') === false);

test.each(['strict', 'lenient'] as const)('a quick run reports no failure of the %s server', async (character) => {
  const results = resultsOf(await tryOut({ character, seed: 4, allow: 'write', isQuick: true }));
  expect(wrong(results)).toEqual([]);
});

test.each(['strict', 'lenient'] as const)('a read-only run reports no failure of the %s server', async (character) => {
  const outcomes = await tryOut({ character, seed: 3, allow: 'read' }, withoutMetrics);
  const results = resultsOf(outcomes);
  expect(wrong(results)).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(0);
});

/** Areas that depend on the credential that creates. */
const creating = areas.filter((area) =>
  ['agents', 'functions', 'integrations', 'naming', 'vpcs'].includes(area?.[0]?.rule.id.split('.', 1)[0] ?? ''),
);

type Credentials = NonNullable<TargetFile['credentials']>;

test.each([
  ['an API key for admin', ({ apiKey }) => (apiKey === undefined ? {} : { admin: apiKey })],
  ['an API key of a workspace admin alone', ({ workspaceAdmin }) => (workspaceAdmin ? { workspaceAdmin } : {})],
  ['a caller who may only read metrics', ({ member }) => (member === undefined ? {} : { member })],
] satisfies [string, (all: Credentials) => Credentials][])('%s gets no failure', async (_, credentials) => {
  const edit = (file: TargetFile): TargetFile => ({ ...file, credentials: credentials(file.credentials ?? {}) });
  const outcomes = await tryOut({ character: 'strict', seed: 4, allow: 'write', edit }, creating);
  expect(wrong(resultsOf(outcomes))).toEqual([]);
});

/** Selects the rules that need no workspace. */
const only =
  (name: 'admin' | 'member' | 'workspaceAdmin') =>
  ({ workspace: _, credentials: { [name]: one } = {}, ...file }: TargetFile): TargetFile => ({
    ...file,
    account: '4711',
    credentials: one === undefined ? {} : { [name]: one },
  });

test.each([
  ['a workspace admin alone', 'metrics.accounts.foreign-refused', { edit: only('workspaceAdmin') }],
  ['a member alone', 'metrics.roles.workspace-filter-admin-only', { edit: only('member') }],
  ['an account admin alone', 'metrics.roles.admin-may-use-both', { edit: only('admin') }],
  ['one group on each page', 'metrics.group-by.entries-distinct', { hasSinglePages: true }],
] satisfies [string, RequirementId, Partial<Trial>][])('%s is enough for %s', async (_, id, trial) => {
  const some = [...cases.values()].filter(({ rule }) => rule.id === id);
  const [outcome] = await tryOut({ character: 'strict', seed: 5, allow: 'read', ...trial }, [some]);
  expect(outcome?.result).toMatchObject({ id, verdict: 'passed' });
});

test('with one group on each page, totalUsage shows no sum', async () => {
  const some = [...cases.values()].filter(({ rule }) => rule.id === 'metrics.sums.total-usage');
  const [outcome] = await tryOut({ character: 'strict', seed: 5, allow: 'read', hasSinglePages: true }, [some]);
  expect(outcome?.result).toMatchObject({
    verdict: 'not-tried',
    reason: expect.stringMatching(/^a single page with totalUsage and the usage of more than one group/) as string,
  });
});
