/** Deviations of deleting versions of volume templates. */
import { deviationsOf } from './table.ts';
import type { VolumeTemplate, VolumeTemplateVersion } from '../../spec/generated/types.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Context } from '../pipeline/context.ts';
import { routeOf } from '../pipeline/routes.ts';
import { dropResource, listResources, putResource, type Resource } from '../state/resources.ts';
import { statefulDeviation } from './stateful-deviation.ts';
import { isFromApiKey } from './writes.ts';
import { isFor, onSuccess, type App, type Deviation, type Deviations } from './deviation.ts';

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

const answers = (what: string, edit: (body: Body, ctx: Context) => unknown): Deviation =>
  onSuccess(what, deletion, edit);

/** Modifies the returned template. `left` is the number of its versions. */
function says(what: string, edit: (template: VolumeTemplate, left: number, ctx: Context) => object): Deviation {
  return answers(what, ({ template, ...body }, ctx) => ({
    ...body,
    template: { ...template, ...edit(template, (template.versions ?? []).length, ctx) },
  }));
}

const counts = (what: string, count: (left: number, ctx: Context) => number | undefined): Deviation =>
  says(what, ({ state }, left, ctx) => ({ state: { ...state, versionCount: count(left, ctx) } }));

const versions = (what: string, edit: (all: readonly VolumeTemplateVersion[], ctx: Context) => object[]): Deviation =>
  says(what, ({ versions: all = [] }, _, ctx) => ({ versions: edit(all, ctx) }));

/** What is there after a deletion of a version that was there before it. */
function leaves(what: string, afterwards: (ctx: Context, version: Resource) => void): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const version = isFor(ctx, deletion)
        ? ctx.state.world.resources.get(keyOf(ctx))?.get(placeOf(ctx).versionName)
        : undefined;
      await app(ctx);
      if (version !== undefined) afterwards(ctx, version);
    };
  return { what, effect: 'change deletion', condition: 'deleteVolumeTemplateVersion', wrap };
}

function statusOf(what: string, status: number, concerns: (body: Body) => boolean): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (reply?.status === 200 && isFor(ctx, deletion) && concerns(reply.body as Body))
        ctx.state.reply = { ...reply, status };
    };
  return { what, effect: 'change status', condition: 'deleteVolumeTemplateVersion', wrap };
}

const isLast = ({ template }: Body): boolean => (template.versions ?? []).length === 0;

export const volumeTemplatesDeviations: Deviations = deviationsOf({
  'volume-templates.versions.deleted': {
    '': leaves('Retains a deleted version, omitting it from that response only', (ctx, version) =>
      putResource(ctx.state.world, keyOf(ctx), version),
    ),
    'still-listed': versions('Lists the deleted version', (all, ctx) => {
      const { versionName: name, volumeTemplateName: templateName } = placeOf(ctx);
      return [...all, { name, templateName }];
    }),
    newest: statefulDeviation('Lists the newest version although it was deleted', (what) => {
      const newest = new Map<string, VolumeTemplateVersion>();
      return versions(what, (all, ctx) => {
        const { volumeTemplateName: template } = placeOf(ctx);
        const known = newest.get(template) ?? all.at(-1);
        if (known === undefined) return [...all];
        newest.set(template, known);
        return all.some(({ name }) => name === known.name) ? [...all] : [...all, known];
      });
    }),
    prefix: leaves('Deletes versions whose names start with that of the deleted one', (ctx) => {
      for (const { name } of listResources(ctx.state.world, keyOf(ctx)))
        if (name.startsWith(placeOf(ctx).versionName)) dropResource(ctx.state.world, keyOf(ctx), name);
    }),
    'other-template': leaves('Deletes versions of that name in other templates', (ctx, { name }) => {
      const { world } = ctx.state;
      for (const key of world.resources.keys()) if (isOfVersions(key)) dropResource(world, key, name);
    }),
    'by-name-alone': {
      what: 'Deletes the version of that name in another template if the template is unknown',
      effect: 'change deletion',
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
    accepted: statusOf('Returns 202 if the last version is deleted', 202, isLast),
    'api-key': {
      what: 'Returns 500 if an API key deletes a version',
      effect: 'fail',
      condition: 'deleteVolumeTemplateVersion',
      wrap: (app) => async (ctx) => {
        await app(ctx);
        if (isFor(ctx, deletion) && isFromApiKey(ctx)) ctx.state.reply = { status: 500, body: { error: 'failed' } };
      },
    },
    message: answers('Omits the message if versions remain', ({ message, ...body }) =>
      isLast(body as Body) ? { message, ...body } : body,
    ),
    template: answers('Returns the deleted version instead of the template', (body, ctx) => ({
      ...body,
      template: { metadata: { name: placeOf(ctx).versionName }, spec: {} },
    })),
  },

  'volume-templates.versions.count-agrees': {
    '': counts('Counts the deleted version', (left) => left + 1),
    last: counts('Counts one version if none remains', (left) => Math.max(left, 1)),
    less: counts('Counts one less if more than two remain', (left) => (left > 2 ? left - 1 : left)),
    all: counts('Counts the versions of all templates', (_, { state: { world } }) =>
      [...world.resources].reduce((sum, [key, { size }]) => (key.endsWith('/versions') ? sum + size : sum), 0),
    ),
    absent: counts('Omits the count', () => undefined),
    first: statefulDeviation('Counts the versions only once', (what) => {
      const known = new Map<string, number>();
      return counts(what, (left, ctx) => {
        const { volumeTemplateName: template } = placeOf(ctx);
        known.set(template, known.get(template) ?? left);
        return known.get(template);
      });
    }),
    text: counts('Returns the count as a string', (left) => String(left) as never),
    template: versions('Omits the template name from the oldest remaining version', ([first, ...all]) =>
      first === undefined ? [] : [{ ...first, templateName: undefined }, ...all],
    ),
    'other-template': statefulDeviation('Returns the template that was requested first for all versions', (what) => {
      let request: string | undefined;
      return versions(what, (all, ctx) => {
        request ??= placeOf(ctx).volumeTemplateName;
        return all.map((version) => ({ ...version, templateName: request }));
      });
    }),
  },
});
