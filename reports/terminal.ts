/** Renders a report for a terminal of 80 columns: areas, failures, and what was not tried and why. */
import { styleText } from 'node:util';
import { sourcesOf } from '../spec/requirements/index.ts';
import { describeSource } from '../spec/requirements/source.ts';
import type { KnownFailure, Report, RuleResult, Verdict } from '../spec/verdicts.ts';
import { coverageLine } from './coverage-line.ts';
import { exitCodeOf, NOTHING_TRIED, sentenceOnStop, sentencesOf, triedNothing } from './failure-causes.ts';
import { oracleLine } from './oracle/oracle-line.ts';
import { byReason, countOf, mustRulesTried, notTriedByReason, selectedByArea } from './report.ts';
import { escapeControls, wrap } from './printable.ts';
import { replayCommand } from './replay-command.ts';
import { newerFailures } from './rules-as-of.ts';

const WIDTH = 80;
/** Verdicts and their column headings; known failures are shown only if there are any. */
const verdictColumns: readonly (readonly [Verdict, string])[] = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['known-failure', 'known'],
  ['not-tried', 'not-tried'],
  ['observed', 'observed'],
  ['error', 'error'],
];

export interface Terminal {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** The width of a line; omitted: 80. */
  readonly columns?: number;
}

/** Uses color only on a terminal, and only if NO_COLOR is not set. */
export const painterFor = ({ isTTY }: Terminal, environment: NodeJS.ProcessEnv = process.env) => {
  const colours = isTTY === true && (environment['NO_COLOR'] ?? '') === '';
  return (colour: 'red' | 'green' | 'yellow' | 'bold' | 'dim', text: string): string =>
    colours ? styleText(colour, text, { validateStream: false }) : text;
};
type Paint = ReturnType<typeof painterFor>;

