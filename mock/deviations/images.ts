/** Deviations of removing unused images. */
import { deviationsOf } from './table.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Context } from '../pipeline/context.ts';
import { imageOf } from '../domains/resources/rules/image.ts';
import { dropResource, listResources } from '../state/resources.ts';
import { statefulDeviation } from './stateful-deviation.ts';
import { isFor, onSuccess, type App, type Deviation, type Deviations } from './deviation.ts';

interface CleanUp {
  readonly deleted: number;
  readonly message: string;
}

const cleanUp: readonly OperationId[] = ['deleteUnusedImages'];

const answers = (what: string, edit: (body: CleanUp) => unknown): Deviation => onSuccess(what, cleanUp, edit);

function statusOf(what: string, status: number, concerns: (body: CleanUp) => boolean): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (reply?.status === 200 && isFor(ctx, cleanUp) && concerns(reply.body as CleanUp))
        ctx.state.reply = { ...reply, status };
    };
  return { what, effect: 'change status', condition: 'deleteUnusedImages', wrap };
}

/** From the clean-up on (the `nth` one) requests that `concerns` picks find a workload that does not start. */
function breaks(what: string, concerns: (ctx: Context) => boolean, nth = 1): Deviation {
  const wrap = (app: App): App => {
    let done = 0;
    return async (ctx) => {
      if (isFor(ctx, cleanUp)) done += 1;
      await app(ctx);
      if (done >= nth && concerns(ctx))
        ctx.state.reply = { status: 503, body: { error: 'image_not_found', code: 503, message: 'There is no image.' } };
    };
  };
  return { what, effect: 'fail', wrap };
}

const asks =
  (id: OperationId, path = /./) =>
  (ctx: Context): boolean =>
    isFor(ctx, [id]) && path.test(ctx.path);

/** Removes the images of one resource type with the unused ones. Running workloads continue. */
function forgets(what: string, collection: string): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isFor(ctx, cleanUp) || ctx.state.reply?.status !== 200) return;
      const { world, workspace } = ctx.state;
      const used = new Set(listResources(world, `${workspace?.name}/${collection}`).map(({ spec }) => imageOf(spec)));
      const key = `${workspace?.name}/images`;
      for (const { name, spec } of listResources(world, key))
        if (used.has(spec['reference'] as string)) dropResource(world, key, name);
    };
  return { what, effect: 'delete others', condition: 'deleteUnusedImages', wrap };
}

export const imagesDeviations: Deviations = deviationsOf({
  'images.cleanup.answer-shape': {
    '': answers('Omits deleted if nothing is unused', ({ deleted, ...body }) =>
      deleted === 0 ? body : { deleted, ...body },
    ),
    text: answers('Returns the number of deleted images as a string', (body) =>
      body.deleted === 0 ? body : { ...body, deleted: String(body.deleted) },
    ),
    list: answers('Returns the deleted images instead of their number', (body) => ({
      ...body,
      deleted: Array.from({ length: body.deleted }, (_, at) => `img-${at}`),
    })),
    negative: answers('Returns -1 if nothing is unused', (body) =>
      body.deleted === 0 ? { ...body, deleted: -1 } : body,
    ),
    message: answers('Returns null as message if nothing is unused', (body) =>
      body.deleted === 0 ? { ...body, message: null } : body,
    ),
    accepted: statusOf('Returns 202 for the deletion of images', 202, ({ deleted }) => deleted > 0),
    nothing: statusOf('Returns 404 if nothing is unused', 404, ({ deleted }) => deleted === 0),
  },

  'images.cleanup.second-deletes-none': {
    '': statefulDeviation('Counts previously deleted images again', (what) => {
      let all = 0;
      return answers(what, (body) => ({ ...body, deleted: (all += body.deleted) }));
    }),
    'one-more': answers('Counts one more image than it deletes', (body) => ({
      ...body,
      deleted: body.deleted + 1,
    })),
    some: keepsSome('Deletes one image at a time'),
  },

  'images.cleanup.keeps-images-in-use': {
    '': breaks('Deletes the images of agents', asks('queryAgent')),
    mk3: breaks('Deletes the images of mk3 agents', asks('queryAgent', /mk3/)),
    functions: breaks('Deletes the images of functions', asks('postFunctionMcp')),
    sandboxes: breaks('Deletes the images of sandboxes', asks('listMultipartUploads')),
    jobs: breaks('Deletes the images of jobs', asks('createJobExecution')),
    second: breaks('Deletes the images of agents if there is nothing else to delete', asks('queryAgent'), 2),
    silently: forgets('Deletes the images of agents, which continue to run', 'agents'),
    'silently-functions': forgets('Deletes the images of functions, which continue to run', 'functions'),
  },
});

/** Restores all but one of the images. */
function keepsSome(what: string): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const key = `${ctx.state.world.target.workspace}/images`;
      const before = isFor(ctx, cleanUp) ? listResources(ctx.state.world, key) : [];
      await app(ctx);
      const { reply, world } = ctx.state;
      if (before.length === 0 || reply?.status !== 200) return;
      const left = new Set(listResources(world, key).map(({ name }) => name));
      const [, ...back] = before.filter(({ name }) => !left.has(name));
      for (const image of back) world.resources.get(key)?.set(image.name, image);
      ctx.state.reply = {
        ...reply,
        body: { ...(reply.body as CleanUp), deleted: before.length - left.size - back.length },
      };
    };
  return { what, effect: 'lose write', condition: 'deleteUnusedImages', wrap };
}
