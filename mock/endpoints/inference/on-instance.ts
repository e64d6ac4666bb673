/** Handles a request on an instance of its workload: waits for a free one, and for its start. */
import { Readable } from 'node:stream';
import { Problem, withHeaders } from '../../http/problems.ts';
import type { Reply } from '../../http/reply.ts';
import { drawColdStart, drawSharedColdStart, noteUse } from '../../domains/inference/instances.ts';
import { servingWorkload, type Workload } from '../../domains/resources/workloads.ts';
import type { Call } from '../endpoint.ts';

/** What an instance runs. */
type Instance = Pick<Workload, 'resource'>;

/**
 * `respond` is called when an instance has started, with the workload as it is then. The instance is free again after the
 * response, at the end of its stream or when the client disconnects. Throws a problem if the workload does not serve any more,
 * or if excess requests are refused.
 */
export function onInstance<Body>(
  call: Pick<Call, 'world' | 'onLeave'>,
  workload: Workload,
  respond: (current: Workload) => Promise<Reply<Body>>,
): Promise<Reply<Body>> {
  return onChosenInstance(call, workload, () => workload, respond);
}

/** The same with a choice. `instanceOf` returns what the instance runs; it is called when one is free. */
export async function onChosenInstance<Body, Chosen extends Instance>(
  { world, onLeave }: Pick<Call, 'world' | 'onLeave'>,
  workload: Workload,
  instanceOf: (workload: Workload) => Chosen,
  respond: (current: Workload, instance: Chosen) => Promise<Reply<Body>>,
): Promise<Reply<Body>> {
  const leave = await world.instances.enter(world, workload, onLeave);
  let startedAt = -Infinity;
  const draw = ({ resource }: Instance): number => {
    const coldStart = drawColdStart(world, resource);
    startedAt = world.clock.now() + coldStart;
    return coldStart;
  };
  const end = () => {
    // A client that leaves during the start does not shorten it.
    if (world.clock.now() >= startedAt) noteUse(world, workload.resource);
    leave();
  };
  let reply: Reply<Body> | undefined;
  try {
    const instance = instanceOf(workload);
    const respondOn = (current: Workload) => respond(current, instance);
    reply = await afterStart({ world, onLeave }, workload, respondOn, () => draw(instance));
    return reply;
  } finally {
    if (reply?.body instanceof Readable) {
      reply.body.once('close', end);
      onLeave(end);
    } else end();
  }
}

/** The same without an instance for itself: for requests that begin no work, such as a stream of notifications. */
export function afterColdStart<Body>(
  call: Pick<Call, 'world' | 'onLeave'>,
  workload: Workload,
  respond: (current: Workload) => Promise<Reply<Body>>,
): Promise<Reply<Body>> {
  return afterStart(call, workload, respond, () => drawSharedColdStart(call.world, workload.resource));
}

async function afterStart<Body>(
  { world, onLeave }: Pick<Call, 'world' | 'onLeave'>,
  workload: Workload,
  respond: (current: Workload) => Promise<Reply<Body>>,
  draw: () => number,
): Promise<Reply<Body>> {
  const { workspace, collection, resource } = workload;
  // Models have no cold start.
  const coldStart = collection === 'models' ? 0 : draw();
  noteUse(world, resource, world.clock.now() + coldStart);
  if (coldStart > 0) await world.timers.wait(coldStart, onLeave);
  const headers: Record<string, string> = coldStart > 0 ? { 'x-mock-cold-start': `${coldStart}ms` } : {};
  try {
    // It may have been disabled or deleted since the request arrived.
    const reply = await respond(servingWorkload(world, workspace, collection, resource.name));
    return { ...reply, headers: { ...reply.headers, ...headers } };
  } catch (error) {
    throw error instanceof Problem && coldStart > 0 ? withHeaders(error, headers) : error;
  }
}
