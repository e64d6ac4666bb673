/** inference.undocumented.answers: media type and shape of responses of workloads, and unusual requests to them. */
import { Readable } from 'node:stream';
import type { FixedWhat } from '../../../spec/observations/observation.ts';
import { objectOf, type ObservedResponse } from '../../../spec/observations/response-kinds.ts';
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import { isObject } from '../../../spec/json-object.ts';
import { findResource } from '../../state/resources.ts';
import { isSuccess, isTo, memberOf, refuse, replyOf, respond, respondsWith, withBody } from '../effects.ts';
import { cannot, isSameValue, layered, type Given, type Row, type RowsOf } from '../row.ts';

const ID = 'inference.undocumented.answers';
type What = FixedWhat<typeof ID>;
type IsOne = (body: unknown) => boolean;

function exists({ state: { route, workspace, world } }: Context): boolean {
  const { agent, model, jobName } = route?.params ?? {};
  const place = Object.entries({ agents: agent, models: model, jobs: jobName }).find(([, name]) => name !== undefined);
  return findResource(world, `${workspace?.name}/${place?.[0]}`, place?.[1] ?? '') !== undefined;
}

/** An unknown workload is refused before the body is checked. */
const isToExisting =
  (id: OperationId, isOne: IsOne) =>
  (ctx: Context): boolean =>
    isTo(id)(ctx) && exists(ctx) && isOne(ctx.state.body);

const json = (...members: readonly string[]): ObservedResponse => ({
  status: 200,
  mediaType: 'application/json',
  body: objectOf(...members),
});

/** A valid request: a success decides the form of all responses of the operation. */
const valid = (id: OperationId, own: ObservedResponse, isOne: IsOne): Row<ObservedResponse> => ({
  own,
  follow: (value) => {
    if (value.status < 300)
      return respondsWith(
        (ctx, reply) => isSuccess(reply) && isTo(id)(ctx) && !(reply.body instanceof Readable),
        value,
      );
    return id === 'queryAgent'
      ? cannot('an agent that is deployed and enabled responds to requests (agents.enabled.*)')
      : layered(refuse(isToExisting(id, isOne), value.status));
  },
});

const AS_VALID = 'the mock responds to it as to a valid request';
const valueOf = ({ valueAt }: Given, what: What): ObservedResponse | undefined => valueAt(ID, what);

/** A request to which the mock responds as to a valid one. */
const accepted = (id: OperationId, like: What, own: ObservedResponse, isOne: IsOne): Row<ObservedResponse> => ({
  own: (given) => {
    const value = valueOf(given, like);
    return value !== undefined && value.status < 300 ? value : own;
  },
  follow: ({ status }) => (status < 300 ? cannot(AS_VALID) : layered(refuse(isToExisting(id, isOne), status))),
});

/** A request that the mock refuses; to follow a success, it responds as if the body were `instead`. */
const refused = (
  id: OperationId,
  like: What,
  isOne: IsOne,
  instead: (body: unknown) => unknown,
): Row<ObservedResponse> => ({
  own: { status: 400 },
  follow: (value, given) => {
    if (value.status >= 300)
      return layered(
        respond(
          replyOf(id, 400, ({ state }) => isOne(state.body)),
          { status: value.status },
        ),
      );
    if (!isSameValue(value, valueOf(given, like))) return cannot(AS_VALID);
    return layered(withBody([id], (body) => (isOne(body) ? instead(body) : undefined)));
  },
});

const unknown = (id: OperationId): Row<ObservedResponse> => ({
  own: { status: 404 },
  follow: ({ status }) =>
    status < 300
      ? cannot('the mock has no such workload')
      : layered(
          respond(
            replyOf(id, 404, (ctx) => !exists(ctx)),
            { status },
          ),
        ),
});

const lacks = (name: string) => (body: unknown) => isObject(body) && body[name] === undefined;
const isEmptyList = (list: unknown): boolean => Array.isArray(list) && list.length === 0;
const isStream = (body: unknown): boolean => memberOf(body, 'stream') === true;
const hasTask = (isOne: (task: unknown) => boolean) => (body: unknown) => {
  const tasks = memberOf(body, 'tasks');
  return Array.isArray(tasks) && tasks.some(isOne);
};
const messagesOf = (body: unknown): readonly unknown[] => {
  const messages = memberOf(body, 'messages');
  return Array.isArray(messages) ? messages : [];
};
const oneTask = (): unknown => ({ tasks: [{}] });
const MESSAGES = [{ role: 'user', content: '' }];

