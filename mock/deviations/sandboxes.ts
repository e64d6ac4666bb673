/** Deviations of deleting preview tokens. */
import { deviationsOf } from './table.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../../spec/operations.ts';
import type { Context } from '../pipeline/context.ts';
import { routeOf } from '../pipeline/routes.ts';
import { dropResource, listResources, putResource, type Resource } from '../state/resources.ts';
import { statefulDeviation } from './stateful-deviation.ts';
import { isFromApiKey } from './writes.ts';
import { isFor, onSuccess, type App, type Deviation, type Deviations } from './deviation.ts';

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
function deletes(
  what: string,
  around: (ctx: Context, app: App, token: Resource | undefined) => Promise<void>,
): Deviation {
  const wrap =
    (app: App): App =>
    (ctx) =>
      isFor(ctx, deletion) ? around(ctx, app, tokenAt(ctx)) : app(ctx);
  return { what, effect: 'change deletion', condition: 'deleteSandboxPreviewToken', wrap };
}

/** Once a token is deleted, those that `others` picks go with it. */
function takesAlong(what: string, others: (name: string, deletedName: string) => boolean): Deviation {
  return deletes(what, async (ctx, app) => {
    await app(ctx);
    if (ctx.state.reply?.status !== 200) return;
    const key = keyOf(ctx);
    for (const { name } of listResources(ctx.state.world, key))
      if (others(name, placeOf(ctx).tokenName)) dropResource(ctx.state.world, key, name);
  });
}

/** If there is no such token, deletes one of that name under another matching key. */
function findsElsewhere(what: string, fits: (key: string, place: Place) => boolean): Deviation {
  return deletes(what, async (ctx, app) => {
    await app(ctx);
    const { world } = ctx.state;
    const place = placeOf(ctx);
    const found = [...world.resources].find(([key, tokens]) => fits(key, place) && tokens.has(place.tokenName));
    if (ctx.state.reply?.status !== 404 || found === undefined) return;
    dropResource(world, found[0], place.tokenName);
    ctx.state.reply = deleted;
  });
}

export const sandboxesDeviations: Deviations = deviationsOf({
  'sandboxes.preview-tokens.deleted-once': {
    '': deletes('Does not delete a token', async (ctx, app, token) => {
      await app(ctx);
      if (token !== undefined) putResource(ctx.state.world, keyOf(ctx), token);
    }),
    always: deletes('Returns 200 for every deletion', async (ctx, app) => {
      await app(ctx);
      ctx.state.reply = deleted;
    }),
    second: statefulDeviation('Deletes a token only at the second request', (what) => {
      const request = new Set<string>();
      return deletes(what, async (ctx, app, token) => {
        await app(ctx);
        if (token !== undefined && !request.has(ctx.path)) putResource(ctx.state.world, keyOf(ctx), token);
        request.add(ctx.path);
      });
    }),
    third: statefulDeviation('Finds a missing token once it was requested', (what) => {
      const gone = new Map<string, Resource>();
      return deletes(what, async (ctx, app, token) => {
        await app(ctx);
        const before = gone.get(ctx.path);
        if (token !== undefined) gone.set(ctx.path, token);
        else if (before !== undefined) putResource(ctx.state.world, keyOf(ctx), before);
      });
    }),
    'at-once': deletes('Returns 200 for simultaneous deletions of a token', async (ctx, app, token) => {
      await wait(50); // Between finding the token and deleting it.
      await app(ctx);
      if (token !== undefined) ctx.state.reply = deleted;
    }),
    prefix: takesAlong('Deletes tokens whose names start with that of the deleted one', (name, deletedName) =>
      name.startsWith(deletedName),
    ),
    all: takesAlong('Deletes all tokens of a preview', () => true),
    'other-preview': deletes('Deletes tokens of that name in other previews of the sandbox', async (ctx, app) => {
      await app(ctx);
      const { world } = ctx.state;
      if (ctx.state.reply?.status !== 200) return;
      for (const key of world.resources.keys())
        if (key.endsWith('/tokens')) dropResource(world, key, placeOf(ctx).tokenName);
    }),
    'by-name-alone': findsElsewhere(
      'Deletes the token of that name in another preview if the preview has none',
      (key) => key.endsWith('/tokens'),
    ),
    'other-sandbox': findsElsewhere('Deletes a token of another sandbox', (key, { previewName }) =>
      key.endsWith(`/previews/${previewName}/tokens`),
    ),
    'name-used-up': statefulDeviation('Deletes only one token per name', (what) => {
      const done = new Set<string>();
      return deletes(what, async (ctx, app, token) => {
        if (done.has(ctx.path))
          ctx.state.reply = { status: 404, body: { error: 'not_found', code: 404, message: 'Gone.' } };
        else await app(ctx);
        if (token !== undefined) done.add(ctx.path);
      });
    }),
    'no-content': deletes('Returns 204 for a deletion', async (ctx, app) => {
      await app(ctx);
      if (ctx.state.reply?.status === 200) ctx.state.reply = { status: 204, body: '' };
    }),
    'api-key': deletes('Deletes nothing for API keys', async (ctx, app) => {
      if (isFromApiKey(ctx)) ctx.state.reply = deleted;
      else await app(ctx);
    }),
    message: onSuccess(
      'Omits the message of a deletion',
      deletion,
      ({ message: _message, ...body }: { message: string }) => body,
    ),
  },
});
