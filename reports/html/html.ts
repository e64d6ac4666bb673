/** The page as one file: script, style and data inside, and a policy that lets it fetch nothing. */
import { createHash } from 'node:crypto';
import { jsonText } from '../../spec/json-text.ts';
import { printable } from '../printable.ts';
import type { Bundle } from './bundle-page.ts';
import type { KeptExchanges, PageData } from './page-data.ts';

/** Its own script and style by their hashes; no address at all. */
export function toHtml(data: PageData, exchanges: KeptExchanges, { script, style }: Bundle): string {
  const code = script.replaceAll(/<(?=\/script|!--)/gi, String.raw`\x3c`);
  const { target, run } = data.report;
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(code)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(printable(`${target.name} · run ${run.id} · assay`))}</title>
<style>${style}</style>
</head>
<body>
<div id="page"><noscript>This page needs JavaScript; report.json beside it says the same.</noscript></div>
<script type="application/json" id="report">${inert(data)}</script>
${Object.entries(exchanges).map(block).join('\n')}
<script>${code}</script>
</body>
</html>
`;
}

/** One block a rule, so that a browser parses only what is looked at. */
const block = ([rule, records]: readonly [string, unknown]): string =>
  `<script type="application/json" data-exchanges-of="${escaped(rule)}">${inert(records)}</script>`;

/** JSON that ends no script element, whatever its strings say. */
const inert = (value: unknown): string => jsonText(value).replaceAll('<', String.raw`\u003c`);

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
