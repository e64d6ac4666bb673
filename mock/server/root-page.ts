/** `GET /` of a world: where the console, the API reference, the credentials and the OpenAPI documents are, as a page or as JSON. */
import { asProblem, problemReply } from '../http/problems.ts';
import type { Reply } from '../http/reply.ts';
import type { Context } from '../pipeline/context.ts';
import { methodsAt } from '../pipeline/routes.ts';
import { createSideApp } from '../pipeline/side-app.ts';
import { htmlDocument } from '../http/html-document.ts';
import { surfaces } from '../../spec/openapi-document.ts';
import { documentPath, documentUrls } from './control/get-openapi.ts';

/**
 * The path is not part of the API: with `--only-documented` it is unknown, and an upstream gets it. On the host name of a
 * sandbox, it is an operation.
 */
export function isForRootPage(ctx: Context): boolean {
  if (ctx.path !== '/' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return false;
  const { upstream, onlyDocumented } = ctx.state.served.config;
  return upstream === undefined && !onlyDocumented && methodsAt(ctx).length === 0;
}

/** Is recorded and disturbed like the API. */
export const rootPageApp = createSideApp(rootPage, (error) => problemReply(asProblem(error)));

interface Link {
  /** In the JSON. */
  readonly name: string;
  readonly title: string;
  /** Below the address of the world. */
  readonly path: string;
  readonly what: string;
}

const links: readonly Link[] = [
  { name: 'console', title: 'Console', path: '/_mock/', what: 'Resources, requests, faults and the clock.' },
  { name: 'reference', title: 'API reference', path: '/_mock/docs', what: 'Every operation, with requests to try.' },
  { name: 'target', title: 'Target file', path: '/_mock/target', what: 'The addresses and credentials.' },
];

function rootPage({ headers, state: { world } }: Context): Reply {
  if (/\btext\/html\b/i.test(headers.accept ?? '')) return htmlPage(world.mount.path);
  const { host, management } = world.addresses;
  const urls = links.map(({ name, path }) => [name, host + path] as const);
  const body = { message: MESSAGE, management, ...Object.fromEntries(urls), documents: documentUrls(world) };
  return { status: 200, headers: VARY, body };
}

const MESSAGE = 'This is a mock.';
const VARY = { vary: 'Accept' };

/** Links are without a host, which may have several names. */
function htmlPage(root: string): Reply<string> {
  const items = links.map(
    ({ title, path, what }) => `<li><a href="${root}${path}">${title}</a><span>${what}</span></li>`,
  );
  const documents = surfaces.map((each) => `<a href="${root}${documentPath(each)}">${each}</a>`);
  items.push(`<li>OpenAPI documents: ${documents.join(', ')}<span>For generators and other tools.</span></li>`);
  const body = htmlDocument({
    title: 'assay mock',
    head: `<style>${STYLE}</style>`,
    body: `<main>
<h1>${MESSAGE}</h1>
<ul>
${items.join('\n')}
</ul>
</main>`,
  });
  return { status: 200, headers: { ...VARY, ...HTML_HEADERS }, body };
}

const STYLE = `:root { color-scheme: light dark }
body { margin: 3rem auto; max-width: 40rem; padding: 0 1rem; background: light-dark(#fbfbfa, #16181b); color: light-dark(#1d2126, #e6e8ea); font: 1rem/1.6 system-ui, sans-serif }
h1 { font-size: 1.6rem }
ul { padding: 0; list-style: none }
li { padding: 0.6rem 0; border-top: 1px solid light-dark(#e2e4e2, #30353b) }
li span { display: block; color: light-dark(#5b636d, #a0a8b1) }
a { color: light-dark(#1c5aa8, #86b7f2) }`;

const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};