/** The whole report, ending with a line end. Without a folder, no replay commands are printed. */
export function terminalReport(report: Report, paint: Paint, folder?: string): string {
  const parts = [
    areaTable(report, paint),
    ...failures(report, paint, folder),
    errors(report, paint),
    notTried(report, paint),
    knownFailures(report, paint),
    newerRules(report, paint),
    report.oracle === undefined ? '' : wrap(escapeControls(oracleLine(report.oracle)), WIDTH),
    lastLines(report, paint),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const row = (name: string, cells: readonly string[]): string =>
  name.padEnd(20) + cells.map((cell) => cell.padStart(10)).join('');

function areaTable({ requirements: results }: Report, paint: Paint): string {
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

/** Indents continuation lines below the text. */
function labeled(label: string, text: string): string {
  const lines = wrap(escapeControls(text), WIDTH, ' '.repeat(12));
  return `  ${label.padEnd(9)} ${lines.trimStart()}`;
}

function failures(report: Report, paint: Paint, folder?: string): string[] {
  const failed = report.requirements.filter(({ verdict }) => verdict === 'failed');
  const replay = (id: string) => folder && replayCommand(report, folder, id);
  return failed.map((result) => failure(result, paint, replay(result.id)));
}

/** A single result, ending with a line end. */
export function resultText(result: RuleResult, paint: Paint): string {
  const { id, rule, verdict, reason } = result;
  if (verdict === 'failed') return `${failure(result, paint)}\n`;
  const why = reason === undefined ? '' : `\n${labeled('reason', reason)}`;
  return `${paint(verdict === 'passed' ? 'green' : 'yellow', `${verdict} ${id}`)}\n${wrap(escapeControls(rule), WIDTH, '  ')}${why}\n`;
}

function failure({ id, rule, reason, counterexample }: RuleResult, paint: Paint, replay?: string): string {
  const head = [
    paint('red', `failed ${id}`),
    wrap(escapeControls(rule), WIDTH, '  '),
    ...sourcesOf(id).map((source) => labeled('source', describeSource(source))),
  ];
  if (counterexample === undefined) return [...head, labeled('reason', reason ?? '')].join('\n');
  const { input, seed, path, expected, actual, curl } = counterexample;
  const inputText = JSON.stringify(input);
  const origin = path === '' ? '' : ` (seed ${seed}, path ${path})`;
  return [
    ...head,
    ...(inputText === '{}' ? [] : [labeled('input', `${truncate(inputText)}${origin}`)]),
    labeled('expected', truncate(expected)),
    labeled('actual', truncate(actual)),
    ...(curl === '' ? [] : curl.split('\n').map((line) => `  ${escapeControls(line)}`)),
    ...(replay === undefined ? [] : [`  replay: ${escapeControls(replay)}`]),
  ].join('\n');
}

const truncate = (text: string): string =>
  text.length <= 600 ? text : `${text.slice(0, 600)}… (in full in report.json)`;

function errors({ requirements: results }: Report, paint: Paint): string {
  const errored = results.filter(({ verdict }) => verdict === 'error');
  if (errored.length === 0) return '';
  const lines = byReason(errored).flatMap(([reason, own]) =>
    own.length === 1
      ? [wrap(escapeControls(`${own[0]?.id}: ${truncate(reason)}`), WIDTH, '  ')]
      : [wrap(`${own.length} × ${escapeControls(truncate(reason))}`, WIDTH, '  '), someIds(own)],
  );
  return [paint('red', 'errors in assay or the network (not verdicts)'), ...lines].join('\n');
}

function notTried({ requirements: results }: Report, paint: Paint): string {
  const { withUnmetNeeds: lacking, others } = notTriedByReason(results);
  const lines = lacking.flatMap(([reason, own]) => [
    wrap(`${own.length} × ${escapeControls(reason)}`, WIDTH, '  '),
    someIds(own),
  ]);
  return [
    ...(lines.length === 0 ? [] : [[paint('bold', 'not tried, missing'), ...lines].join('\n')]),
    ...others.map(([reason, own]) => `${paint('bold', 'not tried:')} ${own.length} × ${escapeControls(reason)}`),
  ].join('\n\n');
}

function someIds(results: readonly RuleResult[]): string {
  const ids = results.slice(0, 3).map(({ id }) => id);
  const more = results.length > ids.length ? [`and ${results.length - ids.length} more`] : [];
  return wrap([...ids, ...more].join(', '), WIDTH, '      ');
}

function knownFailures({ requirements: results, knownFailures: listed = [] }: Report, paint: Paint): string {
  const reasons = new Map(listed.map((entry) => [entry.id, entry]));
  const lines = results
    .filter(({ verdict }) => verdict === 'known-failure')
    .map(({ id }) => wrap(escapeControls(`${id}: ${knownFailureDetails(reasons.get(id))}`), WIDTH, '  '));
  return lines.length === 0 ? '' : [paint('bold', 'known failures'), ...lines].join('\n');
}

/** Rules that would fail the run without --rules-as-of. */
function newerRules(report: Report, paint: Paint): string {
  const lines = newerFailures(report).map(({ id, reason = '' }) =>
    wrap(escapeControls(`${id}: ${truncate(reason)}`), WIDTH, '  '),
  );
  return lines.length === 0 ? '' : [paint('bold', 'newer rules that failed'), ...lines].join('\n');
}

const knownFailureDetails = (entry: KnownFailure | undefined): string =>
  [entry?.reason, entry?.ticket, entry?.expires && `until ${entry.expires}`].filter(Boolean).join(', ');

function lastLines(report: Report, paint: Paint): string {
  const { summary, run, target } = report;
  const { tried, all } = mustRulesTried(report);
  const seconds = ((Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000).toFixed(1);
  const colour = exitCodeOf(report) !== 0 ? 'red' : triedNothing(report) ? 'yellow' : 'green';
  const known =
    summary.knownFailure === 0
      ? ''
      : `, ${summary.knownFailure} known ${summary.knownFailure === 1 ? 'failure' : 'failures'}`;
  const summaryLine = `${tried} of ${all} must rules tried: ${summary.passed} passed, ${summary.failed} failed${known}; ${summary.observed} observed.`;
  const stopped = sentenceOnStop(report);
  const shard = run.shard === null ? '' : `, shard ${run.shard}`;
  return [
    ...sentencesOf(report).map((sentence) => paint('red', wrap(escapeControls(sentence), WIDTH))),
    ...(triedNothing(report) ? [paint('yellow', NOTHING_TRIED)] : []),
    ...(stopped === undefined ? [] : [paint('yellow', stopped)]),
    paint(colour, summaryLine),
    ...(report.coverage === undefined ? [] : [wrap(coverageLine(report.coverage), WIDTH)]),
    wrap(
      `${summary.exchanges} exchanges with ${escapeControls(target.name)} in ${seconds} s, allow: ${target.allow}, seed ${run.seed}${shard}, run ${escapeControls(run.id)}.`,
      WIDTH,
    ),
  ].join('\n');
}
