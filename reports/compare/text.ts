/** A comparison for the terminal: every difference in two columns, the first ones with their script. */
import type { ComparisonReport, ReportedDifference } from '../../spec/formats/comparison.ts';
import { counted } from '../../spec/counted.ts';
import { escapeControls } from '../printable.ts';
import { byFidelity, classSentence, countSentence, fidelityOf, titleOf, valueText, verdictOf } from './rows.ts';

export interface TextOptions {
  /** Print which rule made which values the same. */
  readonly explains?: boolean;
  /** Print the share of alike exchanges by operation. */
  readonly scores?: boolean;
}

/** Differences whose script is printed. */
const MAX_SCRIPTS = 1;
const MAX_LISTED = 40;
const COLUMN = 58;

export function comparisonText(
  report: ComparisonReport,
  { explains = false, scores = false }: TextOptions = {},
): string {
  const open = report.differences.filter(({ known }) => known === undefined);
  const more = open.length - MAX_LISTED;
  return [
    ...open.slice(0, MAX_LISTED).flatMap((each, index) => [...differenceLines(each, report, index < MAX_SCRIPTS), '']),
    ...(more > 0 ? [`And ${counted(more, 'more difference')}, see the report.`, ''] : []),
    ...(explains ? [...explanationLines(report), ''] : []),
    ...(scores ? [...scoreLines(report), ''] : []),
    ...report.skipped.map(({ reason, count }) => escapeControls(`Not compared: ${counted(count, 'step')}: ${reason}.`)),
    escapeControls(verdictOf(report)),
    '',
  ].join('\n');
}

function differenceLines(each: ReportedDifference, report: ComparisonReport, hasScript: boolean): string[] {
  const { a, b } = report;
  const script = hasScript ? each.script : undefined;
  return [
    escapeControls(titleOf(each)),
    `  ${escapeControls(classSentence(each, report))}`,
    `  ${escapeControls(countSentence(each))}: ${each.steps.map(({ operation }) => operation).join(', ')}`,
    ...columns(a.name, b.name),
    ...columns(valueText(each.a), valueText(each.b)),
    ...(script === undefined
      ? []
      : ['', `# ${escapeControls(a.name)}`, script.a, `# ${escapeControls(b.name)}`, script.b]),
  ];
}

/** Two texts next to each other, each in lines of its column. */
function columns(left: string, right: string): string[] {
  const [a, b] = [pieces(left), pieces(right)];
  return Array.from({ length: Math.max(a.length, b.length) }, (_, at) =>
    `  ${(a[at] ?? '').padEnd(COLUMN)} | ${b[at] ?? ''}`.trimEnd(),
  );
}

const pieces = (text: string): string[] => escapeControls(text).match(new RegExp(`.{1,${COLUMN}}`, 'gsu')) ?? [''];

const explanationLines = ({ sameBecause }: ComparisonReport): string[] => [
  'Different values that count as the same:',
  ...sameBecause.flatMap(({ rule, reason, count, example }) => [
    `  ${rule} (${count}): ${reason}`,
    `    ${escapeControls(example)}`,
  ]),
];

const scoreLines = ({ operations, differences, summary }: ComparisonReport): string[] => [
  ...byFidelity(operations).map(
    (each) => `  ${String(fidelityOf(each)).padStart(5)} %  ${each.operation} (${each.alike} of ${each.compared})`,
  ),
  ...(differences.length > 0 ? ['What keeps it below 100 %, by the exchanges that it costs:'] : []),
  ...differences
    .toSorted((one, other) => other.count - one.count)
    .slice(0, MAX_LISTED)
    .map((each) => `  ${String(each.count).padStart(5)}  ${escapeControls(titleOf(each))}`),
  `Fidelity: ${fidelityOf(summary)} % (${summary.alike} of ${summary.compared} exchanges are alike).`,
];
