/** Factories of deviations: a token endpoint. */
import { bodyOf, isFor, repliesWith, type App, type Fault } from '../deviation.ts';
import type { Scope } from '../../../spec/operations.ts';
import { signToken } from '../../domains/oauth/tokens.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { runWithHeaders } from '../../wrap/wrapping.ts';

export type Fields = Readonly<Record<string, string>>;
export type TokenBody = Readonly<Record<string, unknown>>;

export const isTokenRequest = (ctx: Context): boolean => isFor(ctx, ['requestToken']);

/** The form that was sent; empty before the app has read it. */
export const fieldsOf = ({ state: { body } }: Context): Fields => (body ?? {}) as Fields;

/** The client's credentials in HTTP Basic. */
export function basicOf(ctx: Context): { readonly id: string; readonly secret: string } | undefined {
  const encoded = /^basic +(\S+)$/i.exec(ctx.get('authorization'))?.[1];
  const [id, secret] = Buffer.from(encoded ?? '', 'base64')
    .toString()
    .split(':', 2);
  return encoded === undefined || id === undefined || secret === undefined ? undefined : { id, secret };
}

/** Replaces some responses of the token endpoint. Undefined keeps one. */
export function onToken(
  concerns: (status: number, fields: Fields, ctx: Context) => boolean,
  edit: (reply: Reply, response: TokenBody, ctx: Context, app: App) => Reply | Promise<Reply>,
): Fault {
  const deviation = repliesWith((reply, ctx, app) =>
    isTokenRequest(ctx) && concerns(reply.status, fieldsOf(ctx), ctx)
      ? edit(reply, bodyOf(ctx) as TokenBody, ctx, app)
      : undefined,
  );
  return { ...deviation, condition: 'requestToken' };
}

export const isSuccess = (status: number): boolean => status === 200;

/** Refuses what it refuses in another way. */
export function refusesWith(
  error: string,
  instead: { readonly status?: number; readonly error?: string },
  concerns: (fields: Fields, ctx: Context) => boolean = () => true,
): Fault {
  const isConcerned = (status: number, fields: Fields, ctx: Context) =>
    status >= 400 && (bodyOf(ctx) as TokenBody)['error'] === error && concerns(fields, ctx);
  return onToken(isConcerned, (reply, response) => ({
    ...reply,
    status: instead.status ?? reply.status,
    body: { ...response, error: instead.error ?? error },
  }));
}

/** Accepts a client with any secret. */
export function acceptsClient(concerns: (ctx: Context) => boolean): Fault {
  const wrap =
    (app: App): App =>
    (ctx) => {
      const { id = '' } = basicOf(ctx) ?? {};
      const right = ctx.state.world.clients.get(id)?.secret;
      if (!isTokenRequest(ctx) || right === undefined || !concerns(ctx)) return app(ctx);
      return runWithHeaders(app, ctx, { authorization: `Basic ${Buffer.from(`${id}:${right}`).toString('base64')}` });
    };
  return { kind: 'bypass auth', condition: 'requestToken', wrap };
}

/** A token response without a grant. */
export function tokenReply(ctx: Context, scopes: readonly string[], returned?: string): Reply {
  const { world } = ctx.state;
  const token = signToken(world, {
    caller: 'bot',
    scopes: scopes as readonly Scope[],
    workspace: world.target.workspace,
    lifetimeSeconds: 3600,
  });
  const body = {
    access_token: token,
    token_type: 'Bearer',
    expires_in: 3600,
    ...(returned !== undefined && { scope: returned }),
  };
  return { status: 200, headers: { 'cache-control': 'no-store' }, body };
}

/** Modifies the issued access tokens. */
export function spoilsToken(spoil: (token: string) => string, concerns = (_: Fields) => true): Fault {
  return onToken(
    (status, fields) => isSuccess(status) && concerns(fields),
    (reply, response) => ({ ...reply, body: { ...response, access_token: spoil(String(response['access_token'])) } }),
  );
}

/** With the claims changed; the signature fits no longer. */
export function spoilsClaims(spoil: (claims: TokenBody & { readonly iat: number }) => object): Fault {
  return spoilsToken((token) => {
    const [header, payload = '', signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as TokenBody & { readonly iat: number };
    return [header, Buffer.from(JSON.stringify(spoil(claims))).toString('base64url'), signature].join('.');
  });
}
