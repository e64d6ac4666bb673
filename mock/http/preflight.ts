/** Responds to CORS preflight requests (Fetch standard). */
import type Koa from 'koa';

export function isPreflight(ctx: Koa.Context): boolean {
  return (
    ctx.method === 'OPTIONS' &&
    ctx.headers.origin !== undefined &&
    ctx.headers['access-control-request-method'] !== undefined
  );
}

/** `date`: the value of its Date header. */
export function sendPreflightResponse(ctx: Koa.Context, methods: readonly string[], date: string): void {
  ctx.status = 204;
  ctx.set({
    Date: date,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': ctx.get('Access-Control-Request-Headers'),
    'Access-Control-Max-Age': '600',
    Vary: 'Access-Control-Request-Headers',
  });
}