const AGENT = json('agent', 'inputs', 'output');
const MODEL = json('inputs', 'model', 'outputs');
const CHAT = json('choices', 'created', 'id', 'model', 'object', 'usage');
const EXECUTION = json('createdAt', 'createdBy', 'id', 'job', 'status', 'tasks', 'workspace');

const AGENT_INPUTS = 'queryAgent: valid inputs';
const MODEL_INPUTS = 'queryModel: valid inputs';
const CONVERSATION = 'createChatCompletion: a conversation';
const ONE_TASK = 'createJobExecution: one task';

const refusedJob = (isOne: IsOne) => refused('createJobExecution', ONE_TASK, isOne, oneTask);

export const inferenceRows: RowsOf<typeof ID> = {
  'queryAgent: an unknown agent': unknown('queryAgent'),
  'queryModel: an unknown model': unknown('queryModel'),
  'createChatCompletion: an unknown model': unknown('createChatCompletion'),
  'createJobExecution: an unknown job': unknown('createJobExecution'),
  [AGENT_INPUTS]: valid('queryAgent', AGENT, () => true),
  'queryAgent: no inputs': refused('queryAgent', AGENT_INPUTS, lacks('inputs'), () => ({ inputs: ' ' })),
  'queryAgent: empty inputs': accepted('queryAgent', AGENT_INPUTS, AGENT, (body) => memberOf(body, 'inputs') === ''),
  [MODEL_INPUTS]: valid('queryModel', MODEL, (body) => typeof memberOf(body, 'inputs') === 'string'),
  'queryModel: an empty object': accepted(
    'queryModel',
    MODEL_INPUTS,
    MODEL,
    (body) => isObject(body) && Object.keys(body).length === 0,
  ),
  [CONVERSATION]: valid(
    'createChatCompletion',
    CHAT,
    (body) => !isEmptyList(memberOf(body, 'messages')) && !isStream(body),
  ),
  'createChatCompletion: no messages': refused('createChatCompletion', CONVERSATION, lacks('messages'), () => ({
    messages: MESSAGES,
  })),
  'createChatCompletion: an empty list of messages': refused(
    'createChatCompletion',
    CONVERSATION,
    (body) => isEmptyList(memberOf(body, 'messages')),
    (body) => ({ ...(body as object), messages: MESSAGES }),
  ),
  'createChatCompletion: a message without a role': refused(
    'createChatCompletion',
    CONVERSATION,
    (body) => messagesOf(body).some(lacks('role')),
    (body) => ({ ...(body as object), messages: MESSAGES }),
  ),
  'createChatCompletion: a stream': {
    own: { status: 200, mediaType: 'text/event-stream', body: 'text' },
    follow: (value, given) => {
      if (value.status >= 300)
        return layered(refuse((ctx) => isTo('createChatCompletion')(ctx) && isStream(ctx.state.body), value.status));
      if (!isSameValue(value, valueOf(given, CONVERSATION))) return cannot(AS_VALID);
      return layered(
        withBody(['createChatCompletion'], (body) =>
          isObject(body) && isStream(body) ? { ...body, stream: false } : undefined,
        ),
      );
    },
  },
  [ONE_TASK]: valid('createJobExecution', EXECUTION, (body) => !isEmptyList(memberOf(body, 'tasks'))),
  'createJobExecution: no tasks': refusedJob(lacks('tasks')),
  'createJobExecution: an empty list of tasks': accepted('createJobExecution', ONE_TASK, EXECUTION, (body) =>
    isEmptyList(memberOf(body, 'tasks')),
  ),
  'createJobExecution: a task that is a string': refusedJob(hasTask((task) => typeof task === 'string')),
  'createJobExecution: a task that is null': refusedJob(hasTask((task) => task === null)),
  'createJobExecution: tasks that are not a list': refusedJob((body) => {
    const tasks = memberOf(body, 'tasks');
    return tasks !== undefined && !Array.isArray(tasks);
  }),
};
