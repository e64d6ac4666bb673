/** Observes undocumented responses of workloads. */
import { observes } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { eventually } from '../target/eventually.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';

const MESSAGES = [{ role: 'user', content: 'hello' }];

observes('inference.undocumented.answers', async (run) => {
  for (const { what, id, input } of questions(run)) {
    const send = () => run.client.call(id, input);
    // Polls each one first: responses while a workload starts are not observed.
    const exchange = what === PLAIN ? await eventually(send, isAwake, run.patienceSeconds) : await send();
    run.observe(`${id}: ${what}`, seen(exchange));
  }
});

interface Question {
  readonly what: string;
  readonly id: OperationId;
  readonly input: CallInput;
}

function questions({ prefix, target: { allow, resources } }: Run): Question[] {
  const { agent, model, job } = resources;
  const unknown = `${prefix}none`;
  const of = (id: OperationId, path: Record<string, string>, bodies: Record<string, unknown>): Question[] =>
    Object.entries(bodies).map(([what, body]) => ({ what, id, input: { path, body } }));
  return [
    ...of('queryAgent', { agent: unknown }, { 'an unknown agent': { inputs: 'hello' } }),
    ...of('queryModel', { model: unknown }, { 'an unknown model': { inputs: 'hello' } }),
    ...of('createChatCompletion', { model: unknown }, { 'an unknown model': { messages: MESSAGES } }),
    ...(agent === undefined ? [] : of('queryAgent', { agent }, ofAgents)),
    ...(model === undefined ? [] : of('queryModel', { model }, ofModels)),
    ...(model === undefined ? [] : of('createChatCompletion', { model }, ofChats)),
    ...(allow === 'read' ? [] : of('createJobExecution', { jobName: unknown }, { 'an unknown job': { tasks: [{}] } })),
    ...(allow === 'read' || job === undefined ? [] : of('createJobExecution', { jobName: job }, ofJobs)),
  ];
}

const PLAIN = 'a question';
const isAwake = ({ response }: Exchange): boolean => response.status !== 503;

const ofAgents = { [PLAIN]: { inputs: 'hello' }, 'no inputs': {}, 'an empty text': { inputs: '' } };
const ofModels = { [PLAIN]: { inputs: 'hello' }, 'an empty object': {} };
const ofChats = {
  'a conversation': { messages: MESSAGES },
  'no messages': {},
  'an empty list of messages': { messages: [] },
  'a stream': { messages: MESSAGES, stream: true },
};
const ofJobs = {
  'one task': { tasks: [{}] },
  'no tasks': {},
  'an empty list of tasks': { tasks: [] },
  'a task that is a text': { tasks: ['hello'] },
  'a task that is null': { tasks: [null] },
  'tasks that are no list': { tasks: { a: {} } },
};

/** The status, and for a success the format. Not the content, which may differ each time. */
function seen({ response: { status, headers, json } }: Exchange): string {
  if (status >= 300) return String(status);
  const type = headers['content-type']?.split(';', 1)[0]?.trim() ?? 'no Content-Type';
  return `${status} ${type}${formOf(json)}`;
}

function formOf(json: unknown): string {
  if (json === undefined) return '';
  if (Array.isArray(json)) return ', a list';
  return typeof json === 'object' && json !== null
    ? `: ${Object.keys(json).toSorted().join(', ')}`
    : `, a ${typeof json}`;
}
