/** junit.xml: one test suite per area, one test case per selected rule. */
import type { Observation, Report, RuleResult, Verdict } from '../spec/verdicts.ts';
import { groupByCause } from './common-response.ts';
import type { FailureGroup } from './common-response.ts';
import { causesOf } from './failure-causes.ts';
import type { CauseKind, Finding } from './failure-causes.ts';
import { failureParts } from './failure-text.ts';
import type { Part } from './failure-text.ts';
import { listsRule } from './listed-failure.ts';
import { junitXml, seconds, timeShares } from './junit-xml.ts';
import type { Element } from './junit-xml.ts';
import { escapeControls } from './printable.ts';
import { areaOf, isSelected } from './report.ts';
import { hasUnmetNeed } from './unmet-needs.ts';

type Suite = Element & { readonly testcase: readonly Element[] };

/** The suite and the case for problems of the run as a whole; present only if there are any. */
const RUN = { suite: 'assay', name: 'run' };

/** The suite for operations that the target does not have; present only if there are any. */
const OPERATIONS = 'operations';

type Problem = Finding & { kind: CauseKind };

/** At least one case fails or errors if and only if the run does not pass. The hostname attribute is omitted. */
export function toJunit(report: Report, folder: string): string {
  const all = suites(report, folder);
  return junitXml({
    '@name': `assay ${report.target.name}`,
    ...totals(all.flatMap(({ testcase }) => testcase)),
    testsuite: all,
  });
}

function suites(report: Report, folder: string): Suite[] {
  const problems = causesOf(report).flatMap(({ kind, findings: found }): Problem[] =>
    found.map((each) => ({ ...each, kind })),
  );
  const byRule = Map.groupBy(problems, ({ rule }) => rule);
  const reported = report.requirements.filter((result) => isSelected(result) || byRule.has(result.id));
  const failed = report.requirements.filter(({ verdict }) => verdict === 'failed');
  const context: CaseContext = { report, folder, groups: groupByCause(failed, report) };
  const areas = [...Map.groupBy(withShares(reported, report), areaOf)].map(([area, own]) => {
    const cases = own.map((result) => testCase(result, context, byRule.get(result.id)));
    return suite(area, cases, report);
  });
  const others = byRule.get(undefined) ?? [];
  const missing = others.filter(({ route }) => route !== undefined);
  const runProblems = others.filter(({ route }) => route === undefined);
  return [
    ...areas,
    ...(missing.length === 0 ? [] : [suite(OPERATIONS, missing.map(operationCase), report)]),
    ...(runProblems.length === 0 ? [] : [suite(RUN.suite, [runCase(runProblems)], report)]),
  ];
}

function suite(name: string, testcase: readonly Element[], { run }: Report): Suite {
  return {
    '@name': name,
    ...totals(testcase),
    '@skipped': countOf(testcase, 'skipped'),
    '@timestamp': run.startedAt,
    testcase,
  };
}

/**
 * Rules run at the same time, so each gets a share of the run's time in proportion to its own. If none has a time, as for judged
 * traffic, all shares are equal.
 */
function withShares(results: readonly RuleResult[], { run }: Report): RuleResult[] {
  const isTimed = results.some(({ durationMs }) => durationMs > 0);
  const shares = timeShares(
    run,
    results.map(({ durationMs }) => (isTimed ? durationMs : 1)),
  );
  return results.map((result, index) => ({ ...result, durationMs: shares[index] ?? 0 }));
}

const countOf = (cases: readonly Element[], what: string): string =>
  String(cases.filter((each) => Object.hasOwn(each, what)).length);

const totals = (cases: readonly Element[]): Element => ({
  '@tests': String(cases.length),
  '@failures': countOf(cases, 'failure'),
  '@errors': countOf(cases, 'error'),
  '@time': seconds(cases.reduce((sum, each) => sum + 1000 * Number(each['@time']), 0)),
});

/** Child elements of a case without problems, by verdict. */
const verdictContent: { readonly [V in Verdict]?: (result: RuleResult, report: Report) => Element } = {
  'not-tried': (result) => ({ skipped: { '@message': notTriedReason(result) } }),
  'known-failure': ({ id, reason = '' }, { knownFailures = [] }) => {
    const knownReason = knownFailures.find((entry) => listsRule(entry, id))?.reason ?? '';
    return { skipped: { '@message': `known failure: ${knownReason} (${reason})` } };
  },
  observed: ({ id, newer, reason = '' }, { observations }) => {
    const observed = observations.filter((each) => each.id === id).map(line);
    const lines = newer === undefined ? observed : [escapeControls(reason), ...observed];
    return lines.length === 0 ? {} : { 'system-out': { '#text': lines.join('\n') } };
  },
};

const line = ({ what, saw }: Observation): string => `${escapeControls(what)}: ${escapeControls(saw)}`;

function notTriedReason(result: RuleResult): string {
  const { reason = '' } = result;
  return hasUnmetNeed(result) ? `not tried, missing: ${reason}` : `not tried: ${reason}`;
}

interface CaseContext {
  readonly report: Report;
  readonly folder: string;
  /** The failed rules. */
  readonly groups: readonly FailureGroup[];
}

function testCase(result: RuleResult, context: CaseContext, problems: readonly Problem[] = []): Element {
  const { id, verdict, durationMs } = result;
  const area = areaOf(result);
  // Consumers show both, with a dot between them: together they are the id.
  const name = id.slice(area.length + 1);
  const head = { '@classname': area, '@name': name, '@time': seconds(durationMs) };
  if (problems.length === 0) return { ...head, ...verdictContent[verdict]?.(result, context.report) };
  const element = verdict === 'error' ? 'error' : 'failure';
  const details = verdict === 'failed' ? failureText(result, context) : {};
  return { ...head, [element]: { ...problemAttributes(problems, '; '), ...details } };
}

const operationCase = (problem: Problem): Element => ({
  '@classname': OPERATIONS,
  '@name': problem.route ?? '',
  '@time': seconds(0),
  failure: problemAttributes([problem], ''),
});

/** Problems of assay or of the run, not of the target. */
const runCase = (problems: readonly Problem[]): Element => ({
  '@classname': RUN.suite,
  '@name': RUN.name,
  '@time': seconds(0),
  error: problemAttributes(problems, ' '),
});

const problemAttributes = (problems: readonly Problem[], separator: string): Element => ({
  '@message': problems.map((each) => each.message).join(separator),
  '@type': problems[0]?.kind,
});

/** In full only for the first of several rules that failed for one reason. */
function failureText(result: RuleResult, { groups, ...context }: CaseContext): Element {
  const group = groups.find(({ others }) => others.some(({ id }) => id === result.id));
  if (group !== undefined) return { '#text': `${result.rule}\nFailed like ${group.first.id}: ${group.cause}` };
  const lines = failureParts(result, context).map(partText);
  return { '#text': [result.rule, ...lines].join('\n') };
}

/** A request and a curl script keep their line ends. */
function partText({ label, text: found }: Part): string {
  if (label === 'curl') return found;
  const shown = escapeControls(found, { lineEnds: label === 'request' });
  return label === 'more' ? `and ${shown}` : `${label}: ${shown}`;
}
