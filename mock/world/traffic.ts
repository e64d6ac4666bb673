/** Adds the traffic and the past usage that a world file defines for a metered resource. */
import type { ResourceFile } from '../../spec/formats/world-file.ts';
import type { Place } from '../domains/resources/kind.ts';
import { meterPeriod } from '../domains/resources/uses.ts';
import { dimensionRow, dimensionsOf, type ResourceType } from '../metrics/dimensions.ts';
import { setTraffic } from '../state/lifetimes.ts';
import { WorldFileError } from '../state/world-file-error.ts';
import { timestamp, type Instant } from '../time/clock.ts';
import type { World } from './world.ts';

const WITH_REQUESTS: readonly (ResourceType | undefined)[] = ['agent', 'mcp_server', 'job', 'sandbox'];

/** Throws a WorldFileError for a kind that has no such usage, and for a period that is not within `existence` (until now if it still exists). */
export function addUsage(
  world: World,
  { kind }: Place,
  uuid: string | undefined,
  { name, traffic, usage = [] }: ResourceFile,
  existence: { readonly start: Instant; readonly end: Instant },
): void {
  const where = `resources: ${kind.collection} "${name}"`;
  if (traffic !== undefined && !WITH_REQUESTS.includes(kind.meteredAs))
    throw new WorldFileError(`${where} has traffic; allowed: in agents, functions, jobs and sandboxes.`);
  if (traffic !== undefined && uuid !== undefined) setTraffic(world, uuid, traffic);
  const own = kind.meteredAs === undefined ? [] : dimensionsOf(kind.meteredAs);
  for (const { dimension, from, to, amount } of usage) {
    if (!own.includes(dimension))
      throw new WorldFileError(`${where} has usage of "${dimension}"; allowed: ${own.join(', ') || 'nothing'}.`);
    if (dimensionRow(dimension).kind === 'requests' && !Number.isInteger(amount))
      throw new WorldFileError(`${where} has ${amount} requests in its usage; allowed: whole numbers.`);
    const period = { start: Date.parse(from), end: Date.parse(to) };
    if (!(existence.start <= period.start && period.start < period.end && period.end <= existence.end))
      throw new WorldFileError(
        `${where} has usage from ${from} to ${to}; allowed: a period within ${timestamp(existence.start)} to ${timestamp(existence.end)}, in which it exists.`,
      );
    if (uuid !== undefined) meterPeriod(world, uuid, { dimension, ...period, amount });
  }
}
