/** Deviations of deleting preview tokens. */
import { isFor, stateful, onSuccess, type App, type Fault } from './deviation.ts';
import type { Table } from './table.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../../spec/operations.ts';
import type { Context } from '../pipeline/context.ts';
import { routeOf } from '../pipeline/routes.ts';
import { dropResource, listResources, putResource, type Resource } from '../state/resources.ts';
import { isFromApiKey } from './writes.ts';

const deletion: readonly OperationId[] = ['deleteSandboxPreviewToken'];

interface Place {
  readonly sandboxName: string;
  readonly previewName: string;
  readonly tokenName: string;
}

const placeOf = (ctx: Context): Place => routeOf(ctx)?.params as unknown as Place;

const keyOf = (ctx: Context, { sandboxName, previewName } = placeOf(ctx)): string =>
  `${ctx.state.world.target.workspace}/sandboxes/${sandboxName}/previews/${previewName}/tokens`;

const tokenAt = (ctx: Context): Resource | undefined =>
  ctx.state.world.resources.get(keyOf(ctx))?.get(placeOf(ctx).tokenName);

const deleted = { status: 200, body: { message: 'The preview token is deleted.' } };

/** `around` gets each deletion, and the token that is there before it. */
function deletes(around: (ctx: Context, app: App, token: Resource | undefined) => Promise<void>): Fault {
  const wrap =
    (app: App): App =>
    (ctx) =>
      isFor(ctx, deletion) ? around(ctx, app, tokenAt(ctx)) : app(ctx);
  return { kind: 'change deletion', condition: 'deleteSandboxPreviewToken', wrap };
}

/** Once a token is deleted, those that `others` picks go with it. */
function takesAlong(others: (name: string, deletedName: string) => boolean): Fault {
  return deletes(async (ctx, app) => {
    await app(ctx);
    if (ctx.state.reply?.status !== 200) return;
    const key = keyOf(ctx);
    for (const { name } of listResources(ctx.state.world, key))
      if (others(name, placeOf(ctx).tokenName)) dropResource(ctx.state.world, key, name);
  });
}

/** If there is no such token, deletes one of that name under another matching key. */
function findsElsewhere(fits: (key: string, place: Place) => boolean): Fault {
  return deletes(async (ctx, app) => {
    await app(ctx);
    const { world } = ctx.state;
    const place = placeOf(ctx);
    const found = [...world.resources].find(([key, tokens]) => fits(key, place) && tokens.has(place.tokenName));
    if (ctx.state.reply?.status !== 404 || found === undefined) return;
    dropResource(world, found[0], place.tokenName);
    ctx.state.reply = deleted;
  });
}

export const sandboxesDeviations: Table = {
  'sandboxes.preview-tokens.deleted-once': {
    'does not delete a token': deletes(async (ctx, app, token) => {
      await app(ctx);
      if (token !== undefined) putResource(ctx.state.world, keyOf(ctx), token);
    }),
    'returns 200 for every deletion': deletes(async (ctx, app) => {
      await app(ctx);
      ctx.state.reply = deleted;
    }),
    'deletes a token only at the second request': stateful(() => {
      const request = new Set<string>();
      return deletes(async (ctx, app, token) => {
        await app(ctx);
        if (token !== undefined && !request.has(ctx.path)) putResource(ctx.state.world, keyOf(ctx), token);
        request.add(ctx.path);
      });
    }),
    'finds a missing token once it was requested': stateful(() => {
      const gone = new Map<string, Resource>();
      return deletes(async (ctx, app, token) => {
        await app(ctx);
        const before = gone.get(ctx.path);
        if (token !== undefined) gone.set(ctx.path, token);
        else if (before !== undefined) putResource(ctx.state.world, keyOf(ctx), before);
      });
    }),
    'restores a deleted token later': stateful(() => {
      const gone = new Map<string, { token: Resource; since: number }>();
      return deletes(async (ctx, app, token) => {
        const { token: restored, since = Infinity } = gone.get(ctx.path) ?? {};
        if (token !== undefined) gone.set(ctx.path, { token, since: performance.now() });
        else if (restored !== undefined && performance.now() - since > 100)
          putResource(ctx.state.world, keyOf(ctx), restored);
        await app(ctx);
      });
    }),
    'returns 200 for simultaneous deletions of a token': deletes(async (ctx, app, token) => {
      await wait(50); // Between finding the token and deleting it.
      await app(ctx);
      if (token !== undefined) ctx.state.reply = deleted;
    }),
    'deletes tokens whose names start with that of the deleted one': takesAlong((name, deletedName) =>
      name.startsWith(deletedName),
    ),
    'deletes all tokens of a preview': takesAlong(() => true),
    'deletes tokens of that name in other previews of the sandbox': deletes(async (ctx, app) => {
      await app(ctx);
      const { world } = ctx.state;
      if (ctx.state.reply?.status !== 200) return;
      for (const key of world.resources.keys())
        if (key.endsWith('/tokens')) dropResource(world, key, placeOf(ctx).tokenName);
    }),
    'deletes the token of that name in another preview if the preview has none': findsElsewhere((key) =>
      key.endsWith('/tokens'),
    ),
    'deletes a token of another sandbox': findsElsewhere((key, { previewName }) =>
      key.endsWith(`/previews/${previewName}/tokens`),
    ),
    'deletes only one token per name': stateful(() => {
      const done = new Set<string>();
      return deletes(async (ctx, app, token) => {
        if (done.has(ctx.path))
          ctx.state.reply = { status: 404, body: { error: 'not_found', code: 404, message: 'Gone.' } };
        else await app(ctx);
        if (token !== undefined) done.add(ctx.path);
      });
    }),
    'returns 204 for a deletion': deletes(async (ctx, app) => {
      await app(ctx);
      if (ctx.state.reply?.status === 200) ctx.state.reply = { status: 204, body: '' };
    }),
    'deletes nothing for API keys': deletes(async (ctx, app) => {
      if (isFromApiKey(ctx)) ctx.state.reply = deleted;
      else await app(ctx);
    }),
    'omits the message of a deletion': onSuccess(
      deletion,
      ({ message: _message, ...body }: { message: string }) => body,
    ),
  },
};
