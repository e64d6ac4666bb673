/** junit.xml: a test suite an area, a test case a rule, in the form that CI systems read. */
import XMLBuilder from 'fast-xml-builder';
import type { Observation, Report, RuleResult, Verdict } from '../spec/verdicts.ts';
import { causesOf } from './failure-causes.ts';
import type { CauseKind, Finding } from './failure-causes.ts';
import { printable } from './printable.ts';
import { replayCommand } from './replay-command.ts';
import { areaOf, lacked } from './report.ts';

// A key that begins with @ is an attribute, `#text` an element's text; "true" stays a value.
const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressBooleanAttributes: false,
});

type Element = Readonly<Record<string, unknown>>;
type Suite = Element & { readonly testcase: readonly Element[] };

/** The suite and the case of what is amiss with the run as a whole; they are there only where something is. */
const RUN = 'run';

type Amiss = Finding & { kind: CauseKind };

/** Some case fails or errs exactly where the run is not green. The machine's name is left out. */
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
  const amiss = causesOf(report).flatMap(({ kind, found }): Amiss[] => found.map((each) => ({ ...each, kind })));
  const byRule = Map.groupBy(amiss, ({ rule }) => rule);
  const areas = [...Map.groupBy(report.requirements, areaOf)].map(([area, own]) => {
    const cases = own.map((result) => testCase(result, report, folder, byRule.get(result.id)));
    const took = own.reduce((sum, { durationMs }) => sum + durationMs, 0);
    return suite(area, cases, took, report);
  });
  const ofRun = byRule.get(undefined);
  return ofRun === undefined ? areas : [...areas, suite(RUN, [runCase(ofRun)], 0, report)];
}

function suite(name: string, testcase: readonly Element[], tookMs: number, { run }: Report): Suite {
  return {
    '@name': name,
    ...counts(testcase),
    '@skipped': countOf(testcase, 'skipped'),
    '@time': seconds(tookMs),
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

/** Of a rule with which nothing is amiss; left out: nothing. */
const contentOf: { readonly [V in Verdict]?: (result: RuleResult, report: Report) => Element } = {
  'not-tried': (result) => ({ skipped: { '@message': attribute(whyNotTried(result)) } }),
  'known-failure': ({ id, reason = '' }, { knownFailures = [] }) => {
    const why = knownFailures.find((entry) => entry.id === id)?.reason ?? '';
    return { skipped: { '@message': attribute(`known failure: ${why} (${reason})`) } };
  },
  observed: ({ id }, { observations }) => ({
    'system-out': text(
      observations
        .filter((each) => each.id === id)
        .map(line)
        .join('\n'),
    ),
  }),
};

const line = ({ what, saw }: Observation): string => `${printable(what)}: ${printable(saw)}`;

function whyNotTried(result: RuleResult): string {
  const { reason = '' } = result;
  return lacked(result) ? `not tried, for want of: ${reason}` : `not tried: ${reason}`;
}

function testCase(result: RuleResult, report: Report, folder: string, amiss: readonly Amiss[] = []): Element {
  const { id, verdict, durationMs } = result;
  const head = { '@classname': attribute(areaOf(result)), '@name': attribute(id), '@time': seconds(durationMs) };
  if (amiss.length === 0) return { ...head, ...contentOf[verdict]?.(result, report) };
  const element = verdict === 'error' ? 'error' : 'failure';
  const details = verdict === 'failed' ? { '#text': failureText(result, report, folder) } : {};
  return { ...head, [element]: { ...trouble(amiss, '; '), ...details } };
}

/** Of the harness or of the way the run went, not of the target. */
const runCase = (amiss: readonly Amiss[]): Element => ({
  '@classname': RUN,
  '@name': RUN,
  '@time': seconds(0),
  error: trouble(amiss, ' '),
});

const trouble = (amiss: readonly Amiss[], between: string): Element => ({
  '@message': attribute(amiss.map(({ says }) => says).join(between)),
  '@type': amiss[0]?.kind,
});

function failureText({ id, rule, reason = '', counterexample }: RuleResult, report: Report, folder: string): string {
  if (counterexample === undefined) return text([rule, reason].join('\n'));
  const { input, expected, actual, curl } = counterexample;
  const lines = [
    rule,
    `input: ${printable(JSON.stringify(input))}`,
    `expected: ${printable(expected)}`,
    `actual: ${printable(actual)}`,
    ...(curl === '' ? [] : [curl]),
    `again: ${replayCommand(report, folder, id)}`,
  ];
  return text(lines.join('\n'));
}

const attribute = (value: string): string => text(printable(value));

/** What XML 1.0 cannot hold even as a reference becomes a replacement character. */
const text = (value: string): string =>
  printable(value, { lineEnds: true }).replaceAll(
    /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu,
    '\uFFFD',
  );
