/** The control paths below `/_mock`, which are not part of the API. */
import type { Context } from '../../pipeline/context.ts';
import { notFound, unreadableUrl } from '../../http/problems.ts';
import type { Worlds } from './worlds.ts';

const PREFIX = '/_mock';
const OTHER_WORLD = /^\/_mock\/w\/([^/]*)(.*)$/;
/** RFC 8414 3.1 and RFC 9728 3.1 put the well-known part before the path, OpenID Connect Discovery 4 after that of the issuer. */
const WELL_KNOWN_FIRST = /^(\/\.well-known\/[^/]+)((?:\/_mock\/w\/[^/]+)?(?:\/_mock\/idp)?)(.*)$/;

export function isControl({ path }: Context): boolean {
  return path === PREFIX || path.startsWith(`${PREFIX}/`);
}

/** Finds the world of a request, and removes the path prefix of another world from the request. */
export function enterWorld(ctx: Context, { first, others }: Worlds): void {
  ctx.state.served = first;
  ctx.state.world = first.world;
  requirePath(ctx);
  if (ctx.path.startsWith('/.well-known/')) ctx.path = ctx.path.replace(WELL_KNOWN_FIRST, '$2$1$3');
  if (!isControl(ctx)) return;
  const [, id, rest] = OTHER_WORLD.exec(ctx.path) ?? [];
  if (id === undefined) return;
  const served = others.get(id);
  if (served === undefined) throw notFound('World', id);
  ctx.state.served = served;
  ctx.state.world = served.world;
  ctx.path = rest || '/';
  ctx.originalUrl = ctx.url;
}

/** Koa finds no path in a URL such as `http://`. */
function requirePath({ path }: { readonly path: string | null }): void {
  if (path === null) throw unreadableUrl();
}

const API = `${PREFIX}/api`;

/**
 * Turns a request below `/_mock/api` into one to the API as the admin of the mock's target. The console uses it, so that
 * its requests are not in the journal. Returns false for any other request.
 */
export function enterApi(ctx: Context): boolean {
  if (!ctx.path.startsWith(`${API}/`)) return false;
  ctx.path = ctx.path.slice(API.length);
  ctx.originalUrl = ctx.url;
  ctx.req.headers.authorization = `Bearer ${ctx.state.served.target.credentials.admin.value}`;
  ctx.state.isFromConsole = true;
  return true;
}

/** Loaded on the first request, so that the mock starts faster. */
export async function control(ctx: Context, worlds: Worlds): Promise<void> {
  const { handleControlCall } = await import('./handle-control-call.ts');
  ctx.state.reply = await handleControlCall(ctx, worlds);
}
