/** Replies with the mock's pages and their files, under a policy that allows requests only to this mock. */
import type { Reply } from '../../http/reply.ts';
import { notFound } from '../../http/problems.ts';
import type { Bundle } from './bundle-page.ts';
import { htmlDocument } from '../../http/html-document.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface PageText {
  readonly title: string;
  /** Relative to the page, in this order. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Embedded into the page as JSON for its script. */
  readonly facts?: object;
}

export function pageReply({ title, scripts, styles, facts = {} }: PageText): Reply<string> {
  const body = htmlDocument({
    title,
    head: styles.map((file) => `<link rel="stylesheet" href="${file}">`).join('\n'),
    body: `<div id="page"><noscript>This page needs JavaScript.</noscript></div>
<script type="application/json" id="facts">${JSON.stringify(facts).replaceAll('<', String.raw`\u003c`)}</script>
${scripts.map((file) => `<script src="${file}" defer></script>`).join('\n')}`,
  });
  return { status: 200, headers: headersOf('text/html', { 'content-security-policy': POLICY }), body };
}

const TYPES = { js: 'text/javascript', css: 'text/css', json: 'application/json' } as const;

export function fileReply(type: keyof typeof TYPES, body: string | Uint8Array): Reply<string | Uint8Array> {
  return { status: 200, headers: headersOf(TYPES[type]), body };
}

export const notStored = <Body>(reply: Reply<Body>): Reply<Body> => ({
  ...reply,
  headers: { ...reply.headers, 'cache-control': 'no-store' },
});

/** The script and the style sheet of a page; undefined for any other file. */
export function bundleFile(file: string, { script, style }: Bundle): Reply | undefined {
  if (file === 'script.js') return fileReply('js', script);
  return file === 'style.css' ? fileReply('css', style) : undefined;
}

/** Throws notFound if the page has no such file. */
export function requireReply(reply: Reply | undefined, file: string): Reply {
  if (reply === undefined) throw notFound('File', file);
  return reply;
}

function headersOf(type: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...more,
  };
}
