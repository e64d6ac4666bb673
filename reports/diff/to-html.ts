/** A comparison of two runs as one file that fetches nothing and runs nothing. */
import { printable } from '../printable.ts';
import type { ReportDiff } from './compare-reports.ts';
import { sectionsOf, sideLines, verdictOn } from './rows.ts';
import type { Row, Section } from './rows.ts';

const style = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th, td { border: 1px solid; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
.worse { font-weight: bold; }`;

export const toHtml = (diff: ReportDiff): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${inert(`${diff.first.run} and ${diff.second.run} · assay diff`)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Two runs compared</h1>
<ol>${sideLines(diff).map(item).join('')}</ol>
<p>${inert(verdictOn(diff))}</p>
${diff.worse.length === 0 ? '' : `<ul>${diff.worse.map(item).join('')}</ul>`}
${sectionsOf(diff).map(section).join('\n')}
</main>
</body>
</html>
`;

const item = (text: string): string => `<li>${inert(text)}</li>`;

const section = ({ title, rows }: Section): string => `<h2>${inert(`${title} (${rows.length})`)}</h2>
<table>
<thead><tr><th scope="col">Rule</th><th scope="col">First</th><th scope="col">Second</th></tr></thead>
<tbody>
${rows.map(line).join('\n')}
</tbody>
</table>`;

function line({ id, what, first, second, worse }: Row): string {
  const name = what === undefined ? inert(id) : `${inert(id)}<br>${inert(what)}`;
  const mark = worse ? '<br><span class="worse">worse</span>' : '';
  return `<tr><th scope="row">${name}${mark}</th><td>${inert(first)}</td><td>${inert(second)}</td></tr>`;
}

const inert = (text: string): string =>
  printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
