/** summary.md: the run as a page of a CI job shows it, failures first. */
import type { Counterexample, Report, RuleResult } from '../spec/verdicts.ts';
import { codeSpan, fenced, inertProse } from './markdown.ts';
import { exitCodeOf, NOTHING_TRIED, saysNothing, sentencesOf } from './failure-causes.ts';
import { oracleSummary } from './oracle/summary.ts';
import { replayCommand } from './replay-command.ts';
import { countOf, mustRulesTried, untriedByReason, wantedByArea } from './report.ts';

/** GitHub takes no summary of more than a megabyte. */
const MOST_FAILURES = 50;
const LONGEST_TEXT = 600;
const LONGEST_CURL = 2000;
const MOST_OBSERVATIONS = 300;

const columns = ['passed', 'failed', 'known-failure', 'not-tried', 'observed', 'error'] as const;

export function toSummary(report: Report, folder: string): string {
  const parts = [
    verdictLine(report),
    whyNotGreen(report),
    ...failures(report, folder),
    errors(report),
    leftBehind(report),
    report.oracle === undefined ? '' : oracleSummary(report.oracle),
    areaTable(report),
    notTried(report),
    observations(report),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const words = { 0: 'held', 1: 'failed', 3: 'gave no verdict' } as const;

function verdictLine(report: Report): string {
  const { summary, target, run } = report;
  const { tried, all } = mustRulesTried(report);
  const word = saysNothing(report) ? 'not judged, nothing tried' : words[exitCodeOf(report)];
  return [
    `## Conformance ${word}: ${tried} of ${all} must rules tried, ${summary.passed} passed, ${summary.failed} failed`,
    '',
    `${summary.exchanges} exchanges with ${codeSpan(target.name)}, seed ${run.seed}, run ${codeSpan(run.id)}.`,
    ...(saysNothing(report) ? ['', `**${NOTHING_TRIED}**`] : []),
  ].join('\n');
}

/** Besides rules that failed or erred. */
const whyNotGreen = (report: Report): string => list(sentencesOf(report));

/** A line each, the first of many. */
function list(sentences: readonly string[]): string {
  const more = sentences.length - MOST_FAILURES;
  const lines = sentences.slice(0, MOST_FAILURES).map((sentence) => `- ${shown(sentence)}`);
  return [...lines, ...(more > 0 ? [`- and ${more} more: see report.json`] : [])].join('\n');
}

function failures(report: Report, folder: string): string[] {
  const failed = report.requirements.filter(({ verdict }) => verdict === 'failed');
  const more = failed.length - MOST_FAILURES;
  const told = failed.slice(0, MOST_FAILURES).map((result) => failure(result, report, folder));
  return more > 0 ? [...told, `… and ${more} more failed: see report.html.`] : told;
}

function failure({ id, rule, reason = '', counterexample }: RuleResult, report: Report, folder: string): string {
  const head = `### failed ${codeSpan(id)}\n\n${inertProse(rule)}`;
  if (counterexample === undefined) return `${head}\n\n- reason: ${shown(reason)}`;
  const again = [...curlOf(counterexample), replayCommand(report, folder, id)].join('\n');
  return `${head}\n\n${example(counterexample)}\n\n${fenced('sh', again)}`;
}

function example({ input, expected, actual }: Counterexample): string {
  const text = JSON.stringify(input);
  const inputLine = text === '{}' ? [] : [`- input: ${shown(text)}`];
  return [...inputLine, `- expected: ${shown(expected)}`, `- actual: ${shown(actual)}`].join('\n');
}

function curlOf({ curl }: Counterexample): string[] {
  if (curl.length > LONGEST_CURL) return ['# The curl line is in report.json.'];
  return curl === '' ? [] : [curl];
}

const shown = (text: string): string =>
  text.length <= LONGEST_TEXT ? codeSpan(text) : `${codeSpan(text.slice(0, LONGEST_TEXT))} … (whole in report.json)`;

function errors({ requirements }: Report): string {
  const erred = requirements.filter(({ verdict }) => verdict === 'error').slice(0, MOST_FAILURES);
  if (erred.length === 0) return '';
  const lines = erred.map(({ id, reason = '' }) => `- ${codeSpan(id)}: ${shown(reason)}`);
  return ['### Errors, of the harness or the network', '', ...lines].join('\n');
}

export const leftBehind = ({ left = [] }: Pick<Report, 'left'>): string =>
  left.length === 0 ? '' : `### Left at the target\n\n${list(left)}`;

function areaTable({ requirements }: Report): string {
  const rows = [...wantedByArea(requirements)].map(([area, own]) =>
    [inertProse(area), ...columns.map((verdict) => countOf(own, verdict) || '·')].join(' | '),
  );
  const head = ['area', ...columns].join(' | ');
  const rule = ['---', ...columns.map(() => '--:')].join(' | ');
  return [head, rule, ...rows].map((row) => `| ${row} |`).join('\n');
}

function notTried({ requirements }: Report): string {
  const { lacking, others } = untriedByReason(requirements);
  const lines = lacking.map(([reason, own]) => `- ${own.length} × ${shown(reason)}`);
  const rest = others.map(([reason, own]) => `Not tried: ${own.length} × ${reason}.`);
  return [details('Not tried, for want of', lines), ...rest].filter((part) => part !== '').join('\n\n');
}

const observations = ({ observations: all }: Report): string =>
  details(
    'Observations',
    all
      .slice(0, MOST_OBSERVATIONS)
      .map(({ id, what, saw }) => `- ${codeSpan(id)} ${codeSpan(what.slice(0, 200))}: ${codeSpan(saw.slice(0, 200))}`),
  );

const details = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `<details><summary>${title}</summary>\n\n${lines.join('\n')}\n\n</details>`;
