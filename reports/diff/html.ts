/** Renders a comparison of two runs as one static HTML file. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { escapeControls } from '../printable.ts';
import type { ReportDiff } from './compare-reports.ts';
import { notesOf, sectionsOf, sideLines, diffVerdict } from './rows.ts';
import type { Row, Section } from './rows.ts';

/** Uses the colors of report.html. */
const style = (): string => `${readFileSync(path.join(import.meta.dirname, '../html/page/tokens.css'), 'utf8')}
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; background: var(--ground); color: var(--text); font: 15px/1.5 var(--text-font); }
h1 { margin: 0; font-size: 2.2rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.5rem; font-size: 1.3rem; }
ol { padding-left: 1.2rem; }
ol, .soft { color: var(--soft); }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th, td { border-bottom: 1px solid var(--line); padding: 0.4rem 0.8rem 0.4rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
thead th { color: var(--soft); font-weight: normal; }
tbody th { font: 600 13px/1.6 var(--code-font); }
.worse { color: var(--failed); }
tbody .worse { font-family: var(--text-font); }
.no-worse { color: var(--passed); }
@media (max-width: 600px) {
  thead { display: none; }
  tr, th, td { display: block; }
  tbody tr { padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  tbody th, tbody td { border: 0; padding: 0.1rem 0; }
  td::before { content: attr(data-label) ': '; color: var(--soft); }
}
@media print { :root:root { color-scheme: light; } tr { break-inside: avoid; } }`;

export const toHtml = (diff: ReportDiff): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${diff.first.run} and ${diff.second.run} · assay diff`)}</title>
<style>${style()}</style>
</head>
<body>
<main>
<p class="soft">Two runs compared</p>
<h1 class="${diff.worse.length > 0 ? 'worse' : 'no-worse'}">${escapeHtml(diffVerdict(diff))}</h1>
<ol>${sideLines(diff).map(item).join('')}</ol>
${[...sectionsOf(diff).map(section), ...notesOf(diff).map(note)].join('\n')}
</main>
</body>
</html>
`;

const item = (text: string): string => `<li>${escapeHtml(text)}</li>`;

const note = (text: string): string => `<p>${escapeHtml(text)}</p>`;

const section = ({ title, rows }: Section): string => `<h2>${escapeHtml(`${title} (${rows.length})`)}</h2>
<table>
<thead><tr><th scope="col">Rule</th><th scope="col">First</th><th scope="col">Second</th></tr></thead>
<tbody>
${rows.map(line).join('\n')}
</tbody>
</table>`;

function line({ id, what, first, second, worse }: Row): string {
  const name = what === undefined ? escapeHtml(id) : `${escapeHtml(id)}<br>${escapeHtml(what)}`;
  const mark = worse ? '<br><span class="worse">worse</span>' : '';
  return `<tr><th scope="row">${name}${mark}</th><td data-label="First">${escapeHtml(first)}</td><td data-label="Second">${escapeHtml(second)}</td></tr>`;
}

const escapeHtml = (text: string): string =>
  escapeControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
