/** Handles the requests of all worlds: of the API, its identity provider, previews and the control API. */
import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
// Not the global one, which tests that use fake timers replace.
import { setImmediate } from 'node:timers';
import Koa from 'koa';
import { asProblem, problemReply } from '../http/problems.ts';
import { isPreflight, sendPreflightResponse } from '../http/preflight.ts';
import type { App } from '../pipeline/app.ts';
import type { Context, State } from '../pipeline/context.ts';
import { disruptReply } from '../pipeline/disrupt-reply.ts';
import { identityProviderApp, isForIdentityProvider } from '../pipeline/identity-provider-app.ts';
import { isForPreview, previewApp } from '../pipeline/preview-app.ts';
import { recordResponse } from '../pipeline/record-response.ts';
import { methodsAt } from '../pipeline/routes.ts';
import { serializeReply, writeReply, type Payload } from '../pipeline/write-reply.ts';
import { httpDate } from '../time/http-date.ts';
import type { WorldStore } from '../store/world-store.ts';
import { guard, type Access } from './control/access.ts';
import { control, enterApi, enterWorld, isControl } from './control/index.ts';
import type { Worlds } from './control/worlds.ts';
import { isForRootPage, rootPageApp } from './root-page.ts';
import { servedRequest, type RequestObserver } from './served-request.ts';

/** Everything that arrives at the port, in one world of `worlds`; `api` responds to the requests of the API. */
export function handleRequests(
  worlds: Worlds,
  api: App,
  access: Access,
  store: WorldStore | undefined,
  onRequest: RequestObserver | undefined,
): RequestListener {
  const koa = new Koa<State>();
  koa.silent = true;
  const guarded = guard(access);
  koa.use(async (ctx) => {
    const startedAt = onRequest === undefined ? 0 : performance.now();
    try {
      enterWorld(ctx, worlds);
      const app = appFor(ctx, api);
      if (app === undefined) await guarded(ctx, () => (enterApi(ctx) ? api(ctx) : control(ctx, worlds)));
      else if (isPreflight(ctx))
        return sendPreflightResponse(ctx, methodsAt(ctx), httpDate(ctx.state.world.clock.now()));
      else await app(ctx);
    } catch (error) {
      ctx.state.reply = problemReply(asProblem(error));
    }
    const saving = ctx.state.served === worlds.first ? store?.commit(ctx) : undefined;
    if (saving !== undefined) await waitFor(saving, ctx);
    await endOfTurn(ctx);
    recordResponse(ctx, send(ctx));
    if (onRequest !== undefined) report(ctx, startedAt, onRequest);
  });
  return koa.callback();
}

/** Undefined for a call of the control API. The identity provider and the previews are below `/_mock`, but open to everyone. */
function appFor(ctx: Context, api: App): App | undefined {
  if (isForIdentityProvider(ctx)) return identityProviderApp;
  if (isForPreview(ctx)) return previewApp;
  if (isForRootPage(ctx)) return rootPageApp;
  return isControl(ctx) ? undefined : api;
}

/** Shared by all responses of this turn of the event loop; undefined if none waits. */
let turnEnd: Promise<void> | undefined;

/**
 * Responses to requests that were read in the same turn of the event loop are written together: the system then wakes a client
 * with many connections once, not for every response, which takes a quarter of the time of a PUT over 32 connections. Undefined for
 * streams, and for responses that are cut or slowed down.
 */
function endOfTurn({ state }: Context): Promise<void> | undefined {
  const { reply, disruption } = state;
  if (reply === undefined || disruption !== undefined || reply.body instanceof Readable) return undefined;
  // Other requests of the turn may change what the body shares with the world.
  state.reply = serializeReply(reply);
  return (turnEnd ??= new Promise((resolve) => {
    setImmediate(() => {
      turnEnd = undefined;
      resolve();
    });
  }));
}

/** A response must not acknowledge what could not be saved. */
async function waitFor(saving: Promise<void>, ctx: Context): Promise<void> {
  try {
    // Other requests may change what the body shares with the world.
    if (ctx.state.reply !== undefined) ctx.state.reply = serializeReply(ctx.state.reply);
    await saving;
  } catch (error) {
    ctx.state.reply = problemReply(asProblem(error));
  }
}

/** In its own tick, so that an error of `onRequest` is uncaught and does not fail the request. */
function report(ctx: Context, startedAt: number, onRequest: RequestObserver): void {
  const request = servedRequest(ctx, startedAt);
  if (request !== undefined) process.nextTick(onRequest, request);
}

function send(ctx: Context): Payload | undefined {
  const { reply, disruption } = ctx.state;
  if (disruption !== undefined) return disruptReply(ctx, reply, disruption);
  return reply === undefined ? undefined : writeReply(ctx, reply);
}
