/** Renders a report for a terminal: failures first, then what would let more rules be tried, then the counts. */
import { styleText } from 'node:util';
import { counted } from '../spec/counted.ts';
import type { KnownFailure, Report, RuleResult, Verdict } from '../spec/verdicts.ts';
import { routeOf } from '../spec/missing-operation.ts';
import { operation } from '../spec/operations.ts';
import { requirement } from '../spec/requirements/index.ts';
import { operationsOf } from '../spec/requirements/operations-of.ts';
import { causesOf, exitCodeOf, NOTHING_TRIED, sentenceOnStop, sentencesOf, triedNothing } from './failure-causes.ts';
import { failureParts } from './failure-text.ts';
import type { Label, Origin, Part } from './failure-text.ts';
import { listsRule } from './listed-failure.ts';
import { oracleLine } from './oracle/oracle-line.ts';
import { countOf, isComparable, mustRulesTried, notImplementedSentence, selectedByArea } from './report.ts';
import { textWidth } from './fit-terminal.ts';
import type { Terminal } from './fit-terminal.ts';
import { escapeControls, wrap } from './printable.ts';
import { judgedSentence } from './judged-sentence.ts';
import { newerFailures } from './rules-as-of.ts';
import { commonResponse, groupByCause } from './common-response.ts';
import { unmetNeeds, waitingRules } from './unmet-needs.ts';

/** Verdicts and their column headings; known failures are shown only if there are any. */
const verdictColumns: readonly (readonly [Verdict, string])[] = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['known-failure', 'known'],
  ['not-tried', 'not-tried'],
  ['observed', 'observed'],
  ['error', 'error'],
];

export interface Style {
  /** What is neither good nor bad is bold: yellow is hard to read on white. */
  readonly paint: (colour: 'red' | 'green' | 'bold', text: string) => string;
  /** Columns of a line of text. */
  readonly width: number;
}

/** Uses color only on a terminal, and only if NO_COLOR is not set. */
export function styleFor(out: Terminal, environment: NodeJS.ProcessEnv = process.env): Style {
  const colours = out.isTTY === true && (environment['NO_COLOR'] ?? '') === '';
  return {
    paint: (colour, text) => (colours ? styleText(colour, text, { validateStream: false }) : text),
    width: textWidth(out),
  };
}

export interface TerminalOptions {
  /** The folder of the report. Omitted: no replay commands are printed. */
  readonly folder?: string;
  /** Also prints the verdicts of each area as a table. Defaults to false. */
  readonly areas?: boolean;
  /** Of the same target: the last line says what has changed since. Omitted: none is known. */
  readonly previous?: Report | undefined;
}

