/** summary.md: the run for a CI job page, failures first. */
import { counted } from '../spec/counted.ts';
import { NOT_DECLARED } from '../spec/missing-operation.ts';
import type { Report, RuleResult } from '../spec/verdicts.ts';
import { coverageLine } from './coverage-line.ts';
import { failureParts } from './failure-text.ts';
import type { Label, Part } from './failure-text.ts';
import { codeSpan, codeBlock, escapeProse } from './markdown.ts';
import { exitCodeOf, NOTHING_TRIED, sentenceOnStop, sentencesOf, triedNothing } from './failure-causes.ts';
import { oracleSummary } from './oracle/summary.ts';
import { judgedSentence } from './judged-sentence.ts';
import { newerFailures } from './rules-as-of.ts';
import {
  countOf,
  isSelected,
  mustRulesTried,
  notImplementedSentence,
  skippedByReason,
  selectedByArea,
} from './report.ts';
import { unmetNeeds } from './unmet-needs.ts';
import { commonResponse, groupByCause } from './common-response.ts';

/** GitHub refuses summaries over 1 MiB. */
const MAX_FAILURES = 50;
const MAX_TEXT_LENGTH = 600;
const MAX_COMMAND_LENGTH = 2000;
const MAX_OBSERVATIONS = 300;

const columns = ['passed', 'failed', 'known-failure', 'not-tried', 'observed', 'error'] as const;

