/** Observes undocumented responses of workloads. */
import type { WhatOf } from '../../spec/observations/observation.ts';
import type { ObservedResponse } from '../../spec/observations/response-kinds.ts';
import { bodyShape, mediaType } from '../expect/body-shape.ts';
import { observes } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { eventually, isAwake } from '../target/eventually.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';

const MESSAGES = [{ role: 'user', content: 'hello' }];

observes('inference.undocumented.answers', async (run) => {
  const observe = async ({ what, id, input }: ObservedRequest) => {
    const send = () => run.client.call(id, input);
    // Polls each one first: responses while a workload starts are not observed.
    const exchange = isFirst(what) ? await eventually(send, isAwake, run.patienceSeconds) : await send();
    run.observe(what, observed(exchange));
    return [];
  };
  await run.forEach(requests(run), observe, { sequential: true });
});

type What = WhatOf<'inference.undocumented.answers'>;

interface ObservedRequest {
  readonly what: What;
  readonly id: OperationId;
  readonly input: CallInput;
}

function requests({ unknownName: unknown, target: { allow, resources } }: Run): ObservedRequest[] {
  const { agent, model, job } = resources;
  const of = (id: OperationId, path: Record<string, string>, bodies: Bodies): ObservedRequest[] =>
    Object.entries(bodies).map(([what, body]) => ({ what: what as What, id, input: { path, body } }));
  return [
    ...of('queryAgent', { agent: unknown }, { 'queryAgent: an unknown agent': { inputs: 'hello' } }),
    ...of('queryModel', { model: unknown }, { 'queryModel: an unknown model': { inputs: 'hello' } }),
    ...of(
      'createChatCompletion',
      { model: unknown },
      { 'createChatCompletion: an unknown model': { messages: MESSAGES } },
    ),
    ...(agent === undefined ? [] : of('queryAgent', { agent }, ofAgents)),
    ...(model === undefined ? [] : of('queryModel', { model }, ofModels)),
    ...(model === undefined ? [] : of('createChatCompletion', { model }, ofChats)),
    ...(allow === 'read'
      ? []
      : of('createJobExecution', { jobName: unknown }, { 'createJobExecution: an unknown job': { tasks: [{}] } })),
    ...(allow === 'read' || job === undefined ? [] : of('createJobExecution', { jobName: job }, ofJobs)),
  ];
}

const isFirst = (what: What): boolean => what.endsWith(': valid inputs');

type Bodies = { readonly [W in What]?: unknown };

const ofAgents: Bodies = {
  'queryAgent: valid inputs': { inputs: 'hello' },
  'queryAgent: no inputs': {},
  'queryAgent: empty inputs': { inputs: '' },
};
const ofModels: Bodies = { 'queryModel: valid inputs': { inputs: 'hello' }, 'queryModel: an empty object': {} };
const ofChats: Bodies = {
  'createChatCompletion: a conversation': { messages: MESSAGES },
  'createChatCompletion: no messages': {},
  'createChatCompletion: an empty list of messages': { messages: [] },
  'createChatCompletion: a message without a role': { messages: [{ content: 'hello' }] },
  'createChatCompletion: a stream': { messages: MESSAGES, stream: true },
};
const ofJobs: Bodies = {
  'createJobExecution: one task': { tasks: [{}] },
  'createJobExecution: no tasks': {},
  'createJobExecution: an empty list of tasks': { tasks: [] },
  'createJobExecution: a task that is a string': { tasks: ['hello'] },
  'createJobExecution: a task that is null': { tasks: [null] },
  'createJobExecution: tasks that are not a list': { tasks: { a: {} } },
};

/** The status, and for a success media type and shape. Not the content, which may differ each time. */
function observed({ response }: Exchange): ObservedResponse {
  const { status, headers } = response;
  return status >= 300 ? { status } : { status, mediaType: mediaType(headers), body: bodyShape(response) };
}
