/** Requests to async triggers: accepted at once, completed on the virtual clock, and posted to the trigger's callback URL. */
import type { Trigger } from '../../../spec/generated/types.ts';
import { requireWithin } from '../../http/limits.ts';
import { Problem } from '../../http/problems.ts';
import type { Instant } from '../../time/clock.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { AgentResponse } from './agent-response.ts';
import type { GeneratedReply } from './generate-reply.ts';
import { policyOf, refusalOf } from './callback-policy.ts';
import type { Workload } from '../resources/workloads.ts';
import { requireRoomForMetering } from '../resources/room.ts';
import { meterAsyncRequest, meterCompute } from '../resources/uses.ts';
import { recordInvocation } from './invocations.ts';
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
}

/** Returns the immediate response. Throws a problem if too many requests, or too many bytes of responses, are pending. */
export function acceptRequest(world: WorldState, call: AsyncCall): object {
  const { workload, inputs } = call;
  const now = world.clock.now();
  forgetDone(world, now);
  const request = requestOf(world, call, now);
  requireRoomFor(world, request, now);
  requireRoomForMetering(world, 2);
  const { workspace, agent, trigger, id, callback, completesAt, outcome } = request;
  world.inference.requests.push(request);
  recordInvocation(world, workload, { by: 'async', trigger, inputs, status: outcome.status });
  meterAsyncRequest(world, workload.resource, now);
  meterCompute(world, 'agent_compute_runtime_gbs', workload.resource, completesAt, completesAt - now);
  world.events.emit('scheduled', undefined);
  const callbackMember = callback && { callback: callbackStatus(world, callback) };
  return { requestId: id, status: 'accepted', workspace, agent, trigger, ...callbackMember };
}

function requestOf(world: WorldState, { workload, trigger, reply, body }: AsyncCall, now: Instant): AsyncRequest {
  const { workspace, resource } = workload;
  const { timeout = 0 } = trigger.configuration ?? {};
  const durationMs = reply.delayMs === 0 ? TAKES_MS : reply.delayMs;
  const limit = timeout === 0 ? Infinity : timeout * 1000;
  const completesAt = now + Math.min(durationMs, limit);
  const callback = callbackOf(world, workload, trigger, completesAt);
  return {
    id: world.random.uuid(),
    workspace: workspace.name,
    agent: resource.name,
    trigger: trigger.id ?? '',
    acceptedAt: now,
    completesAt,
    outcome: durationMs > limit ? timedOut(resource.name, timeout) : outcomeOf(reply, body),
    attempts: [],
    ...(callback && { callback }),
  };
}

/** Undefined if the trigger has no callback URL. */
function callbackOf(
  world: WorldState,
  { resource }: Workload,
  { configuration = {} }: Trigger,
  completesAt: Instant,
): Callback | undefined {
  const { callbackUrl: url = '', callbackSecret: secret = '', retry = 0 } = configuration;
  if (url === '') return undefined;
  const left = 1 + Math.min(Math.max(retry, 0), MAX_RETRIES);
  const isForeign = resource.foreignCallbacks?.includes(url) === true;
  const mayPost = refusalOf(url, policyOf(world, isForeign)) === undefined;
  return { url, secret, left, ...(isForeign && { isForeign }), ...(mayPost && { dueAt: completesAt }) };
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

function isPending({ completesAt, callback }: AsyncRequest, now: Instant): boolean {
  return completesAt > now || callback?.dueAt !== undefined;
}

function forgetDone({ inference }: WorldState, now: Instant): void {
  if (inference.requests.length <= MAX_DONE) return;
  const tooMany = inference.requests.filter((each) => !isPending(each, now)).length - MAX_DONE;
  if (tooMany <= 0) return;
  let left = tooMany;
  inference.requests = inference.requests.filter((each) => isPending(each, now) || left-- <= 0);
}
