/** junit.xml: a test suite an area, a test case a rule, in the form that CI systems read. */
import XMLBuilder from 'fast-xml-builder';
import type { Observation, Report, RuleResult, Verdict } from '../spec/verdicts.ts';
import { printable } from './printable.ts';
import { replayCommand } from './replay-command.ts';
import { areaOf, countOf } from './report.ts';
import { whyOf } from './why.ts';

// A key that begins with @ is an attribute, `#text` an element's text; "true" stays a value.
const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressBooleanAttributes: false,
});

type Element = Readonly<Record<string, unknown>>;

/** The machine's name is left out. */
export function toJunit(report: Report, folder: string): string {
  const { requirements, run, target } = report;
  const suites = [...Map.groupBy(requirements, areaOf)].map(([area, own]) => ({
    '@name': area,
    ...counts(own),
    '@skipped': String(countOf(own, 'not-tried') + countOf(own, 'known-failure')),
    '@time': seconds(own.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    '@timestamp': run.startedAt,
    testcase: own.map((result) => testCase(result, report, folder)),
  }));
  const all = { '@name': text(`assay ${target.name}`), ...counts(requirements), '@time': seconds(wallTime(report)) };
  const xml = builder.build({ testsuites: { ...all, testsuite: suites } });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`;
}

const wallTime = ({ run }: Report): number => Math.max(0, Date.parse(run.endedAt) - Date.parse(run.startedAt));
const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const counts = (results: readonly RuleResult[]): Element => ({
  '@tests': String(results.length),
  '@failures': String(countOf(results, 'failed')),
  '@errors': String(countOf(results, 'error')),
});

const contentOf: Readonly<Record<Verdict, (result: RuleResult, report: Report, folder: string) => Element>> = {
  passed: () => ({}),
  failed: (result, report, folder) => ({
    failure: { '@message': attribute(whyOf(result)), '@type': 'failed', '#text': failureText(result, report, folder) },
  }),
  error: ({ reason = '' }) => ({ error: { '@message': attribute(reason), '@type': 'error' } }),
  'not-tried': ({ reason = '' }) => ({ skipped: { '@message': attribute(`not tried, for want of: ${reason}`) } }),
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

function testCase(result: RuleResult, report: Report, folder: string): Element {
  const { id, verdict, durationMs } = result;
  const head = { '@classname': attribute(areaOf(result)), '@name': attribute(id), '@time': seconds(durationMs) };
  return { ...head, ...contentOf[verdict](result, report, folder) };
}

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
