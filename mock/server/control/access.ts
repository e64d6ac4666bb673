/** Who may steer a mock: anybody on this machine, and beyond it only whoever has the control token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import { isLoopback } from '../../http/loopback.ts';
import { sendPreflightResponse, isPreflight } from '../../http/preflight.ts';
import { forbidden, Problem, quote } from '../../http/problems.ts';

/** Throws where a mock would hand its credentials to the network, and for a token that is none. */
export function requireTokenUnlessLoopback(host: string, token: string | undefined): void {
  if (token === '') throw new UnprotectedHostError('--control-token is empty: whoever sends none would have it.');
  if (isLoopback(host) || token !== undefined) return;
  throw new UnprotectedHostError(
    `--host ${host} is no loopback address: whoever reaches it could read every credential at /_mock/target. Set --control-token, or listen on 127.0.0.1.`,
  );
}

export class UnprotectedHostError extends Error {}

export interface Access {
  /** Asked of everybody where it is set. */
  readonly token?: string | undefined;
  /** Pages of these origins may call as well as the mock's own. */
  readonly origins?: readonly string[] | undefined;
}

/** Pages of origins that are not allowed stay outside, and without the token everybody does where one is set. */
export function guard({ token, origins = [] }: Access): Koa.Middleware {
  return async (ctx, next) => {
    refuseForeignPage(ctx, origins);
    // A page of any site can point its own host name at this machine; what it asks then comes under that name.
    if (token === undefined && !isLoopback(ctx.hostname))
      throw forbidden(`/_mock is closed to the host name ${quote(ctx.hostname)}; call it by a loopback address.`);
    if (isPreflight(ctx)) return sendPreflightResponse(ctx, METHODS);
    if (token !== undefined && !isPage(ctx.path) && !isEqual(ctx.get('authorization'), `Bearer ${token}`))
      throw missingControlToken();
    await next();
  };
}

const METHODS = ['GET', 'PUT', 'POST', 'DELETE'];

function refuseForeignPage(ctx: Koa.Context, origins: readonly string[]): void {
  const origin = ctx.get('origin');
  if (origin === '' || origin === `${ctx.protocol}://${ctx.host}`) return;
  if (!origins.includes(origin))
    throw forbidden(
      `/_mock is closed to pages of ${quote(origin)}. Start the mock with --control-origin to allow one.`,
    );
  ctx.set({ 'Access-Control-Allow-Origin': origin, Vary: 'Origin' });
}

/** The console and the reference as they come, which hold nothing of any world: a page can send no token before it is there. */
function isPage(path: string): boolean {
  return /^\/_mock(?:\/|\/console\/[^/]+|\/docs(?:\/[^/]+)?)?$/.test(path);
}

function missingControlToken(): Problem {
  return new Problem(
    401,
    'unauthorized',
    'Send "Authorization: Bearer <control token>", the one the mock was started with.',
  );
}

/** Takes the same time whatever differs. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
