/** Deviations of the requirements of volumes. */
import type { Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { VolumeAttachment } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { findResource } from '../../state/resources.ts';
import { placeOf, textOf } from '../writes.ts';
import type { AppliesTo } from '../writes.ts';
import { acceptsUpdate, agentName, volumesOf, withInSpec, storedInPart } from './agent-updates.ts';
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
const withRegion = (concerns: AppliesTo<SentAgent>): Fault =>
  acceptsUpdate(
    (sent, ctx) => lacksRegion(sent, ctx) && concerns(sent, ctx),
    (sent, ctx) => withInSpec(sent, { region: regions(ctx).get(volumesOf(sent)[0]?.name ?? '') }),
  );

const someVolume =
  (is: Is): AppliesTo<SentAgent> =>
  (sent, ctx) =>
    volumesOf(sent).some((volume, index, all) => is(volume, index, all, ctx));

/** Accepts volumes with one kind of mistake, if every volume with that mistake matches the condition. */
const takes = (isWrong: Is, concerns: Is, corrected: (volume: VolumeAttachment) => object): Fault =>
  acceptsUpdate(
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

const takesUnknown = (concerns: Is): Fault =>
  takes(isUnknown, concerns, (volume) => ({ ...volume, name: 'demo-volume' }));

const takesRelative = (concerns: Is): Fault =>
  takes(isRelative, concerns, (volume) => ({ ...volume, mountPath: `/${volume.mountPath}` }));

export const volumesDeviations: Table = {
  'agents.volumes.region-required': {
    'requires no region for one volume': withRegion((sent) => volumesOf(sent).length === 1),
    'replaces an empty region by that of the volume': withRegion(({ spec }) => spec?.region === ''),
    'requires no region for read-only volumes': withRegion((sent) =>
      volumesOf(sent).every(({ readOnly }) => readOnly === true),
    ),
    'requires no region for a disabled agent': withRegion(({ spec }) => spec?.enabled === false),
    'requires no region for volumes of an agent that already has one': acceptsUpdate(
      (sent, ctx) => lacksRegion(sent, ctx) && regionOfAgent(ctx) !== undefined,
      (sent, ctx) => withInSpec(sent, { region: regionOfAgent(ctx) }),
    ),
    ...storedInPart('a missing region', lacksRegion, 'triggers', 'metadata'),
  },

  'agents.volumes.must-exist-in-region': {
    'accepts an unknown volume as the last of several': takesUnknown(isLast),
    'accepts an unknown volume that is read-only': takesUnknown(isReadOnly),
    'accepts a volume name with characters appended': takesUnknown(({ name = '' }, _index, _all, ctx) =>
      [...regions(ctx).keys()].some((known) => String(name).startsWith(known)),
    ),
    'accepts the beginning of a volume name': takesUnknown(({ name = '' }, _index, _all, ctx) =>
      [...regions(ctx).keys()].some((known) => known.startsWith(name)),
    ),
    'accepts the beginning of a region': acceptsUpdate(
      (sent, ctx) => volumesOf(sent).every((volume) => regionOf(volume, ctx).startsWith(sent.spec?.region ?? 'none')),
      (sent, ctx) => withInSpec(sent, { region: regionOf(volumesOf(sent)[0], ctx) }),
    ),
    'does not check that the volumes of a public agent exist': acceptsUpdate(
      (sent, ctx) => sent.spec?.public === true && volumesOf(sent).some((volume) => regionOf(volume, ctx) === ''),
      (sent) => withInSpec(sent, { volumes: [] }),
    ),
    'accepts the name of a volume in any letter case': takesUnknown(({ name = '' }, _index, _all, ctx) =>
      regions(ctx).has(String(name).toLowerCase()),
    ),
    'accepts a volume of another region': acceptsUpdate(
      (sent, ctx) =>
        Boolean(sent.spec?.region) && volumesOf(sent).every((volume, index, all) => isThere(volume, index, all, ctx)),
      (sent, ctx) => withInSpec(sent, { region: regions(ctx).get(volumesOf(sent)[0]?.name ?? '') }),
    ),
    ...storedInPart('an unknown volume', someVolume(isUnknown), 'metadata'),
  },

  'agents.volumes.mount-path-absolute': {
    'accepts a path that starts with a dot': takesRelative(({ mountPath }) => String(mountPath).startsWith('.')),
    'accepts a path that starts with a drive': takesRelative(({ mountPath }) => /^[A-Z]:/.test(String(mountPath))),
    'accepts a path that contains a slash': takesRelative(({ mountPath }) => String(mountPath).includes('/')),
    'does not validate the path of the last of several volumes': takesRelative(isLast),
    'accepts any path for a read-only volume': takesRelative(isReadOnly),
    ...storedInPart('a path', someVolume(isRelative), 'metadata'),
  },
};
