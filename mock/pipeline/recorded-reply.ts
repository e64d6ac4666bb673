/** A recorded response as the mock sends it: without what belongs to the recorded connection, and with the mock's addresses. */
import type { Reply } from '../http/reply.ts';
import { escapeRegExp } from '../../spec/escape-regexp.ts';
import { surfaces } from '../../spec/openapi-document.ts';
import { requestedHost } from '../state/requested-address.ts';
import type { Context } from './context.ts';
import { HOP_BY_HOP } from './forward.ts';
import type { Replay, ReplayedResponse } from './replay.ts';
import { MANAGEMENT_PREFIX, splitNames } from './routes.ts';
import { withoutBody } from './scripted-response.ts';

/** The mock has its own: bodies are decoded, the time is virtual, any page may read responses, and cookies are for another host. */
const DROPPED = [...HOP_BY_HOP, 'content-encoding', 'date', 'set-cookie', 'alt-svc', 'x-firefox-spdy'];
const isKept = (name: string): boolean => !DROPPED.includes(name) && !/^(?::|access-control-)/.test(name);

export function recordedReply(
  ctx: Context,
  { addresses }: Replay,
  { status, headers, body = '' }: ReplayedResponse,
): Reply {
  const rewrite = createRewriter(ctx, addresses);
  const kept = Object.entries(headers ?? {})
    .map(([name, value]) => [name.toLowerCase(), rewrite(value)] as const)
    .filter(([name]) => isKept(name));
  // If there are no headers at all, they are unknown, and the mock adds its content type.
  const own = { ...(headers !== undefined && { 'content-type': '' }), ...Object.fromEntries(kept) };
  return withoutBody({ status, headers: own, body: typeof body === 'string' ? rewrite(body) : body });
}

const SANDBOX = String.raw`https?:\\?/\\?/sbx-([a-z0-9-]+)\.([a-z0-9-]+)[a-z0-9.-]*(?::\d+)?`;
/** Where an address ends: not within a longer host name, port or segment. */
const END = String.raw`(?![\w.-]|:\d)`;

/** Replaces the recorded addresses in a text, also with escaped slashes, and percent-encoded as in parameters of a URL. */
function createRewriter(ctx: Context, recorded: Replay['addresses']): (text: string) => string {
  const { served, world } = ctx.state;
  const host = requestedHost({ world, headers: ctx.headers });
  const own = { management: host + MANAGEMENT_PREFIX, host, inference: host, sandbox: served.target.addresses.sandbox };
  const byAddress = new Map(
    surfaces.flatMap((surface) => {
      const [from = '', to = ''] = [recorded[surface]?.replace(/\/+$/, ''), own[surface]];
      if (from === '' || to === '') return [];
      return [
        [from.toLowerCase(), to] as const,
        [encodeURIComponent(from).toLowerCase(), encodeURIComponent(to)] as const,
      ];
    }),
  );
  const addresses = [...byAddress.keys()].toSorted((a, b) => b.length - a.length).map(escapeRegExp);
  const patterns = addresses.map((address) => address.replaceAll(String.raw`\/`, String.raw`\\?/`));
  const pattern = new RegExp(`(?:${[SANDBOX, ...patterns].join('|')})${END}`, 'gi');
  return (text) =>
    text.replaceAll(pattern, (found, names?: string, label = '') =>
      names === undefined
        ? (byAddress.get(found.replaceAll('\\', '').toLowerCase()) ?? found)
        : sandboxAddress(ctx, host, { names, label }),
    );
}

/** In the form that the world has for its own sandboxes; `label` is the region in the host name. */
function sandboxAddress(
  { state: { world } }: Context,
  host: string,
  { names, label }: { readonly names: string; readonly label: string },
): string {
  const { protocol, port } = new URL(host);
  if (world.sandboxUrls === 'host') return `${protocol}//sbx-${names}.${label}.localhost${port && `:${port}`}`;
  const { workspace, sandboxName } = splitNames(names, world);
  return `${host}/sandbox/${workspace}/${sandboxName}`;
}