export function toSummary(report: Report, folder: string): string {
  const parts = [
    verdictLine(report),
    escapeProse(commonResponse(report) ?? ''),
    problems(report),
    warnings(report),
    ...failures(report, folder),
    errors(report),
    newerRules(report),
    leftoversSection(report),
    report.oracle === undefined ? '' : oracleSummary(report.oracle),
    areaTable(report),
    notTried(report),
    coverage(report),
    observations(report),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const words = { 0: 'passed', 1: 'failed', 3: 'incomplete' } as const;

function verdictLine(report: Report): string {
  const { summary, target, run } = report;
  const stopped = sentenceOnStop(report);
  const word = triedNothing(report) ? 'unknown, nothing tried' : words[exitCodeOf(report)];
  return [
    `## Conformance ${word}: ${mustRulesTried(report).sentence}, ${summary.passed} passed, ${summary.failed} failed`,
    '',
    run.judged === undefined
      ? `${summary.exchanges} exchanges with ${codeSpan(target.name)}, seed ${run.seed}, run ${codeSpan(run.id)}.`
      : `Recorded traffic of ${codeSpan(target.name)}: ${escapeProse(judgedSentence(run.judged))}.`,
    ...[notImplementedSentence(report), stopped].flatMap((each) => (each === undefined ? [] : ['', each])),
    ...(triedNothing(report) ? ['', `**${NOTHING_TRIED}**`] : []),
  ].join('\n');
}

/** Causes of failure other than failed rules and errors. */
const problems = (report: Report): string => list(sentencesOf(report));

/** What was wrong before the run may be the cause of failures. If nothing was tried, `problems` has it. */
function warnings(report: Report): string {
  const { warnings: found = [] } = report.run;
  return found.length === 0 || mustRulesTried(report).tried === 0 ? '' : `### Fix first\n\n${list(found)}`;
}

/** One line per sentence, truncated. */
function list(sentences: readonly string[]): string {
  const more = sentences.length - MAX_FAILURES;
  const lines = sentences.slice(0, MAX_FAILURES).map((sentence) => `- ${truncatedCode(sentence)}`);
  return [...lines, ...(more > 0 ? [`- and ${more} more: see report.json`] : [])].join('\n');
}

function failures(report: Report, folder: string): string[] {
  const failed = report.requirements.filter(({ verdict }) => verdict === 'failed');
  const groups = groupByCause(failed, report);
  const more = groups.length - MAX_FAILURES;
  const firstFailures = groups.slice(0, MAX_FAILURES).flatMap(({ first, others, cause }) => [
    failure(first, report, folder),
    details(
      `${counted(others.length, 'more rule')} failed with ${escapeProse(cause)}`,
      others.map(({ id }) => `- ${codeSpan(id)}`),
    ),
  ]);
  return more > 0 ? [...firstFailures, `… and ${more} more failed: see report.html.`] : firstFailures;
}

function failure(result: RuleResult, report: Report, folder: string): string {
  const { id, rule } = result;
  const parts = failureParts(result, { report, folder });
  const facts = parts.filter(({ label }) => !isCommand(label)).map(factLine);
  const commands = parts.filter(({ label }) => isCommand(label)).map(commandText);
  return [
    `### failed ${codeSpan(id)}`,
    escapeProse(rule),
    facts.join('\n'),
    ...(commands.length === 0 ? [] : [codeBlock('sh', commands.join('\n'))]),
  ].join('\n\n');
}

const isCommand = (label: Label): boolean => label === 'replay' || label === 'curl';

/** `input` may consist of words; a request has a parameter or a header per line. */
function factLine({ label, text }: Part): string {
  if (label === 'more') return `- and ${escapeProse(text)}`;
  const line = text.replace(/\n(?=[?&])/g, '').replaceAll('\n', ' ');
  return `- ${label}: ${label === 'input' ? escapeProse(line) : truncatedCode(line)}`;
}

const commandText = ({ text }: Part): string =>
  text.length <= MAX_COMMAND_LENGTH ? text : '# The curl line is in report.json.';

const truncatedCode = (text: string): string =>
  text.length <= MAX_TEXT_LENGTH
    ? codeSpan(text)
    : `${codeSpan(text.slice(0, MAX_TEXT_LENGTH))} … (in full in report.json)`;

function errors({ requirements }: Report): string {
  const erred = requirements.filter(({ verdict }) => verdict === 'error').slice(0, MAX_FAILURES);
  if (erred.length === 0) return '';
  const lines = erred.map(({ id, reason = '' }) => `- ${codeSpan(id)}: ${truncatedCode(reason)}`);
  return ['### Errors in assay or the network (not verdicts)', '', ...lines].join('\n');
}

function newerRules(report: Report): string {
  const sentences = newerFailures(report).map(({ id, reason = '' }) => `${id}: ${reason}`);
  return sentences.length === 0 ? '' : `### Newer rules that failed\n\n${list(sentences)}`;
}

export const leftoversSection = ({ left = [] }: Pick<Report, 'left'>): string =>
  left.length === 0 ? '' : `### Not removed from the target\n\n${list(left)}`;

function areaTable({ requirements }: Report): string {
  const rows = [...selectedByArea(requirements)].map(([area, own]) =>
    [escapeProse(area), ...columns.map((verdict) => countOf(own, verdict) || '·')].join(' | '),
  );
  const head = ['area', ...columns].join(' | ');
  const rule = ['---', ...columns.map(() => '--:')].join(' | ');
  return [head, rule, ...rows].map((row) => `| ${row} |`).join('\n');
}

function notTried({ requirements }: Report): string {
  const lines = unmetNeeds({ requirements }).map(
    ({ advice, ruleCount }) => `- ${ruleCount} × ${truncatedCode(advice)}`,
  );
  const skipped = skippedByReason(requirements).filter(([reason]) => reason !== NOT_DECLARED);
  const rest = skipped.map(([reason, own]) => `Not tried: ${own.length} × ${reason}.`);
  return [details('To try more rules', lines), ...rest].filter((part) => part !== '').join('\n\n');
}

/** Of a selection of rules it would be meaningless. */
const coverage = ({ coverage: found, requirements }: Report): string =>
  found === undefined || !requirements.every(isSelected)
    ? ''
    : details(
        coverageLine(found),
        found.missing
          .slice(0, MAX_OBSERVATIONS)
          .map(({ operation, element, why }) => `- ${codeSpan(`${operation} ${element}`)}: ${escapeProse(why)}`),
      ) || coverageLine(found);

const observations = ({ observations: all }: Report): string =>
  details(
    'Observations',
    all
      .slice(0, MAX_OBSERVATIONS)
      .map(({ id, what, saw }) => `- ${codeSpan(id)} ${codeSpan(what.slice(0, 200))}: ${codeSpan(saw.slice(0, 200))}`),
  );

const details = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `<details><summary>${title}</summary>\n\n${lines.join('\n')}\n\n</details>`;
