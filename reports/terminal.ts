/** The report as a person reads it in a terminal of 80 columns: areas, failures, what was not tried and why. */
import { styleText } from 'node:util';
import type { KnownFailure, Report, RuleResult, Verdict } from '../spec/verdicts.ts';
import { exitCodeOf, NOTHING_TRIED, saysNothing, sentencesOf } from './failure-causes.ts';
import { oracleLine } from './oracle/oracle-line.ts';
import { byReason, countOf, mustRulesTried, untriedByReason, wantedByArea } from './report.ts';
import { printable, wrapped } from './printable.ts';
import { replayCommand } from './replay-command.ts';

const WIDTH = 80;
/** Each with the word that stands above its column; that of known failures is there where there are any. */
const shownVerdicts: readonly (readonly [Verdict, string])[] = [
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
  /** How wide a line is; left out: 80. */
  readonly columns?: number;
}

/** Colour only where there is a terminal and NO_COLOR is not set. */
export const painterFor = ({ isTTY }: Terminal, environment: NodeJS.ProcessEnv = process.env) => {
  const colours = isTTY === true && (environment['NO_COLOR'] ?? '') === '';
  return (colour: 'red' | 'green' | 'yellow' | 'bold' | 'dim', text: string): string =>
    colours ? styleText(colour, text, { validateStream: false }) : text;
};
type Paint = ReturnType<typeof painterFor>;

/** All of it, with a line end at the end; of a report without a folder nothing can be replayed. */
export function terminalReport(report: Report, paint: Paint, folder?: string): string {
  const parts = [
    areaTable(report, paint),
    ...failures(report, paint, folder),
    errors(report, paint),
    notTried(report, paint),
    knownFailures(report, paint),
    report.oracle === undefined ? '' : wrapped(oracleLine(report.oracle), WIDTH),
    lastLines(report, paint),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const row = (name: string, cells: readonly string[]): string =>
  name.padEnd(20) + cells.map((cell) => cell.padStart(10)).join('');

function areaTable({ requirements: results }: Report, paint: Paint): string {
  const areas = wantedByArea(results);
  const columns = shownVerdicts.filter(([verdict]) => verdict !== 'known-failure' || countOf(results, verdict) > 0);
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

/** What is longer than a line goes on below its beginning. */
function labelled(label: string, text: string): string {
  const lines = wrapped(printable(text), WIDTH, ' '.repeat(12));
  return `  ${label.padEnd(9)} ${lines.trimStart()}`;
}

function failures(report: Report, paint: Paint, folder?: string): string[] {
  const failed = report.requirements.filter(({ verdict }) => verdict === 'failed');
  const again = (id: string) => folder && replayCommand(report, folder, id);
  return failed.map((result) => failure(result, paint, again(result.id)));
}

/** One result as it is told by itself, with a line end at the end. */
export function resultText(result: RuleResult, paint: Paint): string {
  const { id, rule, verdict, reason } = result;
  if (verdict === 'failed') return `${failure(result, paint)}\n`;
  const why = reason === undefined ? '' : `\n${labelled('reason', reason)}`;
  return `${paint(verdict === 'passed' ? 'green' : 'yellow', `${verdict} ${id}`)}\n${wrapped(printable(rule), WIDTH, '  ')}${why}\n`;
}

function failure({ id, rule, reason, counterexample }: RuleResult, paint: Paint, again?: string): string {
  const head = `${paint('red', `failed ${id}`)}\n${wrapped(printable(rule), WIDTH, '  ')}`;
  if (counterexample === undefined) return `${head}\n${labelled('reason', reason ?? '')}`;
  const { input, seed, path, expected, actual, curl } = counterexample;
  const inputText = JSON.stringify(input);
  const found = path === '' ? '' : ` (seed ${seed}, path ${path})`;
  return [
    head,
    ...(inputText === '{}' ? [] : [labelled('input', `${short(inputText)}${found}`)]),
    labelled('expected', short(expected)),
    labelled('actual', short(actual)),
    ...(curl === '' ? [] : curl.split('\n').map((line) => `  ${printable(line)}`)),
    ...(again === undefined ? [] : [`  again: ${printable(again)}`]),
  ].join('\n');
}

const short = (text: string): string => (text.length <= 600 ? text : `${text.slice(0, 600)}… (whole in report.json)`);

function errors({ requirements: results }: Report, paint: Paint): string {
  const erred = results.filter(({ verdict }) => verdict === 'error');
  if (erred.length === 0) return '';
  const lines = byReason(erred).flatMap(([reason, own]) =>
    own.length === 1
      ? [wrapped(printable(`${own[0]?.id}: ${short(reason)}`), WIDTH, '  ')]
      : [wrapped(`${own.length} × ${printable(short(reason))}`, WIDTH, '  '), someIds(own)],
  );
  return [paint('red', 'errors, of the harness or the network, which say nothing of the target'), ...lines].join('\n');
}

function notTried({ requirements: results }: Report, paint: Paint): string {
  const { lacking, others } = untriedByReason(results);
  const lines = lacking.flatMap(([reason, own]) => [
    wrapped(`${own.length} × ${printable(reason)}`, WIDTH, '  '),
    someIds(own),
  ]);
  return [
    ...(lines.length === 0 ? [] : [[paint('bold', 'not tried, for want of'), ...lines].join('\n')]),
    ...others.map(([reason, own]) => `${paint('bold', 'not tried:')} ${own.length} × ${reason}`),
  ].join('\n\n');
}

function someIds(results: readonly RuleResult[]): string {
  const ids = results.slice(0, 3).map(({ id }) => id);
  const more = results.length > ids.length ? [`and ${results.length - ids.length} more`] : [];
  return wrapped([...ids, ...more].join(', '), WIDTH, '      ');
}

function knownFailures({ requirements: results, knownFailures: listed = [] }: Report, paint: Paint): string {
  const reasons = new Map(listed.map((entry) => [entry.id, entry]));
  const lines = results
    .filter(({ verdict }) => verdict === 'known-failure')
    .map(({ id }) => wrapped(printable(`${id}: ${whyPutUpWith(reasons.get(id))}`), WIDTH, '  '));
  return lines.length === 0 ? '' : [paint('bold', 'known failures'), ...lines].join('\n');
}

const whyPutUpWith = (entry: KnownFailure | undefined): string =>
  [entry?.reason, entry?.ticket, entry?.expires && `until ${entry.expires}`].filter(Boolean).join(', ');

function lastLines(report: Report, paint: Paint): string {
  const { summary, run, target } = report;
  const { tried, all } = mustRulesTried(report);
  const seconds = ((Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000).toFixed(1);
  const colour = exitCodeOf(report) !== 0 ? 'red' : saysNothing(report) ? 'yellow' : 'green';
  const known = summary.knownFailure === 0 ? '' : `, ${summary.knownFailure} known to fail`;
  const held = `${tried} of ${all} must rules tried: ${summary.passed} passed, ${summary.failed} failed${known}; ${summary.observed} observed.`;
  const shard = run.shard === null ? '' : `, shard ${run.shard}`;
  return [
    ...sentencesOf(report).map((sentence) => paint('red', wrapped(printable(sentence), WIDTH))),
    ...(saysNothing(report) ? [paint('yellow', NOTHING_TRIED)] : []),
    paint(colour, held),
    wrapped(
      `${summary.exchanges} exchanges with ${printable(target.name)} in ${seconds} s, allow: ${target.allow}, seed ${run.seed}${shard}, run ${run.id}.`,
      WIDTH,
    ),
  ].join('\n');
}
