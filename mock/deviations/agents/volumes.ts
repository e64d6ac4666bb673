/** Deviations of the requirements of volumes. */
import { deviationsOf } from '../table.ts';
import type { VolumeAttachment } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { findResource } from '../../state/resources.ts';
import type { Deviation, Deviations } from '../deviation.ts';
import { placeOf, textOf } from '../writes.ts';
import type { AppliesTo } from '../writes.ts';
import { acceptsUpdate, agentName, storesRefusedUpdate, volumesOf, withInSpec, withMembers } from './agent-updates.ts';
import type { SentAgent } from './agent-updates.ts';

type Is = (volume: VolumeAttachment, index: number, all: readonly VolumeAttachment[], ctx: Context) => boolean;

const isLast: Is = (_, index, all) => all.length > 1 && index === all.length - 1;
const isReadOnly: Is = ({ readOnly }) => readOnly === true;

/** Names and regions of the volumes there are. */
const regions = ({ state: { world, workspace } }: Context): ReadonlyMap<string, unknown> =>
  new Map(
    [...(world.resources.get(`${workspace?.name}/volumes`)?.values() ?? [])].map(({ name, spec }) => [
      name,
      spec['region'],
    ]),
  );

const regionOf = (volume: VolumeAttachment | undefined, ctx: Context): string =>
  textOf(regions(ctx).get(volume?.name ?? ''));

const regionOfAgent = (ctx: Context): unknown =>
  findResource(ctx.state.world, placeOf(ctx).key, agentName(ctx))?.spec['region'];

const isThere: Is = ({ name = '' }, _index, _all, ctx) => regions(ctx).has(name);
const isUnknown: Is = ({ name }, _index, _all, ctx) => typeof name === 'string' && !regions(ctx).has(name);
const isRelative: Is = ({ mountPath }) => typeof mountPath === 'string' && !mountPath.startsWith('/');

const lacksRegion: AppliesTo<SentAgent> = (sent) => volumesOf(sent).length > 0 && !sent.spec?.region;
const withRegion = (what: string, concerns: AppliesTo<SentAgent>): Deviation =>
  acceptsUpdate(
    what,
    (sent, ctx) => lacksRegion(sent, ctx) && concerns(sent, ctx),
    (sent, ctx) => withInSpec(sent, { region: regions(ctx).get(volumesOf(sent)[0]?.name ?? '') }),
  );

/** Accepts volumes with one kind of mistake, if every volume with that mistake matches the condition. */
const takes = (what: string, isWrong: Is, concerns: Is, corrected: (volume: VolumeAttachment) => object): Deviation =>
  acceptsUpdate(
    what,
    (sent, ctx) => {
      const each = volumesOf(sent).map((volume, index, all) => [volume, index, all, ctx] as const);
      const wrong = each.filter((one) => isWrong(...one));
      return wrong.length > 0 && wrong.every((one) => concerns(...one));
    },
    (sent, ctx) =>
      withInSpec(sent, {
        volumes: volumesOf(sent).map((each, index, all) => (isWrong(each, index, all, ctx) ? corrected(each) : each)),
      }),
  );

const takesUnknown = (what: string, concerns: Is): Deviation =>
  takes(what, isUnknown, concerns, (volume) => ({ ...volume, name: 'demo-volume' }));

const takesRelative = (what: string, concerns: Is): Deviation =>
  takes(what, isRelative, concerns, (volume) => ({ ...volume, mountPath: `/${volume.mountPath}` }));

export const volumesDeviations: Deviations = deviationsOf({
  'agents.volumes.region-required': {
    '': withRegion('Requires no region for one volume', (sent) => volumesOf(sent).length === 1),
    empty: withRegion('Replaces an empty region by that of the volume', ({ spec }) => spec?.region === ''),
    'read-only': withRegion('Requires no region for read-only volumes', (sent) =>
      volumesOf(sent).every(({ readOnly }) => readOnly === true),
    ),
    'not-enabled': withRegion('Requires no region for a disabled agent', ({ spec }) => spec?.enabled === false),
    'as-before': acceptsUpdate(
      'Requires no region for volumes of an agent that already has one',
      (sent, ctx) => lacksRegion(sent, ctx) && regionOfAgent(ctx) !== undefined,
      (sent, ctx) => withInSpec(sent, { region: regionOfAgent(ctx) }),
    ),
    'in-spite-triggers': storesRefusedUpdate(
      'Sets the triggers of an update refused for a missing region',
      lacksRegion,
      withMembers('triggers'),
    ),
    'in-spite': storesRefusedUpdate('Stores the metadata of an update refused for a missing region', lacksRegion),
  },

  'agents.volumes.must-exist-in-region': {
    '': takesUnknown('Accepts an unknown volume as the last of several', isLast),
    'read-only': takesUnknown('Accepts an unknown volume that is read-only', isReadOnly),
    alike: takesUnknown('Accepts a volume name with characters appended', ({ name = '' }, _index, _all, ctx) =>
      [...regions(ctx).keys()].some((known) => String(name).startsWith(known)),
    ),
    beginning: takesUnknown('Accepts the beginning of a volume name', ({ name = '' }, _index, _all, ctx) =>
      [...regions(ctx).keys()].some((known) => known.startsWith(name)),
    ),
    'beginning-of-region': acceptsUpdate(
      'Accepts the beginning of a region',
      (sent, ctx) => volumesOf(sent).every((volume) => regionOf(volume, ctx).startsWith(sent.spec?.region ?? 'none')),
      (sent, ctx) => withInSpec(sent, { region: regionOf(volumesOf(sent)[0], ctx) }),
    ),
    public: acceptsUpdate(
      'Does not check that the volumes of a public agent exist',
      (sent, ctx) => sent.spec?.public === true && volumesOf(sent).some((volume) => regionOf(volume, ctx) === ''),
      (sent) => withInSpec(sent, { volumes: [] }),
    ),
    'letter-case': takesUnknown('Accepts the name of a volume in any letter case', ({ name = '' }, _index, _all, ctx) =>
      regions(ctx).has(String(name).toLowerCase()),
    ),
    elsewhere: acceptsUpdate(
      'Accepts a volume of another region',
      (sent, ctx) =>
        Boolean(sent.spec?.region) && volumesOf(sent).every((volume, index, all) => isThere(volume, index, all, ctx)),
      (sent, ctx) => withInSpec(sent, { region: regions(ctx).get(volumesOf(sent)[0]?.name ?? '') }),
    ),
    'in-spite': storesRefusedUpdate('Stores the metadata of an update refused for an unknown volume', (sent, ctx) =>
      volumesOf(sent).some((volume, index, all) => isUnknown(volume, index, all, ctx)),
    ),
  },

  'agents.volumes.mount-path-absolute': {
    '': takesRelative('Accepts a path that starts with a dot', ({ mountPath }) => String(mountPath).startsWith('.')),
    drive: takesRelative('Accepts a path that starts with a drive', ({ mountPath }) =>
      /^[A-Z]:/.test(String(mountPath)),
    ),
    inner: takesRelative('Accepts a path that contains a slash', ({ mountPath }) => String(mountPath).includes('/')),
    last: takesRelative('Does not validate the path of the last of several volumes', isLast),
    'read-only': takesRelative('Accepts any path for a read-only volume', isReadOnly),
    'in-spite': storesRefusedUpdate('Stores the metadata of an update refused for a path', (sent, ctx) =>
      volumesOf(sent).some((volume, index, all) => isRelative(volume, index, all, ctx)),
    ),
  },
});
