/** junit.xml: one test suite per area, one test case per selected rule. */
import XMLBuilder from 'fast-xml-builder';
import type { Observation, Report, RuleResult, Verdict } from '../spec/verdicts.ts';
import { causesOf } from './failure-causes.ts';
import type { CauseKind, Finding } from './failure-causes.ts';
import { failureParts } from './failure-text.ts';
import type { Part } from './failure-text.ts';
import { escapeControls } from './printable.ts';
import { areaOf, isSelected } from './report.ts';
import { hasUnmetNeed } from './unmet-needs.ts';

// A key that begins with @ is an attribute, `#text` an element's text; "true" stays a value.
const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressBooleanAttributes: false,
});

type Element = Readonly<Record<string, unknown>>;
type Suite = Element & { readonly testcase: readonly Element[] };

/** Name of the suite and case for problems of the run as a whole; present only if there are any. */
const RUN = 'run';

type Problem = Finding & { kind: CauseKind };

/** At least one case fails or errors if and only if the run does not pass. The hostname attribute is omitted. */
export function toJunit(report: Report, folder: string): string {
  const all = suites(report, folder);
  const head = {
    '@name': text(`assay ${report.target.name}`),
    ...counts(all.flatMap(({ testcase }) => testcase)),
    '@time': seconds(wallTime(report)),
  };
  const xml = builder.build({ testsuites: { ...head, testsuite: all } });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`;
}

function suites(report: Report, folder: string): Suite[] {
  const problems = causesOf(report).flatMap(({ kind, findings: found }): Problem[] =>
    found.map((each) => ({ ...each, kind })),
  );
  const byRule = Map.groupBy(problems, ({ rule }) => rule);
  const reported = report.requirements.filter((result) => isSelected(result) || byRule.has(result.id));
  const areas = [...Map.groupBy(reported, areaOf)].map(([area, own]) => {
    const cases = own.map((result) => testCase(result, report, folder, byRule.get(result.id)));
    const totalMs = own.reduce((sum, { durationMs }) => sum + durationMs, 0);
    return suite(area, cases, totalMs, report);
  });
  const runProblems = byRule.get(undefined);
  return runProblems === undefined ? areas : [...areas, suite(RUN, [runCase(runProblems)], 0, report)];
}

function suite(name: string, testcase: readonly Element[], totalMs: number, { run }: Report): Suite {
  return {
    '@name': name,
    ...counts(testcase),
    '@skipped': countOf(testcase, 'skipped'),
    '@time': seconds(totalMs),
    '@timestamp': run.startedAt,
    testcase,
  };
}

const wallTime = ({ run }: Report): number => Math.max(0, Date.parse(run.endedAt) - Date.parse(run.startedAt));
const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const countOf = (cases: readonly Element[], what: string): string =>
  String(cases.filter((each) => Object.hasOwn(each, what)).length);

const counts = (cases: readonly Element[]): Element => ({
  '@tests': String(cases.length),
  '@failures': countOf(cases, 'failure'),
  '@errors': countOf(cases, 'error'),
});

/** Child elements of a case without problems, by verdict. */
const verdictContent: { readonly [V in Verdict]?: (result: RuleResult, report: Report) => Element } = {
  'not-tried': (result) => ({ skipped: { '@message': attribute(notTriedReason(result)) } }),
  'known-failure': ({ id, reason = '' }, { knownFailures = [] }) => {
    const knownReason = knownFailures.find((entry) => entry.id === id)?.reason ?? '';
    return { skipped: { '@message': attribute(`known failure: ${knownReason} (${reason})`) } };
  },
  observed: ({ id, newer, reason = '' }, { observations }) => {
    const observed = observations.filter((each) => each.id === id).map(line);
    const lines = newer === undefined ? observed : [escapeControls(reason), ...observed];
    return { 'system-out': text(lines.join('\n')) };
  },
};

const line = ({ what, saw }: Observation): string => `${escapeControls(what)}: ${escapeControls(saw)}`;

function notTriedReason(result: RuleResult): string {
  const { reason = '' } = result;
  return hasUnmetNeed(result) ? `not tried, missing: ${reason}` : `not tried: ${reason}`;
}

function testCase(result: RuleResult, report: Report, folder: string, problems: readonly Problem[] = []): Element {
  const { id, verdict, durationMs } = result;
  const head = { '@classname': attribute(areaOf(result)), '@name': attribute(id), '@time': seconds(durationMs) };
  if (problems.length === 0) return { ...head, ...verdictContent[verdict]?.(result, report) };
  const element = verdict === 'error' ? 'error' : 'failure';
  const details = verdict === 'failed' ? { '#text': failureText(result, report, folder) } : {};
  return { ...head, [element]: { ...problemAttributes(problems, '; '), ...details } };
}

/** Problems of assay or of the run, not of the target. */
const runCase = (problems: readonly Problem[]): Element => ({
  '@classname': RUN,
  '@name': RUN,
  '@time': seconds(0),
  error: problemAttributes(problems, ' '),
});

const problemAttributes = (problems: readonly Problem[], separator: string): Element => ({
  '@message': attribute(problems.map(({ message: says }) => says).join(separator)),
  '@type': problems[0]?.kind,
});

function failureText(result: RuleResult, report: Report, folder: string): string {
  const lines = failureParts(result, { report, folder }).map(partText);
  return text([result.rule, ...lines].join('\n'));
}

/** A request and a curl script keep their line ends. */
function partText({ label, text: found }: Part): string {
  if (label === 'curl') return found;
  const shown = escapeControls(found, { lineEnds: label === 'request' });
  return label === 'more' ? `and ${shown}` : `${label}: ${shown}`;
}

const attribute = (value: string): string => text(escapeControls(value));

/** Replaces characters that XML 1.0 does not allow, even as references, with U+FFFD. */
const text = (value: string): string =>
  escapeControls(value, { lineEnds: true }).replaceAll(
    /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu,
    '\uFFFD',
  );
