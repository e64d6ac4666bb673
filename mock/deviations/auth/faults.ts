/** The usual ways in which the question who may come in can be answered wrongly, to make deviations of. */
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { findResource, putResource } from '../../state/resources.ts';
import { askedWithHeaders, isFor, sentBody } from '../../wrap/wrapping.ts';
import { type App } from '../../pipeline/app.ts';
import type { Deviation } from '../deviation.ts';

export type Concerns = (ctx: Context) => boolean;
export type Carrier = 'standard' | 'brand';

const nameOf = (ctx: Context, carrier: Carrier): string =>
  carrier === 'standard' ? 'authorization' : ctx.state.world.headers.authorization.toLowerCase();

/** The whole value of the header, undefined where it is absent. */
export function sentIn(ctx: Context, carrier: Carrier): string | undefined {
  const value = ctx.headers[nameOf(ctx, carrier)];
  return value === undefined ? undefined : String(value);
}

/** What stands behind Bearer, in whichever header. */
export function tokenOf(ctx: Context): string | undefined {
  const header = sentIn(ctx, 'standard') ?? sentIn(ctx, 'brand');
  return /^bearer +(\S+)$/i.exec(header ?? '')?.[1];
}

export const isAnonymous: Concerns = (ctx) =>
  sentIn(ctx, 'standard') === undefined && sentIn(ctx, 'brand') === undefined;

export const comesBy =
  (carrier: Carrier): Concerns =>
  (ctx) =>
    sentIn(ctx, carrier) !== undefined;

export const at =
  (...ids: readonly OperationId[]): Concerns =>
  (ctx) =>
    isFor(ctx, ids);

export const all =
  (...each: readonly Concerns[]): Concerns =>
  (ctx) =>
    each.every((concerns) => concerns(ctx));

/** A token that no key and no JWT of this world is; JWTs that only look like one are among them. */
export const isUnknown: Concerns = (ctx) => {
  const token = tokenOf(ctx);
  return token !== undefined && !ctx.state.world.credentials.has(token);
};

export const isApiKey: Concerns = (ctx) => ctx.state.world.credentials.get(tokenOf(ctx) ?? '')?.kind === 'api-key';
export const isJwt: Concerns = (ctx) => ctx.state.world.credentials.get(tokenOf(ctx) ?? '')?.kind === 'jwt';

/** Whether it may do something: scope admin, or the one given. */
export function hasScope(ctx: Context, test: (scope: string) => boolean): boolean {
  return ctx.state.world.credentials.get(tokenOf(ctx) ?? '')?.scopes.some(test) ?? false;
}

/** As if whoever may do everything had asked. */
export function askedAsAdmin(app: App, ctx: Context): Promise<void> {
  const { namedCredentials } = ctx.state.world;
  const token = namedCredentials.find(({ name }) => name === 'admin')?.token;
  return askedWithHeaders(app, ctx, {
    [nameOf(ctx, 'brand')]: undefined,
    authorization: `Bearer ${token}`,
  });
}

/** Lets some in who should be kept out. */
export function lets(what: string, concerns: Concerns): Deviation {
  return { what, wrap: (app) => (ctx) => (concerns(ctx) ? askedAsAdmin(app, ctx) : app(ctx)) };
}

/** Does what some ask for who should be kept out, and keeps them out afterwards. */
export function tooLate(what: string, concerns: Concerns): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      if (concerns(ctx)) await askedAsAdmin(app, ctx);
      await app(ctx);
    };
  return { what, wrap };
}

type Spec = Readonly<Record<string, unknown>>;

/** Keeps some out whose agent update then sets some of the spec all the same: left out, the environment variables. */
export function setsInSpite(
  what: string,
  status: number,
  concerns: Concerns,
  edit: (kept: Spec, sent: Spec) => Spec = withEnvs,
): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (ctx.state.reply?.status !== status || !concerns(ctx)) return;
      const { world } = ctx.state;
      const { spec } = ((await sentBody(ctx)) ?? {}) as { spec?: Spec };
      const key = `${world.target.workspace}/agents`;
      const agent = findResource(world, key, routeOf(ctx)?.params['agentName'] ?? '');
      if (agent === undefined || spec === undefined) return;
      putResource(world, key, { ...agent, spec: edit(agent.spec, spec) });
    };
  return { what, wrap };
}

function withEnvs(kept: Spec, sent: Spec): Spec {
  const { envs } = (sent['runtime'] ?? {}) as { envs?: unknown };
  return envs === undefined ? kept : { ...kept, runtime: { ...(kept['runtime'] as object), envs } };
}

/** Some members as they were sent, where they were. */
export const withMembers =
  (...names: readonly string[]) =>
  (kept: Spec, sent: Spec): Spec => ({
    ...kept,
    ...Object.fromEntries(names.filter((name) => name in sent).map((name) => [name, sent[name]])),
  });

/** Keeps some out who should be let in, or answers those who are kept out otherwise. */
export function answersStatus(
  what: string,
  status: number,
  concerns: Concerns,
  body: object = { error: 'refused', code: status, message: 'This is refused.' },
): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (concerns(ctx)) ctx.state.reply = { status, body };
    };
  return { what, wrap };
}

/** Of the answer that the mock would give. */
export const isStatus =
  (...statuses: readonly number[]): Concerns =>
  (ctx) =>
    statuses.includes(ctx.state.reply?.status ?? 0);

/** Keeps some out of what they should get. */
export function keepsOut(what: string, status: 401 | 403, concerns: Concerns): Deviation {
  return answersStatus(what, status, (ctx) => (ctx.state.reply?.status ?? 0) < 400 && concerns(ctx));
}
