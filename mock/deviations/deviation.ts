/** What a deviation is: a deliberate fault of the mock that breaks one requirement, put around the app from outside. */
import type { OperationId } from '../../spec/generated/types.ts';
import type { MustId } from '../../spec/requirements/index.ts';
import type { Context } from '../pipeline/context.ts';
import type { Reply } from '../http/reply.ts';
import { operationsLabel } from './conditions.ts';
import { bodyOf, isFor } from '../wrap/wrapping.ts';
import { type App } from '../pipeline/app.ts';

export { runWith, runWithBody, bodyOf, isFor, sentBody } from '../wrap/wrapping.ts';
export { type App } from '../pipeline/app.ts';

export interface Deviation {
  /** Present tense, what the faulty mock does: "accepts a fourth dimension". */
  readonly what: string;
  /** The kind of its effect, as in the coverage table: "refuse", "change response". */
  readonly effect: string;
  /** Which requests it affects, as in the coverage table; absent if its effect decides that. */
  readonly condition?: string;
  readonly wrap: (app: App) => App;
}

/** By requirement id; further faults of one rule carry a variant behind a slash. */
export type Deviations = { readonly [Id in MustId | `${MustId}/${string}`]?: Deviation };

/**
 * A deviation that modifies the responses of these operations: `edit` gets a copy of a successful body and returns the
 * wrong one.
 */
export function onSuccess(
  what: string,
  ids: readonly OperationId[],
  edit: (body: never, ctx: Context) => unknown,
): Deviation {
  return onReply(what, ids, (status) => status < 300, edit);
}

/** The same for refusals. */
export function onRefusal(
  what: string,
  ids: readonly OperationId[],
  edit: (body: never, ctx: Context) => unknown,
): Deviation {
  return onReply(what, ids, (status) => status >= 400, edit);
}

function onReply(
  what: string,
  ids: readonly OperationId[],
  concerns: (status: number) => boolean,
  edit: (body: never, ctx: Context) => unknown,
): Deviation {
  const deviation = repliesWith(what, (reply, ctx) =>
    concerns(reply.status) && isFor(ctx, ids) ? { ...reply, body: edit(bodyOf(ctx) as never, ctx) } : undefined,
  );
  return { ...deviation, condition: operationsLabel(ids) };
}

/** Replaces the mock's response. Undefined keeps it. */
export function repliesWith(
  what: string,
  edit: (reply: Reply, ctx: Context, app: App) => Reply | undefined | Promise<Reply | undefined>,
): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (reply !== undefined) ctx.state.reply = (await edit(reply, ctx, app)) ?? reply;
    };
  return { what, effect: 'change response', wrap };
}
