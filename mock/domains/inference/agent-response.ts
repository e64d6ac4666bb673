/** Calls an agent: generates its reply with the history of its thread. */
import type { WorldState } from '../../state/world-state.ts';
import { generateReply, type GeneratedReply } from './generate-reply.ts';
import { nameOf, type Workload } from '../resources/workloads.ts';
import { previousTurns, rememberTurn } from './threads.ts';

export interface AgentResponse {
  readonly reply: GeneratedReply;
  /** The response body, unless the script has another one or an error. */
  readonly body: object;
}

/** Adds a turn to the thread, unless a scripted error occurs. */
export function respondAsAgent(
  world: WorldState,
  workload: Workload,
  inputs: string,
  thread: string | undefined,
): AgentResponse {
  const { workspace, resource } = workload;
  const uuid = resource.uuid ?? resource.name;
  const earlier = previousTurns(world.inference, uuid, thread);
  const reply = generateReply(world, { workspace: workspace.name, workload: nameOf(workload), text: inputs, earlier });
  if (reply.error === undefined) rememberTurn(world.inference, uuid, thread, inputs);
  const inThread = thread !== undefined && { thread: { id: thread, turn: earlier.length + 1 } };
  return { reply, body: { agent: resource.name, inputs, output: reply.text, ...inThread } };
}

/** Throws the scripted error, if there is one. */
export function requireSuccess({ error }: GeneratedReply): void {
  if (error !== undefined) throw error;
}