/** The whole report, ending with a line end. */
export function terminalReport(report: Report, style: Style, options: TerminalOptions = {}): string {
  const { folder, areas = false, previous } = options;
  const parts = [
    ...missingOperations(report, style),
    ...failures(report, style, folder),
    errors(report, style),
    knownFailures(report, style),
    newerRules(report, style),
    report.oracle === undefined ? '' : wrap(escapeControls(oracleLine(report.oracle)), style.width),
    areas ? areaTable(report, style) : '',
    warningsText(report, style),
    passedInPart(report, style),
    needsText(report, style),
    lastLines(report, style, previous),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const row = (name: string, cells: readonly string[]): string =>
  name.padEnd(20) + cells.map((cell) => cell.padStart(10)).join('');

function areaTable({ requirements: results }: Report, { paint }: Style): string {
  const areas = selectedByArea(results);
  const columns = verdictColumns.filter(([verdict]) => verdict !== 'known-failure' || countOf(results, verdict) > 0);
  const lines = [...areas].map(([area, own]) => {
    const line = row(
      area,
      columns.map(([verdict]) => String(countOf(own, verdict) || '·')),
    );
    return countOf(own, 'failed') + countOf(own, 'error') > 0 ? paint('red', line) : line;
  });
  const words = columns.map(([, word]) => word);
  return [paint('bold', row('area', words)), ...lines].join('\n');
}

function failures(report: Report, style: Style, folder?: string): string[] {
  const failed = report.requirements.filter(({ verdict }) => verdict === 'failed');
  const origin = folder === undefined ? undefined : { report, folder };
  return groupByCause(failed, report).map(({ first, others, cause }) =>
    [failure(first, style, origin), ...sameCause(cause, others, style)].join('\n'),
  );
}

/** Rules that failed for the reason of the one before. */
const sameCause = (cause: string, others: readonly RuleResult[], { paint, width }: Style): string[] =>
  others.length === 0
    ? []
    : [
        paint('red', wrap(`${counted(others.length, 'more rule')} failed with ${cause}`, width, '  ')),
        someIds(others, width),
      ];

const MAX_OPERATIONS = 5;

/** Operations that the target does not have: the first with rules that wait for it and a request that shows it, others by name. */
function missingOperations(report: Report, { paint, width }: Style): string[] {
  const findings = causesOf(report).find(({ kind }) => kind === 'not-implemented')?.findings ?? [];
  if (findings.length === 0) return [];
  const [headline = '', ...others] = findings
    .slice(0, MAX_OPERATIONS)
    .map(({ message }) => paint('red', `failed ${message}`));
  const [[, results] = ['', []]] = waitingRules(report);
  const curl = results[0]?.counterexample?.curl ?? '';
  const first = [
    headline,
    someIds(results, width),
    ...(report.run.mock === undefined && curl !== '' ? [partText({ label: 'curl', text: curl }, width, true)] : []),
  ];
  return [first.join('\n'), [...others, ...moreInReport(findings.length - MAX_OPERATIONS)].join('\n')];
}

const MAX_PASSED_IN_PART = 5;

/**
 * Rules that passed although the target refuses some of what they send. Without those of a missing operation, for which the rest of
 * such a rule waits.
 */
function passedInPart(report: Report, { paint, width }: Style): string {
  const absent = new Set(waitingRules(report).map(([route]) => route));
  const isWaiting = (id: RuleResult['id']): boolean =>
    operationsOf(requirement(id)).some((each) => absent.has(routeOf(operation(each))));
  const found = report.requirements.filter(
    ({ id, verdict, reason }) => verdict === 'passed' && reason !== undefined && !isWaiting(id),
  );
  if (found.length === 0) return '';
  const lines = found
    .slice(0, MAX_PASSED_IN_PART)
    .map(({ id, reason = '' }) => wrap(escapeControls(`${id}: ${reason}`), width, '  '));
  return [paint('bold', 'passed in part'), ...lines, ...moreInReport(found.length - MAX_PASSED_IN_PART)].join('\n');
}

/** A single result, ending with a line end. */
export function resultText(result: RuleResult, style: Style): string {
  const { id, rule, verdict, reason } = result;
  if (verdict === 'failed') return `${failure(result, style)}\n`;
  const { paint, width } = style;
  const why = reason === undefined ? '' : `\n${labeled('reason', reason, width)}`;
  return `${paint(verdict === 'passed' ? 'green' : 'bold', `${verdict} ${id}`)}\n${wrap(escapeControls(rule), width, '  ')}${why}\n`;
}

/** `origin` is absent if there is no report: then nothing else has the whole curl script. */
function failure(result: RuleResult, { paint, width }: Style, origin?: Origin): string {
  const { id, rule } = result;
  return [
    paint('red', `failed ${id}`),
    wrap(escapeControls(rule), width, '  '),
    ...failureParts(result, origin).map((part) => partText(part, width, origin !== undefined)),
  ].join('\n');
}

/** More lines of curl would hide the other failures. */
const MAX_CURL_LENGTH = 1000;

function partText({ label, text }: Part, width: number, isInReport: boolean): string {
  // Not wrapped, so that they can be pasted.
  if (label === 'replay') return `  ${label.padEnd(LABEL_WIDTH)} ${escapeControls(text)}`;
  if (label !== 'curl') return labeled(label, text, width);
  if (isInReport && text.length > MAX_CURL_LENGTH) return labeled('curl', 'long: see the report', width);
  return text
    .split('\n')
    .map((line) => `  ${escapeControls(line)}`)
    .join('\n');
}

const LABEL_WIDTH = 10;
const INDENT = ' '.repeat(LABEL_WIDTH + 3);

/** Begins with the label; further lines are indented like the first. `text` is escaped. */
const hanging = (label: string, text: string, width: number): string =>
  `  ${label.padEnd(LABEL_WIDTH)} ${text
    .split('\n')
    .map((line) => wrap(line, width, INDENT, { breaksWords: true }))
    .join('\n')
    .trimStart()}`;

/** Only requests keep their line ends. */
function labeled(label: Label, text: string, width: number): string {
  const isRequest = label === 'request';
  const escaped = escapeControls(isRequest ? text : truncate(text), { lineEnds: isRequest });
  return hanging(label === 'more' ? '' : label, escaped, width);
}

const truncate = (text: string): string =>
  text.length <= 600 ? text : `${text.slice(0, 600)}… (in full in report.json)`;

function errors({ requirements: results }: Report, { paint, width }: Style): string {
  const errored = results.filter(({ verdict }) => verdict === 'error');
  if (errored.length === 0) return '';
  const byCause = Map.groupBy(errored, ({ reason = 'no reason given' }) => causeOfError(reason));
  const lines = [...byCause].flatMap(([reason, own]) =>
    own.length === 1
      ? [wrap(escapeControls(`${own[0]?.id}: ${truncate(own[0]?.reason ?? reason)}`), width, '  ')]
      : [wrap(`${own.length} × ${escapeControls(truncate(reason))}`, width, '  '), someIds(own, width)],
  );
  return [paint('red', 'errors in assay or the network (not verdicts)'), ...lines].join('\n');
}

/** Whichever request got no response. */
function causeOfError(reason: string): string {
  const [, origin = '', what] = /^[A-Z]+ (https?:\/\/[^/\s]+)\S*: (no response[^]*)$/.exec(reason) ?? [];
  return what === undefined ? reason : `${origin}: ${what}`;
}

const moreInReport = (count: number): string[] => (count > 0 ? [`  and ${count} more, in the report`] : []);

const MAX_NEEDS = 8;
/** Operations that the target does not have come first, and all of it should fit on a screen. */
const MAX_NEEDS_BESIDE_OPERATIONS = 3;

function needsText(report: Report, { paint, width }: Style): string {
  const needs = unmetNeeds(report);
  if (needs.length === 0) return '';
  const total = needs.reduce((sum, { ruleCount }) => sum + ruleCount, 0);
  const max = waitingRules(report).length > 0 ? MAX_NEEDS_BESIDE_OPERATIONS : MAX_NEEDS;
  const lines = needs
    .slice(0, max)
    .map(({ advice, ruleCount }) => hanging(rules(ruleCount), escapeControls(truncate(advice)), width));
  return [
    paint('bold', `to try ${total === 1 ? 'one more rule' : `${total} more rules`}`),
    ...lines,
    ...moreInReport(needs.length - max),
  ].join('\n');
}

/** What was wrong before the run: it may be the cause of failures, and of rules that were not tried. */
function warningsText({ run: { warnings = [] } }: Report, { paint, width }: Style): string {
  if (warnings.length === 0) return '';
  return [paint('bold', 'fix first'), ...warnings.map((each) => wrap(escapeControls(each), width, '  '))].join('\n');
}

const rules = (count: number): string => `${String(count).padStart(3)} ${count === 1 ? 'rule' : 'rules'}`;

function someIds(results: readonly RuleResult[], width: number): string {
  const ids = results.slice(0, 3).map(({ id }) => id);
  const more = results.length > ids.length ? [`and ${results.length - ids.length} more`] : [];
  return wrap([...ids, ...more].join(', '), width, '      ');
}

function knownFailures({ requirements: results, knownFailures: listed = [] }: Report, { paint, width }: Style): string {
  const known = results.filter(({ verdict }) => verdict === 'known-failure');
  const lines = listed.flatMap((entry) => {
    const own = known.filter(({ id }) => listed.find((each) => listsRule(each, id)) === entry);
    const line = (id: string, details = ''): string =>
      wrap(escapeControls(`${id}: ${knownFailureDetails(entry)}${details}`), width, '  ');
    if (own.length > 1) return [line(entry.id, ` (${own.length} rules)`), someIds(own, width)];
    return own.map(({ id }) => line(id));
  });
  return lines.length === 0 ? '' : [paint('bold', 'known failures'), ...lines].join('\n');
}

/** Rules that would fail the run without --rules-as-of. */
function newerRules(report: Report, { paint, width }: Style): string {
  const lines = newerFailures(report).map(({ id, reason = '' }) =>
    wrap(escapeControls(`${id}: ${truncate(reason)}`), width, '  '),
  );
  return lines.length === 0 ? '' : [paint('bold', 'newer rules that failed'), ...lines].join('\n');
}

const knownFailureDetails = ({ reason, ticket, expires }: KnownFailure): string =>
  [reason, ticket, expires && `until ${expires}`].filter(Boolean).join(', ');

function lastLines(report: Report, { paint, width }: Style, previous: Report | undefined): string {
  const colour = exitCodeOf(report) !== 0 ? 'red' : triedNothing(report) ? 'bold' : 'green';
  const stopped = sentenceOnStop(report);
  const common = commonResponse(report);
  const notImplemented = notImplementedSentence(report);
  return [
    ...(notImplemented === undefined ? [] : [notImplemented]),
    ...(common === undefined ? [] : [paint('red', wrap(common, width))]),
    ...shortSentences(report).map((sentence) => paint('red', wrap(escapeControls(sentence), width))),
    ...(triedNothing(report) ? [paint('bold', NOTHING_TRIED)] : []),
    ...(stopped === undefined ? [] : [paint('bold', wrap(stopped, width))]),
    paint(colour, countsLine(report, previous)),
  ].join('\n');
}

/** What to fix so that rules can be tried is above, like operations that the target does not have. */
const shortSentences = (report: Report): string[] =>
  sentencesOf(report, 'not-implemented').map((sentence) =>
    sentence.startsWith(NOTHING_TRIED) ? NOTHING_TRIED : sentence,
  );

/** One line. Errors and known failures are mentioned only if there are any. */
function countsLine(report: Report, previous: Report | undefined): string {
  const { summary, run } = report;
  const { knownFailure, error } = summary;
  const missing = waitingRules(report).length;
  const seconds = ((Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000).toFixed(1);
  const counts = [
    `${summary.passed} passed${changeText('passed', report, previous)}`,
    `${summary.failed} failed${changeText('failed', report, previous)}`,
    ...(knownFailure === 0 ? [] : [counted(knownFailure, 'known failure')]),
    ...(error === 0 ? [] : [counted(error, 'error')]),
    ...(missing === 0 ? [] : [`${counted(missing, 'operation')} not implemented`]),
  ];
  const shard = run.shard === null ? '' : `, shard ${run.shard}`;
  const sentence = `${mustRulesTried(report).sentence}: ${counts.join(', ')}`;
  if (run.judged !== undefined) return `${sentence}; ${judgedSentence(run.judged)}.`;
  return `${sentence}; ${summary.observed} observed; ${seconds} s, seed ${run.seed}${shard}.`;
}

/** As " (+24)", of the rules that both runs tested. Empty if their number is the same. */
function changeText(verdict: Verdict, report: Report, previous: Report | undefined): string {
  // What an interrupted run did not reach says nothing.
  if (previous?.run.complete !== true) return '';
  const [now, before] = [comparable(report), comparable(previous)];
  const inBoth = new Set(now.map(({ id }) => id)).intersection(new Set(before.map(({ id }) => id)));
  const [count = 0, countBefore = 0] = [now, before].map((results) =>
    countOf(
      results.filter(({ id }) => inBoth.has(id)),
      verdict,
    ),
  );
  if (count === countBefore) return '';
  return count > countBefore ? ` (+${count - countBefore})` : ` (−${countBefore - count})`;
}

const comparable = ({ requirements: results }: Report): readonly RuleResult[] => results.filter(isComparable);
