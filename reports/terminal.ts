/** The report as a person reads it in a terminal of 80 columns: areas, failures, what was not tried and why. */
import { styleText } from 'node:util';
import type { Report, RuleResult, Verdict } from '../spec/verdicts.ts';
import { mustRulesTried } from './report.ts';
import { printable, wrapped } from './printable.ts';

const WIDTH = 80;
const shownVerdicts: readonly Verdict[] = ['passed', 'failed', 'not-tried', 'observed', 'error'];

export interface Terminal {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** Colour only where there is a terminal and NO_COLOR is not set. */
export const painterFor = ({ isTTY }: Terminal, environment: NodeJS.ProcessEnv = process.env) => {
  const colours = isTTY === true && (environment['NO_COLOR'] ?? '') === '';
  return (colour: 'red' | 'green' | 'yellow' | 'bold' | 'dim', text: string): string =>
    colours ? styleText(colour, text, { validateStream: false }) : text;
};
type Paint = ReturnType<typeof painterFor>;

/** All of it, with a line end at the end. */
export function terminalReport(report: Report, paint: Paint): string {
  const parts = [
    areaTable(report, paint),
    ...failures(report, paint),
    errors(report, paint),
    notTried(report, paint),
    lastLines(report, paint),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const areaOf = ({ id }: RuleResult): string => id.slice(0, id.indexOf('.'));
const countOf = (results: readonly RuleResult[], verdict: Verdict): number =>
  results.filter((result) => result.verdict === verdict).length;

const row = (name: string, cells: readonly string[]): string =>
  name.padEnd(20) + cells.map((cell) => cell.padStart(11)).join('');

function areaTable({ requirements: results }: Report, paint: Paint): string {
  const areas = Map.groupBy(results, areaOf);
  const lines = [...areas].map(([area, own]) => {
    const line = row(
      area,
      shownVerdicts.map((verdict) => String(countOf(own, verdict) || '·')),
    );
    return countOf(own, 'failed') + countOf(own, 'error') > 0 ? paint('red', line) : line;
  });
  return [paint('bold', row('area', shownVerdicts)), ...lines].join('\n');
}

const labelled = (label: string, text: string): string => wrapped(`${label.padEnd(9)} ${printable(text)}`, WIDTH, '  ');

function failures({ requirements: results }: Report, paint: Paint): string[] {
  return results.filter(({ verdict }) => verdict === 'failed').map((result) => failure(result, paint));
}

function failure({ id, rule, reason, counterexample }: RuleResult, paint: Paint): string {
  const head = `${paint('red', `failed ${id}`)}\n${wrapped(printable(rule), WIDTH, '  ')}`;
  if (counterexample === undefined) return `${head}\n${labelled('reason', reason ?? '')}`;
  const { input, seed, path, expected, actual, curl } = counterexample;
  const found = path === '' ? '' : ` (seed ${seed}, path ${path})`;
  return [
    head,
    labelled('input', `${short(JSON.stringify(input))}${found}`),
    labelled('expected', short(expected)),
    labelled('actual', short(actual)),
    ...(curl === '' ? [] : [`  ${printable(curl)}`]),
  ].join('\n');
}

const short = (text: string): string => (text.length <= 600 ? text : `${text.slice(0, 600)}… (whole in report.json)`);

function errors({ requirements: results }: Report, paint: Paint): string {
  const erred = results.filter(({ verdict }) => verdict === 'error');
  if (erred.length === 0) return '';
  const lines = erred.map(({ id, reason }) => wrapped(printable(`${id}: ${short(reason ?? '')}`), WIDTH, '  '));
  return [paint('red', 'errors, of the harness or the network, which say nothing of the target'), ...lines].join('\n');
}

function notTried({ requirements: results }: Report, paint: Paint): string {
  const left = results.filter(({ verdict }) => verdict === 'not-tried');
  if (left.length === 0) return '';
  const lines = [...Map.groupBy(left, ({ reason }) => reason ?? 'no reason given')].map(([reason, own]) => {
    const ids = own.slice(0, 3).map(({ id }) => id);
    const more = own.length > ids.length ? [`and ${own.length - ids.length} more`] : [];
    return `${wrapped(`${own.length} × ${printable(reason)}`, WIDTH, '  ')}\n${wrapped([...ids, ...more].join(', '), WIDTH, '      ')}`;
  });
  return [paint('bold', 'not tried, for want of'), ...lines].join('\n');
}

function lastLines(report: Report, paint: Paint): string {
  const { summary, run, target } = report;
  const { tried, all } = mustRulesTried(report);
  const seconds = ((Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000).toFixed(1);
  const colour = summary.failed + summary.error > 0 || !run.complete ? 'red' : tried === 0 ? 'yellow' : 'green';
  const held = `${tried} of ${all} must rules tried: ${summary.passed} passed, ${summary.failed} failed; ${summary.observed} observed.`;
  return [
    ...(run.complete ? [] : [paint('red', 'The run was cut short.')]),
    paint(colour, held),
    wrapped(
      `${summary.exchanges} exchanges with ${printable(target.name)} in ${seconds} s, allow: ${target.allow}, seed ${run.seed}, run ${run.id}.`,
      WIDTH,
    ),
  ].join('\n');
}
