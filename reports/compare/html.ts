/** A comparison as one static HTML file: differences by operation, in two columns, with their scripts. */
import type { ComparisonReport, ReportedDifference } from '../../spec/formats/comparison.ts';
import { escapeHtml, staticPage } from '../static-page.ts';
import { classSentence, countSentence, fidelityOf, titleOf, valueText, verdictOf, isSame } from './rows.ts';

const style = `h3 { margin: 1.5rem 0 0; font: 600 14px/1.6 var(--code-font); overflow-wrap: anywhere; }
p { margin: 0.2rem 0; }
td, pre { font: 13px/1.6 var(--code-font); }
pre { overflow-x: auto; }`;

export const comparisonHtml = (report: ComparisonReport): string =>
  staticPage({
    title: `${report.a.name} and ${report.b.name} · assay compare`,
    about: 'Two targets compared',
    heading: verdictOf(report),
    isFailure: !isSame(report),
    style,
    body: [
      `<p class="soft">${escapeHtml(`Seed ${report.run.seed}, ${report.run.startedAt}, assay ${report.run.assay}`)}</p>`,
      ...[...Map.groupBy(report.differences, ({ operation }) => operation)].map(([operation, own]) =>
        section(operation, own, report),
      ),
      '<h2>Operations</h2>',
      table(
        ['Operation', 'Alike'],
        report.operations.map((each) => [each.operation, `${fidelityOf(each)} % (${each.alike} of ${each.compared})`]),
      ),
      '<h2>Different values that count as the same</h2>',
      table(
        ['Rule', 'Reason', 'Example'],
        report.sameBecause.map(({ rule, reason, count, example }) => [`${rule} (${count})`, reason, example]),
      ),
      ...(report.skipped.length === 0
        ? []
        : [
            '<h2>Not compared</h2>',
            table(
              ['Steps', 'Reason'],
              report.skipped.map(({ count, reason }) => [String(count), reason]),
            ),
          ]),
    ].join('\n'),
  });

const section = (operation: string, own: readonly ReportedDifference[], report: ComparisonReport): string =>
  `<h2>${escapeHtml(operation)}</h2>\n${own.map((each) => differenceHtml(each, report)).join('\n')}`;

function differenceHtml(each: ReportedDifference, report: ComparisonReport): string {
  const { script, known } = each;
  const { a, b } = report;
  return `<h3>${escapeHtml(titleOf(each))}</h3>
<p>${escapeHtml(known === undefined ? classSentence(each, report) : `Known: ${known}`)}</p>
<p class="soft">${escapeHtml(countSentence(each))}</p>
${table([a.name, b.name], [[valueText(each.a), valueText(each.b)]])}
${script === undefined ? '' : `<details><summary>Script</summary>\n<pre>${escapeHtml(`# ${a.name}\n${script.a}\n# ${b.name}\n${script.b}`, { lineEnds: true })}</pre></details>`}`;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => `<table>
<thead><tr>${head.map((each) => `<th scope="col">${escapeHtml(each)}</th>`).join('')}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row.map((each) => `<td>${escapeHtml(each)}</td>`).join('')}</tr>`).join('\n')}</tbody>
</table>`;
