/** Adds the traffic and the past usage that a world file defines for a metered resource. */
import type { ResourceFile } from '../../spec/formats/world-file.ts';
import type { Place } from '../domains/resources/kind.ts';
import { meterPeriod } from '../domains/resources/uses.ts';
import { BILLING_DIMENSION_NAMES, isOfType, type ResourceType } from '../metrics/dimensions.ts';
import { setTraffic } from '../state/lifetimes.ts';
import { WorldFileError } from '../state/world-file-error.ts';
import type { Instant } from '../time/clock.ts';
import type { World } from './world.ts';

const WITH_REQUESTS: readonly (ResourceType | undefined)[] = ['agent', 'mcp_server', 'job', 'sandbox'];

/** Throws a WorldFileError for a kind that has no such usage, and for a period outside of `start` (of the resource) to now. */
export function addUsage(
  world: World,
  { kind }: Place,
  uuid: string | undefined,
  { name, traffic, usage = [] }: ResourceFile,
  start: Instant,
): void {
  const where = `resources: ${kind.collection} "${name}"`;
  if (traffic !== undefined && !WITH_REQUESTS.includes(kind.meteredAs))
    throw new WorldFileError(`${where} has traffic; allowed: in agents, functions, jobs and sandboxes.`);
  if (traffic !== undefined && uuid !== undefined) setTraffic(world, uuid, traffic);
  const own = BILLING_DIMENSION_NAMES.filter((each) => kind.meteredAs !== undefined && isOfType(each, kind.meteredAs));
  for (const { dimension, from, to, amount } of usage) {
    if (!own.includes(dimension))
      throw new WorldFileError(`${where} has usage of "${dimension}"; allowed: ${own.join(', ') || 'nothing'}.`);
    const period = { start: Date.parse(from), end: Date.parse(to) };
    if (!(start <= period.start && period.start < period.end && period.end <= world.clock.now()))
      throw new WorldFileError(
        `${where} has usage from ${from} to ${to}; allowed: a period after its createdAt and before the world's start.`,
      );
    if (uuid !== undefined) meterPeriod(world, uuid, { dimension, ...period, amount });
  }
}
