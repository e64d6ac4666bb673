/** Deviations that assign an agent query to another thread. */
import { isFor, type App, type Fault } from '../deviation.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../pipeline/context.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { bodyOf } from '../../wrap/wrapping.ts';

const headerOf = (ctx: Context): string => ctx.state.world.headers.threadId.toLowerCase();

/** The thread of the request. Undefined if it has none. */
export const threadOf = (ctx: Context): string | undefined => ctx.headers[headerOf(ctx)] as string | undefined;

export const agentOf = (ctx: Context): string => routeOf(ctx)?.params['agent'] ?? '';

/** Runs the app as if another thread, or none, had been named. */
async function inThread(app: App, ctx: Context, thread: string | undefined): Promise<void> {
  const name = headerOf(ctx);
  const sent = ctx.req.headers;
  const { [name]: _, ...others } = sent;
  ctx.req.headers = thread === undefined ? others : { ...others, [name]: thread };
  try {
    await app(ctx);
  } finally {
    ctx.req.headers = sent;
  }
}

/** `threadFor` returns the thread that is used instead of the requested one. */
export function replacesThread(threadFor: (thread: string | undefined, ctx: Context) => string | undefined): Fault {
  const wrap =
    (app: App): App =>
    (ctx) =>
      isFor(ctx, ['queryAgent']) ? inThread(app, ctx, threadFor(threadOf(ctx), ctx)) : app(ctx);
  return { kind: 'use another thread', condition: 'queryAgent', wrap };
}

/** Stores the thread in one place for all concurrent requests. */
export function mixesUpConcurrent(concerns: (thread: string | undefined) => boolean): Fault {
  const wrap = (app: App): App => {
    let current: string | undefined;
    return async (ctx) => {
      const thread = threadOf(ctx);
      if (!isFor(ctx, ['queryAgent'])) return app(ctx);
      if (thread !== undefined) current = thread;
      await wait(50); // What a server does between reading the request and asking the agent.
      return inThread(app, ctx, concerns(thread) ? current : thread);
    };
  };
  return { kind: 'mix up simultaneous requests', condition: 'queryAgent', wrap };
}

interface Call {
  readonly thread: string | undefined;
  /** Undefined until the agent has responded. */
  inputs?: string;
}

/** Adds the inputs of a simultaneous call in another thread to the response. */
export function revealsConcurrent(): Fault {
  const wrap = (app: App): App => {
    const calls = new Set<Call>();
    return async (ctx) => {
      if (!isFor(ctx, ['queryAgent'])) return app(ctx);
      const own: Call = { thread: threadOf(ctx) };
      calls.add(own);
      await app(ctx);
      own.inputs = (ctx.state.body as { inputs?: string } | undefined)?.inputs ?? '';
      await wait(50); // The simultaneous calls arrive.
      const { reply } = ctx.state;
      const other = [...calls].find(({ thread, inputs }) => thread !== own.thread && inputs !== undefined);
      if (other !== undefined && own.thread !== undefined && reply?.status === 200)
        ctx.state.reply = { ...reply, body: { ...(bodyOf(ctx) as object), earlier: other.inputs } };
      calls.delete(own);
    };
  };
  return { kind: 'mix up simultaneous requests', condition: 'queryAgent', wrap };
}
