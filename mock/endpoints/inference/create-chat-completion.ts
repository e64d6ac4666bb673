/** A chat completion, whole or as server-sent events, at both of its addresses. */
import { type Call } from '../endpoint.ts';
import { asProblem } from '../../http/problems.ts';
import { ok, type Reply } from '../../http/reply.ts';
import { requireSuccess } from '../../domains/inference/agent-response.ts';
import { generateReply, type GeneratedReply } from '../../domains/inference/generate-reply.ts';
import { chunks, isCompletion } from '../../domains/inference/chat-chunks.ts';
import { complete, whole, type Completion } from '../../domains/inference/chat-completion.ts';
import { generateOutput, type ChatOutput, type WantedOutput } from '../../domains/inference/chat-output.ts';
import { readChatRequest, type ChatRequest } from '../../domains/inference/chat-request.ts';
import { eventStream } from '../../domains/inference/event-stream.ts';
import { recordInvocation } from '../../domains/inference/invocations.ts';
import { nameOf, servingWorkload, type Workload } from '../../domains/resources/workloads.ts';
import type { World } from '../../world/world.ts';
import { onInstance } from './on-instance.ts';

const EVENTS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

type ChatCall = Call<'createChatCompletion'> | Call<'createChatCompletionV1'>;

export async function createChatCompletion(call: ChatCall): Promise<Reply> {
  const { world, workspace, path } = call;
  const workload = servingWorkload(world, workspace, 'models', path.model);
  const request = readChatRequest(call.body);
  return onInstance(call, workload, (current) => respond(call, current, request));
}

async function respond(call: ChatCall, workload: Workload, request: ChatRequest): Promise<Reply> {
  const { world, path } = call;
  const { output, ...reply } = recordedReply(world, workload, request);
  const completion = complete(request, output, {
    id: `chatcmpl-${world.random.hex(24)}`,
    created: Math.floor(world.clock.now() / 1000),
    model: request.model ?? path.model,
  });
  if (reply.delayMs > 0) await world.timers.wait(reply.delayMs, call.onLeave);
  requireSuccess(reply);
  return request.stream ? streamed(world, request, reply, completion) : ok(reply.body ?? whole(completion));
}

interface ChatReply extends GeneratedReply {
  readonly output: ChatOutput;
}

/** Replies to the last message. Earlier messages only make the reply differ. */
function recordedReply(world: World, workload: Workload, { messages, wanted }: ChatRequest): ChatReply {
  const lastPrompt = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
  const text = lastPrompt?.text ?? '';
  const workspace = workload.workspace.name;
  const generated = generateReply(world, { workspace, workload: nameOf(workload), text, earlier: [] });
  const reply = generated.isScripted ? { ...generated, output: generated } : withOutput(generated, wanted, world.seed);
  recordInvocation(world, workload, { by: 'call', inputs: text, status: reply.error?.status ?? 200 });
  return reply;
}

/** Scripted replies are not changed: they may contain anything. */
function withOutput(reply: GeneratedReply, wanted: WantedOutput, seed: number): ChatReply {
  try {
    return { ...reply, output: generateOutput(wanted, seed, reply.text) };
  } catch (error) {
    return { ...reply, output: reply, error: asProblem(error) };
  }
}

function streamed(world: World, request: ChatRequest, { body, paceMs }: GeneratedReply, completion: Completion): Reply {
  const events = eventsOf(request, body, completion);
  return { status: 200, headers: EVENTS, body: eventStream(events, { ...world, paceMs }) };
}

/** A scripted body that is not a completion is sent as a single event. */
function eventsOf({ includeUsage }: ChatRequest, body: unknown, completion: Completion): Iterable<object> {
  const own = whole(completion);
  if (isCompletion(body)) return chunks({ ...own, ...body }, includeUsage);
  return typeof body === 'object' && body !== null ? [body] : chunks(own, includeUsage);
}
