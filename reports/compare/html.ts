/** A comparison as one static HTML file: differences by operation, in two columns, with their scripts. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ComparisonReport, ReportedDifference } from '../../spec/formats/comparison.ts';
import { escapeControls } from '../printable.ts';
import { classSentence, countSentence, fidelityOf, titleOf, valueText, verdictOf, isSame } from './rows.ts';

/** Uses the colors of report.html. */
const style = (): string => `${readFileSync(path.join(import.meta.dirname, '../html/page/tokens.css'), 'utf8')}
body { max-width: 76rem; margin: 2rem auto; padding: 0 1rem; background: var(--ground); color: var(--text); font: 15px/1.5 var(--text-font); }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.5rem; font-size: 1.3rem; }
h3 { margin: 1.5rem 0 0; font: 600 14px/1.6 var(--code-font); overflow-wrap: anywhere; }
p { margin: 0.2rem 0; }
.soft { color: var(--soft); }
.different { color: var(--failed); }
.same { color: var(--passed); }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th, td { border-bottom: 1px solid var(--line); padding: 0.4rem 0.8rem 0.4rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
thead th { color: var(--soft); font-weight: normal; }
td, pre { font: 13px/1.6 var(--code-font); }
pre { overflow-x: auto; }
@media print { :root:root { color-scheme: light; } tr { break-inside: avoid; } }`;

export const comparisonHtml = (report: ComparisonReport): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${report.a.name} and ${report.b.name} · assay compare`)}</title>
<style>${style()}</style>
</head>
<body>
<main>
<p class="soft">Two targets compared</p>
<h1 class="${isSame(report) ? 'same' : 'different'}">${escapeHtml(verdictOf(report))}</h1>
<p class="soft">${escapeHtml(`Seed ${report.run.seed}, ${report.run.startedAt}, assay ${report.run.assay}`)}</p>
${[...Map.groupBy(report.differences, ({ operation }) => operation)].map(([operation, own]) => section(operation, own, report)).join('\n')}
<h2>Operations</h2>
${table(
  ['Operation', 'Alike'],
  report.operations.map((each) => [each.operation, `${fidelityOf(each)} % (${each.alike} of ${each.compared})`]),
)}
<h2>Different values that count as the same</h2>
${table(
  ['Rule', 'Reason', 'Example'],
  report.sameBecause.map(({ rule, reason, count, example }) => [`${rule} (${count})`, reason, example]),
)}
${
  report.skipped.length === 0
    ? ''
    : `<h2>Not compared</h2>\n${table(
        ['Steps', 'Reason'],
        report.skipped.map(({ count, reason }) => [String(count), reason]),
      )}`
}
</main>
</body>
</html>
`;

const section = (operation: string, own: readonly ReportedDifference[], report: ComparisonReport): string =>
  `<h2>${escapeHtml(operation)}</h2>\n${own.map((each) => differenceHtml(each, report)).join('\n')}`;

function differenceHtml(each: ReportedDifference, report: ComparisonReport): string {
  const { script, known } = each;
  const { a, b } = report;
  return `<h3>${escapeHtml(titleOf(each))}</h3>
<p>${escapeHtml(known === undefined ? classSentence(each, report) : `Known: ${known}`)}</p>
<p class="soft">${escapeHtml(countSentence(each))}</p>
${table([a.name, b.name], [[valueText(each.a), valueText(each.b)]])}
${script === undefined ? '' : `<details><summary>Script</summary>\n<pre>${escapeHtml(`# ${a.name}\n${script.a}\n# ${b.name}\n${script.b}`, true)}</pre></details>`}`;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => `<table>
<thead><tr>${head.map((each) => `<th scope="col">${escapeHtml(each)}</th>`).join('')}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row.map((each) => `<td>${escapeHtml(each)}</td>`).join('')}</tr>`).join('\n')}</tbody>
</table>`;

const escapeHtml = (text: string, lineEnds = false): string =>
  escapeControls(text, { lineEnds })
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
