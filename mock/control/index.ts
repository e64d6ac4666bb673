/** The mock's own address space `/_mock`: JSON for whoever steers the mock, not part of the interface. */
import type Koa from 'koa';
import compose from 'koa-compose';
import { guard } from './access.ts';
import { asProblem, problemReply, unknownPath } from '../problems.ts';
import { Router } from '../required.ts';
import type { RunningMock } from '../start-mock.ts';

const PREFIX = '/_mock';

export function isControl({ path }: Koa.Context): boolean {
  return path === PREFIX || path.startsWith(`${PREFIX}/`);
}

/** With a token, only for who sends it. */
export function controlRoutes(mock: RunningMock, token: string | undefined): Koa.Middleware {
  const router = new Router({ prefix: PREFIX });
  router.get('/health', (ctx) => {
    ctx.body = { status: 'ok', now: new Date(mock.world.clock.now()).toISOString(), seed: mock.world.seed };
  });
  router.get('/target', (ctx) => {
    ctx.body = mock.target;
  });
  const unknown: Koa.Middleware = (ctx) => {
    throw unknownPath(ctx.path, [`${PREFIX}/health`, `${PREFIX}/target`]);
  };
  return compose([printProblems, guard(token), router.routes() as unknown as Koa.Middleware, unknown]);
}

const printProblems: Koa.Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    const { status, body } = problemReply(asProblem(error));
    ctx.status = status;
    ctx.body = body;
  }
};
