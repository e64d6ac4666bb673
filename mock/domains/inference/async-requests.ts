/** Requests to async triggers: accepted at once, completed on the virtual clock, and posted to the trigger's callback URL. */
import type { Trigger } from '../../../spec/generated/types.ts';
import { requireWithin } from '../../http/limits.ts';
import { notFound, Problem } from '../../http/problems.ts';
import type { Instant } from '../../time/clock.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { AgentResponse } from './agent-response.ts';
import type { GeneratedReply } from './generate-reply.ts';
import { policyOf, refusalOf } from './callback-policy.ts';
import { findWorkload, withServedSpec, servingWorkload, type Workload } from '../resources/workloads.ts';
import { requireRoomForMetering } from '../resources/room.ts';
import { meterAsyncRequest, meterCompute } from '../resources/uses.ts';
import { changeStatus, recordInvocation } from './invocations.ts';
import { drawColdStart, noteUse, type Instances, type Work } from './instances.ts';
import { ofRevision } from './revisions.ts';
import { type AsyncRequest, type Callback } from '../../state/inference.ts';

/** Duration of a request without a scripted delay. */
const TAKES_MS = 500;
/** Limits the `retry` of a trigger. */
const MAX_RETRIES = 10;
const MAX_DONE = 1000;

/** A request to an async trigger, and the response of its agent. */
export interface AsyncCall extends AgentResponse {
  readonly workload: Workload;
  readonly trigger: Trigger;
  readonly inputs: string;
  /** The revision that responds. */
  readonly revision: string;
}

/**
 * Returns the immediate response. The request begins when an instance of the agent is free. Throws a problem if too many requests, or
 * too many bytes of responses, are pending.
 */
export function acceptRequest(world: WorldState & { readonly instances: Instances }, call: AsyncCall): object {
  const { workload, inputs } = call;
  const now = world.clock.now();
  forgetDone(world, now);
  const request = requestOf(world, call, now);
  requireRoomFor(world, request, now);
  requireRoomForMetering(world, 2);
  world.inference.requests.push(request);
  world.instances.run(world, workload, workOf(world, workload, request));
  const { workspace, agent, trigger, id, callback, outcome } = request;
  recordInvocation(world, workload, { by: 'async', trigger, requestId: id, inputs, status: outcome.status });
  meterAsyncRequest(world, workload.resource, now);
  world.events.emit('scheduled', undefined);
  const callbackMember = callback && { callback: callbackStatus(world, callback) };
  return { requestId: id, status: 'accepted', workspace, agent, trigger, ...callbackMember };
}

/** Requests of a restored world: those that run occupy an instance, and those that wait begin when one is free. */
export function resumeRequests(world: WorldState & { readonly instances: Instances }): void {
  const now = world.clock.now();
  const { requests } = world.inference;
  for (const request of requests.filter(({ completesAt = -Infinity }) => completesAt > now)) {
    const workload = workloadOf(world, request);
    if (workload !== undefined)
      world.instances.resume(world, workload, request.completesAt ?? now, workOf(world, workload, request));
  }
  for (const request of requests.filter(({ waiting }) => waiting !== undefined)) {
    const workload = workloadOf(world, request);
    if (workload === undefined) complete(world, request.id, now, failure(notFound('Agent', request.agent)));
    else world.instances.run(world, workload, workOf(world, workload, request));
  }
}

/** With the runtime that serves; undefined if the agent does not exist. */
function workloadOf(world: WorldState, { workspace: name, agent }: AsyncRequest): Workload | undefined {
  const workspace = world.workspaces.get(name);
  const found = workspace && findWorkload(world, workspace, 'agents', agent);
  return found && withServedSpec(world, found);
}

function workOf(world: WorldState, { workspace, resource }: Workload, { id }: AsyncRequest): Work {
  return {
    begin: (at) => {
      try {
        return begin(world, servingWorkload(world, workspace, 'agents', resource.name), id, at);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        complete(world, id, at, failure(error));
        return at;
      }
    },
    end: (at) => noteUse(world, resource, at),
    reject: (problem) => complete(world, id, world.clock.now(), failure(problem)),
  };
}

/** Returns when the request completes. */
function begin(world: WorldState, { resource }: Workload, id: string, at: Instant): Instant {
  const request = world.inference.requests.findLast((each) => each.id === id);
  const { revision = '', durationMs = 0 } = request?.waiting ?? {};
  const served = ofRevision(resource, revision);
  const startsAt = at + drawColdStart(world, served, at);
  const completesAt = startsAt + durationMs;
  meterCompute(world, 'agent_compute_runtime_gbs', served, completesAt, durationMs);
  noteUse(world, resource, startsAt);
  complete(world, id, completesAt);
  return completesAt;
}

