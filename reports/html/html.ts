/** Renders report.html as one file with inline script, style and data, and a policy that allows no requests. */
import { createHash } from 'node:crypto';
import { jsonText } from '../../spec/json-text.ts';
import { escapeControls } from '../printable.ts';
import type { Bundle } from './bundle-page.ts';
import type { ExchangesByRule, PageData } from './page-data.ts';

/** The policy allows its own script and style by hash, and no URL. */
export function toHtml(data: PageData, exchanges: ExchangesByRule, { script, style }: Bundle): string {
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
<title>${escapeHtml(escapeControls(`${target.name} · run ${run.id} · assay`))}</title>
<style>${style}</style>
</head>
<body>
<div id="page"><noscript>This page needs JavaScript. report.json in the same folder has the same content.</noscript></div>
<script type="application/json" id="report">${escapeJson(data)}</script>
${Object.entries(exchanges).map(block).join('\n')}
<script>${code}</script>
</body>
</html>
`;
}

/** One block per rule, so that a browser parses only the rules that are opened. */
const block = ([rule, records]: readonly [string, unknown]): string =>
  `<script type="application/json" data-exchanges-of="${escapeHtml(rule)}">${escapeJson(records)}</script>`;

/** JSON that cannot end the script element. */
const escapeJson = (value: unknown): string => jsonText(value).replaceAll('<', String.raw`\u003c`);

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
