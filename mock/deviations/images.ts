/** Deviations of removing unused images. */
import { isFor, stateful, onSuccess, type App, type Fault } from './deviation.ts';
import type { Table } from './table.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Context } from '../pipeline/context.ts';
import { imageOf } from '../domains/resources/rules/image.ts';
import { dropResource, listResources } from '../state/resources.ts';

interface CleanUp {
  readonly deleted: number;
  readonly message: string;
}

const cleanUp: readonly OperationId[] = ['deleteUnusedImages'];

const answers = (edit: (body: CleanUp) => unknown): Fault => onSuccess(cleanUp, edit);

function statusOf(status: number, concerns: (body: CleanUp) => boolean): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (reply?.status === 200 && isFor(ctx, cleanUp) && concerns(reply.body as CleanUp))
        ctx.state.reply = { ...reply, status };
    };
  return { kind: 'change status', condition: 'deleteUnusedImages', wrap };
}

/** From the clean-up on (the `nth` one) requests that `concerns` picks find a workload that does not start. */
function breaks(concerns: (ctx: Context) => boolean, nth = 1): Fault {
  const wrap = (app: App): App => {
    let done = 0;
    return async (ctx) => {
      if (isFor(ctx, cleanUp)) done += 1;
      await app(ctx);
      if (done >= nth && concerns(ctx))
        ctx.state.reply = { status: 503, body: { error: 'image_not_found', code: 503, message: 'There is no image.' } };
    };
  };
  return { kind: 'fail', wrap };
}

const asks =
  (id: OperationId, path = /./) =>
  (ctx: Context): boolean =>
    isFor(ctx, [id]) && path.test(ctx.path);

/** Removes the images of one resource type with the unused ones. Running workloads continue. */
function forgets(collection: string): Fault {
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
  return { kind: 'delete others', condition: 'deleteUnusedImages', wrap };
}

export const imagesDeviations: Table = {
  'images.cleanup.answer-shape': {
    'omits deleted if nothing is unused': answers(({ deleted, ...body }) =>
      deleted === 0 ? body : { deleted, ...body },
    ),
    'returns the number of deleted images as a string': answers((body) =>
      body.deleted === 0 ? body : { ...body, deleted: String(body.deleted) },
    ),
    'returns the deleted images instead of their number': answers((body) => ({
      ...body,
      deleted: Array.from({ length: body.deleted }, (_, at) => `img-${at}`),
    })),
    'returns -1 if nothing is unused': answers((body) => (body.deleted === 0 ? { ...body, deleted: -1 } : body)),
    'returns null as message if nothing is unused': answers((body) =>
      body.deleted === 0 ? { ...body, message: null } : body,
    ),
    'returns 202 for the deletion of images': statusOf(202, ({ deleted }) => deleted > 0),
    'returns 404 if nothing is unused': statusOf(404, ({ deleted }) => deleted === 0),
  },

  'images.cleanup.second-deletes-none': {
    'counts previously deleted images again': stateful(() => {
      let all = 0;
      return answers((body) => ({ ...body, deleted: (all += body.deleted) }));
    }),
    'counts one more image than it deletes': answers((body) => ({
      ...body,
      deleted: body.deleted + 1,
    })),
  },

  'images.cleanup.keeps-images-in-use': {
    'deletes the images of agents': breaks(asks('queryAgent')),
    'deletes the images of mk3 agents': breaks(asks('queryAgent', /mk3/)),
    'deletes the images of functions': breaks(asks('postFunctionMcp')),
    'deletes the images of sandboxes': breaks(asks('listMultipartUploads')),
    'deletes the images of jobs': breaks(asks('createJobExecution')),
    'deletes the images of agents if there is nothing else to delete': breaks(asks('queryAgent'), 2),
    'deletes the images of agents, which continue to run': forgets('agents'),
    'deletes the images of functions, which continue to run': forgets('functions'),
  },
};
