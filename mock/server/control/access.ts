/** Access to `/_mock`: open on loopback, otherwise only with the control token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import { isLoopback } from '../../../spec/network/loopback.ts';
import { sendPreflightResponse, isPreflight } from '../../http/preflight.ts';
import { httpDate } from '../../time/http-date.ts';
import { forbidden, Problem, quote } from '../../http/problems.ts';

/** Throws if `/_mock` would be open to the network, or if the token is empty. */
export function requireTokenUnlessLoopback(host: string, token: string | undefined): void {
  if (token === '') throw new UnprotectedHostError('--control-token is empty; expected a non-empty string.');
  if (isLoopback(host) || token !== undefined) return;
  throw new UnprotectedHostError(
    `--host ${host} is not a loopback address, so anyone could read the credentials at /_mock/target. Set --control-token or ASSAY_CONTROL_TOKEN, or listen on 127.0.0.1.`,
  );
}

export class UnprotectedHostError extends Error {}

export interface Access {
  /** Required of every request if set. */
  readonly token?: string | undefined;
  /** Origins whose pages may call it, in addition to the mock's own. */
  readonly origins?: readonly string[] | undefined;
}

/** Refuses pages of other origins, and requests without the token if one is set. */
export function guard({ token, origins = [] }: Access): Koa.Middleware {
  return async (ctx, next) => {
    refuseForeignPage(ctx, origins);
    // DNS rebinding: any site can point its host name at this machine; requests then have that name.
    if (token === undefined && !isLoopback(ctx.hostname))
      throw forbidden(`/_mock is closed to the host name ${quote(ctx.hostname)}; call it by a loopback address.`);
    if (isPreflight(ctx)) return sendPreflightResponse(ctx, METHODS, httpDate(ctx.state.world.clock.now()));
    if (token !== undefined && !isPage(ctx.path) && !isEqual(ctx.get('authorization'), `Bearer ${token}`))
      throw missingControlToken();
    await next();
  };
}

const METHODS = ['GET', 'PUT', 'POST', 'DELETE'];

function refuseForeignPage(ctx: Koa.Context, origins: readonly string[]): void {
  const origin = ctx.get('origin');
  if (origin === '' && isSentByForeignPage(ctx))
    throw forbidden('/_mock is closed to pages of other origins. Start the mock with --control-origin to allow one.');
  if (origin === '' || origin === `${ctx.protocol}://${ctx.host}`) return;
  if (!origins.includes(origin))
    throw forbidden(
      `/_mock is closed to pages of ${quote(origin)}. Start the mock with --control-origin to allow one.`,
    );
  ctx.set({ 'Access-Control-Allow-Origin': origin, Vary: 'Origin' });
}

/** For a request without Origin, such as for an image or a frame. A browser sends these headers; a link may lead to the mock. */
const isSentByForeignPage = (ctx: Koa.Context): boolean =>
  /^(?:cross|same)-site$/.test(ctx.get('sec-fetch-site')) && ctx.get('sec-fetch-dest') !== 'document';

/** Static pages without data of a world: a browser cannot send the token before it has loaded them. */
function isPage(path: string): boolean {
  return /^\/_mock(?:\/|\/console\/[^/]+|\/docs(?:\/[^/]+)?)?$/.test(path);
}

function missingControlToken(): Problem {
  return new Problem(
    401,
    'unauthorized',
    'Missing or wrong control token; send "Authorization: Bearer <control token>".',
  );
}

/** Compares in constant time. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
