/** Effects on which callers are accepted. */
import type { Effect } from '../deviation.ts';
import type { Condition } from '../conditions.ts';
import { across, type Rows } from '../table.ts';
import type { Reply } from '../../http/reply.ts';
import type { App } from '../../pipeline/app.ts';
import type { Context } from '../../pipeline/context.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { findResource, putResource } from '../../state/resources.ts';
import { runWithHeaders, sentBody } from '../../wrap/wrapping.ts';
import { anonymous, headerName } from './conditions.ts';

/** Runs the app with the credential of an admin. */
export function runAsAdmin(app: App, ctx: Context): Promise<void> {
  const token = ctx.state.world.namedCredentials.find(({ name }) => name === 'admin')?.token;
  return runWithHeaders(app, ctx, { [headerName(ctx, 'brand')]: undefined, authorization: `Bearer ${token}` });
}

/** Accepts requests that the mock would refuse for their credential. */
export const bypassAuth: Effect = {
  kind: 'bypass auth',
  wrap: (app, applies) => (ctx) => (applies(ctx) ? runAsAdmin(app, ctx) : app(ctx)),
};

/** Does what is requested, then refuses it. */
export const applyBeforeAuth: Effect = {
  kind: 'apply before auth',
  wrap: (app, applies) => async (ctx) => {
    if (applies(ctx)) await runAsAdmin(app, ctx);
    await app(ctx);
  },
};

/** Changes headers of the request; undefined removes one. */
export const changeHeaders = (edit: (ctx: Context) => Readonly<Record<string, string | undefined>>): Effect => ({
  kind: 'change headers',
  wrap: (app, applies) => (ctx) => (applies(ctx) ? runWithHeaders(app, ctx, edit(ctx)) : app(ctx)),
});

/** Runs `then` after the mock has responded. */
export const afterResponse = (kind: string, then: (ctx: Context, app: App) => Promise<void> | void): Effect => ({
  kind,
  wrap: (app, applies) => async (ctx) => {
    await app(ctx);
    if (applies(ctx)) await then(ctx, app);
  },
});

const refusal = (status: number): object => ({ error: 'refused', code: status, message: 'This is refused.' });

/** Responds with another status. */
export const respond = (status: number, body = refusal(status)): Effect =>
  afterResponse('change status', (ctx) => {
    ctx.state.reply = { status, body };
  });

/** Refuses requests that the mock accepts. */
export const deny = (status: 401 | 403): Effect =>
  afterResponse('refuse', (ctx) => {
    if ((ctx.state.reply?.status ?? 0) < 400) ctx.state.reply = { status, body: refusal(status) };
  });

/** Returns the last 200 for the same URL instead of a 401 to callers without a credential. */
export const respondFromCache: Effect = {
  kind: 'respond from cache',
  wrap: (app, applies) => {
    const responses = new Map<string, Reply>();
    return async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (reply === undefined || !applies(ctx)) return;
      if (reply.status === 200) responses.set(ctx.url, reply);
      if (reply.status === 401 && anonymous.holds(ctx)) ctx.state.reply = responses.get(ctx.url) ?? reply;
    };
  },
};

type Spec = Readonly<Record<string, unknown>>;

/** Stores part of an agent update that the mock refuses with this status; by default, the environment variables. */
export const storeRefused = (status: number, edit: (stored: Spec, sent: Spec) => Spec = withEnvs): Effect =>
  afterResponse('store what is refused', async (ctx) => {
    if (ctx.state.reply?.status !== status) return;
    const { world } = ctx.state;
    const { spec } = ((await sentBody(ctx)) ?? {}) as { spec?: Spec };
    const key = `${world.target.workspace}/agents`;
    const agent = findResource(world, key, routeOf(ctx)?.params['agentName'] ?? '');
    if (agent === undefined || spec === undefined) return;
    putResource(world, key, { ...agent, spec: edit(agent.spec, spec) });
  });

function withEnvs(stored: Spec, sent: Spec): Spec {
  const { envs } = (sent['runtime'] ?? {}) as { envs?: unknown };
  return envs === undefined ? stored : { ...stored, runtime: { ...(stored['runtime'] as object), envs } };
}

/** Copies these members from the sent spec if it has them. */
export const withMembers =
  (...names: readonly string[]) =>
  (stored: Spec, sent: Spec): Spec => ({
    ...stored,
    ...Object.fromEntries(names.filter((name) => name in sent).map((name) => [name, sent[name]])),
  });

/** Agent updates that are refused with this status but stored in part; `refused` ends the sentence. */
export const stored = (refused: Condition, status: number): Rows =>
  across([refused], {
    'sets the triggers of an update that it refuses': storeRefused(status, withMembers('triggers')),
    'disables an agent by an update that it refuses': storeRefused(status, withMembers('enabled')),
    'sets the variables of an update that it refuses': storeRefused(status),
  });
