/** The frame of pages without scripts: a heading and tables, in the colors of report.html. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { escapeControls } from './printable.ts';

export interface StaticPage {
  readonly title: string;
  /** What the page is about, above the heading. */
  readonly about: string;
  readonly heading: string;
  /** Whether the heading has the color of a failure. */
  readonly isFailure: boolean;
  /** Further CSS rules. */
  readonly style?: string;
  /** HTML below the heading. */
  readonly body: string;
}

const style = (): string => `${readFileSync(path.join(import.meta.dirname, 'html/page/tokens.css'), 'utf8')}
body { max-width: 76rem; margin: 2rem auto; padding: 0 1rem; background: var(--ground); color: var(--text); font: 15px/1.5 var(--text-font); }
h1 { margin: 0; font-size: 2.2rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.5rem; font-size: 1.3rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th, td { border-bottom: 1px solid var(--line); padding: 0.4rem 0.8rem 0.4rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
thead th { color: var(--soft); font-weight: normal; }
.soft { color: var(--soft); }
.worse { color: var(--failed); }
.no-worse { color: var(--passed); }
@media print { :root:root { color-scheme: light; } tr { break-inside: avoid; } }`;

export const staticPage = (page: StaticPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<style>${style()}
${page.style ?? ''}</style>
</head>
<body>
<main>
<p class="soft">${escapeHtml(page.about)}</p>
<h1 class="${page.isFailure ? 'worse' : 'no-worse'}">${escapeHtml(page.heading)}</h1>
${page.body}
</main>
</body>
</html>
`;

/** Also makes control characters visible, except line ends if they are kept. */
export const escapeHtml = (text: string, options = { lineEnds: false }): string =>
  escapeControls(text, options)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
