/** What a deviation is: a deliberate fault of the mock that breaks one requirement, put around the app from outside. */
import type { MustId } from '../../spec/requirements/index.ts';
import type { OperationId } from '../../spec/generated/types.ts';
import type { Context } from '../pipeline/context.ts';
import type { Reply } from '../http/reply.ts';
import { operationsLabel } from './conditions.ts';
import { bodyOf, isFor } from '../wrap/wrapping.ts';
import { type App } from '../pipeline/app.ts';
import { editAt } from './json-path.ts';

export { runWith, runWithBody, bodyOf, isFor, sentBody } from '../wrap/wrapping.ts';
export { type App } from '../pipeline/app.ts';

export interface Deviation {
  /** Present tense, what the faulty mock does: "Accepts a fourth dimension". */
  readonly what: string;
  /** The kind of its effect, as in the coverage table: "refuse", "change response". */
  readonly effect: string;
  /** Which requests it affects, as in the coverage table; absent if its effect decides that. */
  readonly condition?: string;
  readonly wrap: (app: App) => App;
}

/** By requirement id; further faults of one rule carry a variant behind a slash. */
export type Deviations = { readonly [Id in MustId | `${MustId}/${string}`]?: Deviation };

/** What a deviation does to matching requests. */
export interface Effect {
  /** For the table of `npm run teeth -- --coverage`: "refuse", "change response". */
  readonly kind: string;
  /** Which requests it affects, if it decides that itself. */
  readonly condition?: string;
  /** Called once per mock, so an effect may remember earlier requests. */
  readonly wrap: (app: App, applies: (ctx: Context) => boolean) => App;
}

/** An effect that decides itself which requests it affects. */
export interface Fault extends Effect {
  readonly wrap: (app: App) => App;
}

/** For faults that remember earlier requests: each mock starts with an empty memory. */
export function stateful(make: () => Fault): Fault {
  return { ...make(), wrap: (app) => make().wrap(app) };
}

/** Changes successful JSON responses at a path. Undefined removes the value; an absent one remains absent. */
export const returns = (
  ids: OperationId | readonly OperationId[],
  path: string,
  edit: (value: never, ctx: Context) => unknown,
): Effect => ({
  kind: 'change response',
  wrap: (app, applies) => async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (reply === undefined || reply.status >= 300 || !isFor(ctx, [ids].flat()) || !applies(ctx)) return;
    ctx.state.reply = { ...reply, body: editAt(bodyOf(ctx), path, (value) => edit(value as never, ctx)) };
  },
});

/** An edit of `returns`. */
export const omit = (): undefined => undefined;

/** Changes successful responses of these operations: `edit` gets a copy of the body and returns the wrong one. */
export function onSuccess(ids: readonly OperationId[], edit: (body: never, ctx: Context) => unknown): Fault {
  return onReply(ids, (status) => status < 300, edit);
}

/** The same for refusals. */
export function onRefusal(ids: readonly OperationId[], edit: (body: never, ctx: Context) => unknown): Fault {
  return onReply(ids, (status) => status >= 400, edit);
}

function onReply(
  ids: readonly OperationId[],
  concerns: (status: number) => boolean,
  edit: (body: never, ctx: Context) => unknown,
): Fault {
  const fault = repliesWith((reply, ctx) =>
    concerns(reply.status) && isFor(ctx, ids) ? { ...reply, body: edit(bodyOf(ctx) as never, ctx) } : undefined,
  );
  return { ...fault, condition: operationsLabel(ids) };
}

/** Replaces the mock's response. Undefined keeps it. */
export function repliesWith(
  edit: (reply: Reply, ctx: Context, app: App) => Reply | undefined | Promise<Reply | undefined>,
): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (reply !== undefined) ctx.state.reply = (await edit(reply, ctx, app)) ?? reply;
    };
  return { kind: 'change response', wrap };
}