/** Its callback, if it has one, is due then. `outcome`: if it differs from that of its acceptance. */
function complete(world: WorldState, id: string, completesAt: Instant, outcome?: AsyncRequest['outcome']): void {
  const { requests, invocations } = world.inference;
  const index = requests.findLastIndex((each) => each.id === id);
  const found = requests[index];
  if (found === undefined) return;
  if (outcome !== undefined) changeStatus(invocations, id, outcome.status);
  const { waiting: _waiting, callback, ...request } = found;
  const mayPost = callback !== undefined && refusalOf(callback.url, policyOf(world, callback.isForeign)) === undefined;
  requests[index] = {
    ...request,
    completesAt,
    outcome: outcome ?? found.outcome,
    ...(callback && { callback: { ...callback, ...(mayPost && { dueAt: completesAt }) } }),
  };
  world.events.emit('scheduled', undefined);
}

function requestOf(
  world: WorldState,
  { workload, trigger, reply, body, revision }: AsyncCall,
  now: Instant,
): AsyncRequest {
  const { workspace, resource } = workload;
  const { timeout = 0 } = trigger.configuration ?? {};
  const durationMs = reply.delayMs === 0 ? TAKES_MS : reply.delayMs;
  const limit = timeout === 0 ? Infinity : timeout * 1000;
  const callback = callbackOf(workload, trigger);
  return {
    id: world.random.uuid(),
    workspace: workspace.name,
    agent: resource.name,
    trigger: trigger.id ?? '',
    acceptedAt: now,
    waiting: { revision, durationMs: Math.min(durationMs, limit) },
    outcome: durationMs > limit ? timedOut(resource.name, timeout) : outcomeOf(reply, body),
    attempts: [],
    ...(callback && { callback }),
  };
}

/** Undefined if the trigger has no callback URL. It is due when the request is complete. */
function callbackOf({ resource }: Workload, { configuration = {} }: Trigger): Callback | undefined {
  const { callbackUrl: url = '', callbackSecret: secret = '', retry = 0 } = configuration;
  if (url === '') return undefined;
  const left = 1 + Math.min(Math.max(retry, 0), MAX_RETRIES);
  const isForeign = resource.foreignCallbacks?.includes(url) === true;
  return { url, secret, left, ...(isForeign && { isForeign }) };
}

function outcomeOf({ error, body }: GeneratedReply, answerBody: object): AsyncRequest['outcome'] {
  return error === undefined ? { status: 200, body: body ?? answerBody } : failure(error);
}

function timedOut(agent: string, seconds: number): AsyncRequest['outcome'] {
  return failure(new Problem(504, 'timed_out', `Agent "${agent}" took longer than the trigger's ${seconds} seconds.`));
}

function failure({ status, kind, message }: Problem): AsyncRequest['outcome'] {
  return { status, body: { error: kind, code: status, message } };
}

function callbackStatus(world: WorldState, { url, isForeign }: Callback): object {
  const reason = refusalOf(url, policyOf(world, isForeign));
  return reason === undefined ? { url, willBePosted: true } : { url, willBePosted: false, reason };
}

/** Bytes of the JSON of a response. */
const sizes = new WeakMap<object, number>();

function requireRoomFor({ inference, limits }: WorldState, request: AsyncRequest, now: Instant): void {
  const { requests } = inference;
  if (requests.length >= limits.asyncRequests) {
    const pending = requests.filter((each) => isPending(each, now)).length;
    requireWithin(limits, 'asyncRequests', pending + 1);
  }
  requireWithin(
    limits,
    'asyncBytes',
    requests.reduce((sum, each) => sum + sizeOf(each), sizeOf(request)),
  );
}

function sizeOf({ outcome }: AsyncRequest): number {
  const known = sizes.get(outcome) ?? (JSON.stringify(outcome.body) ?? '').length;
  sizes.set(outcome, known);
  return known;
}

function isPending({ completesAt = Infinity, callback }: AsyncRequest, now: Instant): boolean {
  return completesAt > now || callback?.dueAt !== undefined;
}

function forgetDone({ inference }: WorldState, now: Instant): void {
  if (inference.requests.length <= MAX_DONE) return;
  const tooMany = inference.requests.filter((each) => !isPending(each, now)).length - MAX_DONE;
  if (tooMany <= 0) return;
  let left = tooMany;
  inference.requests = inference.requests.filter((each) => isPending(each, now) || left-- <= 0);
}
