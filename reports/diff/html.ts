/** Renders a comparison of two runs as one static HTML file. */
import { escapeHtml, staticPage } from '../static-page.ts';
import type { ReportDiff } from './compare-reports.ts';
import { notesOf, sectionsOf, sideLines, diffVerdict } from './rows.ts';
import type { Row, Section } from './rows.ts';

const style = `body { max-width: 70rem; }
ol { padding-left: 1.2rem; color: var(--soft); }
tbody th { font: 600 13px/1.6 var(--code-font); }
tbody .worse { font-family: var(--text-font); }
@media (max-width: 600px) {
  thead { display: none; }
  tr, th, td { display: block; }
  tbody tr { padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  tbody th, tbody td { border: 0; padding: 0.1rem 0; }
  td::before { content: attr(data-label) ': '; color: var(--soft); }
}`;

export const toHtml = (diff: ReportDiff): string =>
  staticPage({
    title: `${diff.first.run} and ${diff.second.run} · assay diff`,
    about: 'Two runs compared',
    heading: diffVerdict(diff),
    isFailure: diff.worse.length > 0,
    style,
    body: [
      `<ol>${sideLines(diff).map(item).join('')}</ol>`,
      ...sectionsOf(diff).map(section),
      ...notesOf(diff).map(note),
    ].join('\n'),
  });

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
