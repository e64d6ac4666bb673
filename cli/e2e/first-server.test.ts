/** A run on a server that only has GET /accounts yet. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Allow } from '../../spec/formats/target-values.ts';
import { adviceFor } from '../../spec/requirements/need-advice.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Report } from '../../spec/formats/report.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import { OperationsMissing } from '../../suites/target/violation.ts';
import { newFolder, onlyThese, run, targetFile } from './testing/assay-process.ts';
import { firstServer } from './testing/first-server.ts';
import type { FirstServer } from './testing/first-server.ts';

/** Without the rules that are not selected. */
async function runOn({ target }: FirstServer, allow: Allow, globs: readonly string[]) {
  const folder = path.join(newFolder(), 'report');
  const words = ['--quick', '--seed', '5', '--patience', '3', '--report', folder, ...onlyThese(...globs)];
  const { out } = await run(['test', '--target', targetFile({ ...target, allow }), ...words]);
  const report = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as Report;
  const results = report.requirements.filter(({ reason }) => reason !== 'skipped by --only or --skip');
  return { out, results };
}

// Whichever rule is the first to need a value that all of them share.
test('rules about an operation that exists are tried, although others end because theirs are missing', async () => {
  await using server = await firstServer();
  const globs = ['errors.*', 'versions.*', 'vpcs.*', 'agents.update.round-trip'];
  const { results } = await runOn(server, 'write', globs);
  const ended = results.filter(({ reason }) => reason === new OperationsMissing().message);
  expect(ended.map(({ id }) => id)).toEqual([]);
  const verdicts = new Map(results.map(({ id, verdict }) => [id, verdict]));
  const verdictsOf = (...ids: RequirementId[]) => ids.map((id) => verdicts.get(id));
  expect(
    verdictsOf(
      'errors.management.is-json',
      'versions.default.absent-header-means-earliest-stable',
      'versions.listed.accepted-everywhere',
    ),
  ).toEqual(['passed', 'passed', 'passed']);
  // It ignores the version.
  expect(verdictsOf('versions.unknown.stable-date-refused', 'versions.unknown.preview-refused')).toEqual([
    'failed',
    'failed',
  ]);
});

test.each([404, 405, 501])('nothing has to be undone if every create and update got %d', async (status) => {
  await using server = await firstServer({ status });
  const globs = ['agents.update.*', 'naming.name.*', 'sandbox.tree.write-answers-listing', 'vpcs.*'];
  const { out } = await runOn(server, 'destroy', globs);
  expect(out.match(/^Not (?:removed|restored).*/gm)).toBeNull();
});

const failedIn = (results: readonly RuleResult[]): string[] =>
  results.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);

test('what the target file names is not the cause if the router answers unknown paths alike', async () => {
  await using server = await firstServer({ isText: true });
  const { out, results } = await runOn(server, 'destroy', ['*']);
  expect(failedIn(results).filter((id) => !id.startsWith('versions.unknown.'))).toEqual([]);
  expect(out).toMatch(
    /^failed PUT \/agents\/\{agentName\} is not implemented, or does not know a1 \(404, as for an unknown path\): \d+ rules/m,
  );
});

test('a server without credentials has one finding per operation', async () => {
  await using server = await firstServer({ isText: true, isOpen: true });
  const { out, results } = await runOn(server, 'write', ['*']);
  const failed = failedIn(results).filter((id) => !id.startsWith('versions.unknown.'));
  expect(failed).toEqual(['auth.management.credential-required']);
  expect(out).toMatch(/^failed POST \/vpcs is not implemented \(404\): \d+ rules wait for it$/m);
});

test('an MCP server that is missing is one finding', async () => {
  await using server = await firstServer();
  const { out, results } = await runOn(server, 'write', ['mcp.functions.*']);
  expect(failedIn(results)).toEqual([]);
  expect(out.match(/^failed .*/gm)).toEqual([
    expect.stringMatching(
      /^failed POST \/\{workspace\}\/functions\/\{serverName\}\/mcp is not implemented, or does not know f1 \(404, as for an unknown path\): \d+ rules wait for it$/,
    ),
  ]);
});

const OBSERVED = /returned \d{3}|status \d{3}|waits for/;
const NEXT_STEP = /waits for|--allow|target file|\banswer [A-Z]+ \//;

test.each(['read', 'write', 'destroy'] as const)(
  'every rule that is not tried says why with --allow %s',
  async (allow) => {
    await using server = await firstServer({ oauth: 401 });
    const { results } = await runOn(server, allow, ['*']);
    const reasons = results
      .filter(
        ({ verdict, missing }) =>
          verdict === 'not-tried' && (missing === undefined || adviceFor(missing) === undefined),
      )
      .map(({ id, reason = '' }) => ({ id, reason }));
    expect(reasons.length).toBeGreaterThan(10);
    const isExplained = ({ reason }: { reason: string }): boolean =>
      (OBSERVED.test(reason) && NEXT_STEP.test(reason)) || adviceFor(reason) !== undefined;
    expect(reasons.filter((each) => !isExplained(each))).toEqual([]);
  },
);

test('the replay of a rule that waits for an operation says so, with the flags of the run', async () => {
  await using server = await firstServer();
  const folder = path.join(newFolder(), 'report');
  const file = targetFile({ ...server.target, allow: 'read' });
  const flags = [
    '--allow',
    'write',
    '--patience',
    '3',
    '--max-body',
    '2MiB',
    '--rate',
    '400',
    '--operation',
    'createVpc',
  ];
  const RULE = 'vpcs.create.answers-resource';
  await run(['test', '--target', file, '--report', folder, ...flags, ...onlyThese(RULE)]);
  const { run: facts } = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as Report;
  expect(facts).toMatchObject({
    rate: 400,
    patience: 3,
    maxBody: 2 * 1024 ** 2,
    operations: ['createVpc'],
    chosenOperations: true,
  });
  const replayed = await run(['replay', folder, RULE]);
  expect(replayed.code).toBe(2);
  expect(replayed.out.replaceAll(/\s+/g, ' ')).toContain(
    `${RULE} waits for POST /vpcs, which is not implemented (404). Implement POST /vpcs and replay it again.`,
  );
  expect(replayed.out).not.toContain('missing waits');
  // A request shows that its operation is missing, but it has not failed.
  const other = await run(['replay', folder, 'metrics.resolution.hourly-cap']);
  expect(other.out.replaceAll(/\s+/g, ' ')).toContain('nothing to replay. None of its rules failed.');
});
