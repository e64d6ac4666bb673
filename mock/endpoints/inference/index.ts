/** The inference endpoints. Each is loaded on its first call, so that the mock starts faster. */
import type { Endpoint, OptionalAuthEndpoint } from '../endpoint.ts';

export const queryAgent: OptionalAuthEndpoint<'queryAgent'> = async (call) =>
  (await import('./query-agent.ts')).queryAgent(call);

export const queryAgentTrigger: OptionalAuthEndpoint<'queryAgentTrigger'> = async (call) =>
  (await import('./query-agent-trigger.ts')).queryAgentTrigger(call);

export const queryModel: Endpoint<'queryModel'> = async (call) => (await import('./query-model.ts')).queryModel(call);

export const createChatCompletion: Endpoint<'createChatCompletion'> = async (call) =>
  (await import('./create-chat-completion.ts')).createChatCompletion(call);

export const createChatCompletionV1: Endpoint<'createChatCompletionV1'> = async (call) =>
  (await import('./create-chat-completion.ts')).createChatCompletion(call);
