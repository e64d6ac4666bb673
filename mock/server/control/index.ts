/** The mock's own address space `/_mock`: JSON for whoever steers the mock, not part of the interface. */
import type { Context } from '../../pipeline/context.ts';
import { notFound } from '../../http/problems.ts';
import type { Worlds } from './worlds.ts';

const PREFIX = '/_mock';
const OTHER_WORLD = /^\/_mock\/w\/([^/]*)(.*)$/;
/** RFC 8414 3.1 puts the well-known part before the path of the issuer, OpenID Connect Discovery 4 behind it. */
const WELL_KNOWN_FIRST = /^(\/\.well-known\/[^/]+)(\/_mock\/.+)$/;

export function isControl({ path }: Context): boolean {
  return path === PREFIX || path.startsWith(`${PREFIX}/`);
}

/** Finds the world that a request is for; below another world's address the request then reads as if that were the root. */
export function enterWorld(ctx: Context, { first, others }: Worlds): void {
  ctx.state.served = first;
  ctx.state.world = first.world;
  if (ctx.path.startsWith('/.well-known/')) ctx.path = ctx.path.replace(WELL_KNOWN_FIRST, '$2$1');
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

/** Loaded when it is first asked: a start does not wait for it. */
export async function control(ctx: Context, worlds: Worlds): Promise<void> {
  const { handleControlCall } = await import('./handle-control-call.ts');
  ctx.state.reply = await handleControlCall(ctx, worlds);
}
