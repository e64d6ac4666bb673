/** Serves previews of sandboxes: a page for a preview that is public, or for a request with one of its tokens. */
import { opensPreview, PREVIEWS_PATH } from '../domains/resources/previews.ts';
import { wakeUp } from '../domains/sandbox/sleep.ts';
import { servingWorkload } from '../domains/resources/workloads.ts';
import { asProblem, badCredential, missingPreviewToken, notFound, problemReply } from '../http/problems.ts';
import type { Reply } from '../http/reply.ts';
import { findResource } from '../state/resources.ts';
import type { Context } from './context.ts';
import { createSideApp } from './side-app.ts';

export function isForPreview({ path }: Pick<Context, 'path'>): boolean {
  return path.startsWith(`${PREVIEWS_PATH}/`);
}

export const previewApp = createSideApp(pageOf, (error) => problemReply(asProblem(error)));

/** The token is in the query (`token`) or in the header `X-Svc-Preview-Token`, with the brand of the world. */
async function pageOf(ctx: Context): Promise<Reply> {
  const { world } = ctx.state;
  const [name = '', sandboxName = '', previewName = ''] = ctx.path.slice(PREVIEWS_PATH.length + 1).split('/');
  const workspace = world.workspaces.get(name);
  if (workspace === undefined) throw notFound('Workspace', name);
  const key = `${name}/sandboxes/${sandboxName}/previews`;
  const { resource: sandbox } = servingWorkload(world, workspace, 'sandboxes', sandboxName);
  const preview = findResource(world, key, previewName);
  if (preview === undefined) throw notFound('Preview', previewName);
  if (preview.spec['public'] !== true) requireToken(ctx, key, previewName);
  const reply = page(`Preview ${preview.name} of sandbox ${sandbox.name}`, preview.spec['port']);
  const waitMs = wakeUp(world, sandbox);
  if (waitMs === 0) return reply;
  await world.timers.wait(waitMs, (release) => ctx.res.once('close', release));
  return { ...reply, headers: { ...reply.headers, 'x-mock-wake-up': `${waitMs}ms` } };
}

function requireToken(ctx: Context, key: string, preview: string): void {
  const { world } = ctx.state;
  const header = `X-${world.brand}-Preview-Token`;
  const token = new URLSearchParams(ctx.querystring).get('token') ?? ctx.get(header);
  if (token === '') throw missingPreviewToken(header);
  if (!opensPreview(world, key, preview, token))
    throw badCredential('it is not a token of this preview, or has expired');
}

/** Names contain no characters that HTML would interpret. */
function page(title: string, port: unknown): Reply {
  const text = typeof port === 'number' ? `Port ${port} of the sandbox.` : 'The preview has no port.';
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>\n`,
  };
}
