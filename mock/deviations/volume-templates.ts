/** Deviations of deleting versions of volume templates. */
import { isFor, stateful, onSuccess, type App, type Fault } from './deviation.ts';
import type { Table } from './table.ts';
import type { VolumeTemplate, VolumeTemplateVersion } from '../../spec/generated/types.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Context } from '../pipeline/context.ts';
import { routeOf } from '../pipeline/routes.ts';
import { dropResource, listResources, putResource, type Resource } from '../state/resources.ts';
import { isFromApiKey } from './writes.ts';

const deletion: readonly OperationId[] = ['deleteVolumeTemplateVersion'];

interface Place {
  readonly volumeTemplateName: string;
  readonly versionName: string;
}

const placeOf = (ctx: Context): Place => routeOf(ctx)?.params as unknown as Place;

const keyOf = (ctx: Context, template = placeOf(ctx).volumeTemplateName): string =>
  `${ctx.state.world.target.workspace}/volume_templates/${template}/versions`;

const isOfVersions = (key: string): boolean => /\/volume_templates\/[^/]+\/versions$/.test(key);

interface Body {
  readonly message: string;
  readonly template: VolumeTemplate;
}

const answers = (edit: (body: Body, ctx: Context) => unknown): Fault => onSuccess(deletion, edit);

/** Modifies the returned template. `left` is the number of its versions. */
function says(edit: (template: VolumeTemplate, left: number, ctx: Context) => object): Fault {
  return answers(({ template, ...body }, ctx) => ({
    ...body,
    template: { ...template, ...edit(template, (template.versions ?? []).length, ctx) },
  }));
}

const counts = (count: (left: number, ctx: Context) => number | undefined): Fault =>
  says(({ state }, left, ctx) => ({ state: { ...state, versionCount: count(left, ctx) } }));

const versions = (edit: (all: readonly VolumeTemplateVersion[], ctx: Context) => object[]): Fault =>
  says(({ versions: all = [] }, _, ctx) => ({ versions: edit(all, ctx) }));

/** What is there after a deletion of a version that was there before it. */
function leaves(afterwards: (ctx: Context, version: Resource) => void): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const version = isFor(ctx, deletion)
        ? ctx.state.world.resources.get(keyOf(ctx))?.get(placeOf(ctx).versionName)
        : undefined;
      await app(ctx);
      if (version !== undefined) afterwards(ctx, version);
    };
  return { kind: 'change deletion', condition: 'deleteVolumeTemplateVersion', wrap };
}

function statusOf(status: number, concerns: (body: Body) => boolean): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (reply?.status === 200 && isFor(ctx, deletion) && concerns(reply.body as Body))
        ctx.state.reply = { ...reply, status };
    };
  return { kind: 'change status', condition: 'deleteVolumeTemplateVersion', wrap };
}

const isLast = ({ template }: Body): boolean => (template.versions ?? []).length === 0;

export const volumeTemplatesDeviations: Table = {
  'volume-templates.versions.deleted': {
    'retains a deleted version, omitting it from that response only': leaves((ctx, version) =>
      putResource(ctx.state.world, keyOf(ctx), version),
    ),
    'lists the deleted version': versions((all, ctx) => {
      const { versionName: name, volumeTemplateName: templateName } = placeOf(ctx);
      return [...all, { name, templateName }];
    }),
    'lists the newest version although it was deleted': stateful(() => {
      const newest = new Map<string, VolumeTemplateVersion>();
      return versions((all, ctx) => {
        const { volumeTemplateName: template } = placeOf(ctx);
        const known = newest.get(template) ?? all.at(-1);
        if (known === undefined) return [...all];
        newest.set(template, known);
        return all.some(({ name }) => name === known.name) ? [...all] : [...all, known];
      });
    }),
    'deletes versions whose names start with that of the deleted one': leaves((ctx) => {
      for (const { name } of listResources(ctx.state.world, keyOf(ctx)))
        if (name.startsWith(placeOf(ctx).versionName)) dropResource(ctx.state.world, keyOf(ctx), name);
    }),
    'deletes versions of that name in other templates': leaves((ctx, { name }) => {
      const { world } = ctx.state;
      for (const key of world.resources.keys()) if (isOfVersions(key)) dropResource(world, key, name);
    }),
    'deletes the version of that name in another template if the template is unknown': {
      kind: 'change deletion',
      condition: 'deleteVolumeTemplateVersion',
      wrap: (app) => async (ctx) => {
        await app(ctx);
        if (!isFor(ctx, deletion) || ctx.state.reply?.status !== 404) return;
        const { world } = ctx.state;
        const { versionName, volumeTemplateName: name } = placeOf(ctx);
        const [key] = [...world.resources].find(([each, all]) => isOfVersions(each) && all.has(versionName)) ?? [];
        if (key === undefined) return;
        dropResource(world, key, versionName);
        const template = { metadata: { name }, spec: {} };
        ctx.state.reply = { status: 200, body: { message: 'deleted', template } };
      },
    },
    'returns 202 if the last version is deleted': statusOf(202, isLast),
    'returns 500 if an API key deletes a version': {
      kind: 'fail',
      condition: 'deleteVolumeTemplateVersion',
      wrap: (app) => async (ctx) => {
        await app(ctx);
        if (isFor(ctx, deletion) && isFromApiKey(ctx)) ctx.state.reply = { status: 500, body: { error: 'failed' } };
      },
    },
    'omits the message if versions remain': answers(({ message, ...body }) =>
      isLast(body as Body) ? { message, ...body } : body,
    ),
    'returns the deleted version instead of the template': answers((body, ctx) => ({
      ...body,
      template: { metadata: { name: placeOf(ctx).versionName }, spec: {} },
    })),
  },

  'volume-templates.versions.count-agrees': {
    'counts the deleted version': counts((left) => left + 1),
    'counts one version if none remains': counts((left) => Math.max(left, 1)),
    'counts one less if more than two remain': counts((left) => (left > 2 ? left - 1 : left)),
    'counts the versions of all templates': counts((_, { state: { world } }) =>
      [...world.resources].reduce((sum, [key, { size }]) => (key.endsWith('/versions') ? sum + size : sum), 0),
    ),
    'omits the count': counts(() => undefined),
    'counts the versions only once': stateful(() => {
      const known = new Map<string, number>();
      return counts((left, ctx) => {
        const { volumeTemplateName: template } = placeOf(ctx);
        known.set(template, known.get(template) ?? left);
        return known.get(template);
      });
    }),
    'returns the count as a string': counts((left) => String(left) as never),
    'omits the template name from the oldest remaining version': versions(([first, ...all]) =>
      first === undefined ? [] : [{ ...first, templateName: undefined }, ...all],
    ),
    'returns the template that was requested first for all versions': stateful(() => {
      let request: string | undefined;
      return versions((all, ctx) => {
        request ??= placeOf(ctx).volumeTemplateName;
        return all.map((version) => ({ ...version, templateName: request }));
      });
    }),
  },
};
