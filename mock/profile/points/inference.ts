/** inference.undocumented.*: in which form workloads answer, and what they make of odd questions. */
import { Readable } from 'node:stream';
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../context.ts';
import { findResource } from '../../world/resources.ts';
import { answersAs, asksWithBody, isSuccess, isTo, memberOf, refusesWhen } from '../layers.ts';
import { cannot, follows, layered, ofForm, type Follow, type Layer, type Point, type Points } from '../point.ts';
import { anyObject, type Form, type Recast } from '../recast.ts';
import { isObject } from '../../json-object.ts';

const ALLOWED =
  'the status of a refusal, or of a success the media type and members, as "200 application/json: output"';
const FORM =
  /^(?<status>[2-5]\d\d)(?: (?<type>no Content-Type|[\w.+-]+\/[\w.+-]+)(?:(?<list>, a list)|: (?<members>.+)|, an? (?<value>\w+))?)?$/;

type Saw = Readonly<Record<string, string | undefined>>;

const bodyIs =
  (id: OperationId, isOne: (body: unknown) => boolean) =>
  (ctx: Context): boolean =>
    isTo(id)(ctx) && isOne(ctx.state.body);

/** Of a workload that is there: that there is none is said first. */
const isAskedOf =
  (id: OperationId, isOne: (body: unknown) => boolean) =>
  (ctx: Context): boolean => {
    const { route, workspace, world } = ctx.state;
    const { agent, model, jobName } = route?.params ?? {};
    const place = Object.entries({ agents: agent, models: model, jobs: jobName }).find(
      ([, name]) => name !== undefined,
    );
    const isThere = findResource(world, `${workspace?.name}/${place?.[0]}`, place?.[1] ?? '') !== undefined;
    return isThere && bodyIs(id, isOne)(ctx);
  };

function asRecast({ status, type, list, members, value }: Saw): Recast {
  const named = type === undefined || type === 'no Content-Type' ? {} : { type };
  return { status: Number(status), ...named, form: formOf(type, list, members, value) };
}

function formOf(type?: string, list?: string, members?: string, value?: string): Form {
  if (list !== undefined) return { is: 'list' };
  if (members !== undefined) return anyObject(members.split(', '));
  // What JSON.parse makes of null is an object, too.
  if (value !== undefined) return { is: 'value', type: value === 'object' ? 'null' : value };
  return type === 'no Content-Type' ? { is: 'nothing' } : { is: 'text' };
}

/** A question that the mock answers: what comes of it is the form of all answers, or the question is refused. */
function answered(own: string, id: OperationId, isOne: (body: unknown) => boolean): Point {
  return ofForm(own, ALLOWED, FORM, (saw) => {
    const status = Number(saw['status']);
    if (status < 300)
      return layered(
        answersAs(
          (ctx, reply) => isSuccess(reply) && isTo(id)(ctx) && !(reply.body instanceof Readable),
          asRecast(saw),
        ),
      );
    if (id === 'queryAgent') return cannot('an agent that serves answers what it is asked (agents.enabled.*)');
    return layered(refusesWhen(isAskedOf(id, isOne), status));
  });
}

/** One that the mock answers as it answers any: only a refusal is something else. */
function alsoAnswered(own: string, id: OperationId, isOne: (body: unknown) => boolean): Point {
  return ofForm(own, ALLOWED, FORM, ({ status }) =>
    Number(status) < 300 ? follows : layered(refusesWhen(isAskedOf(id, isOne), Number(status))),
  );
}

/** One that the mock refuses; where the target answers, it is answered as if `instead` had been asked. */
function refused(
  own: string,
  id: OperationId,
  isOne: (body: unknown) => boolean,
  instead: (body: unknown) => unknown,
): Point {
  return ofForm(own, ALLOWED, FORM, ({ status }) => {
    if (Number(status) < 300) return layered(asksWithBody([id], (body) => (isOne(body) ? instead(body) : undefined)));
    return layered(
      answersAs((ctx, reply) => reply.status === Number(own) && bodyIs(id, isOne)(ctx), { status: Number(status) }),
    );
  });
}

/** An unknown workload. */
function unknown(id: OperationId): Point {
  return ofForm('404', 'the status of a refusal', /^(?<status>[45]\d\d)/, ({ status }) =>
    layered(answersAs((ctx, reply) => reply.status === 404 && isTo(id)(ctx), { status: Number(status) })),
  );
}

const without = (name: string) => (body: unknown) => isObject(body) && body[name] === undefined;
const anyBody = (): boolean => true;
const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0;
const tasksWith = (isOne: (task: unknown) => boolean) => (body: unknown) => {
  const tasks = memberOf(body, 'tasks');
  return Array.isArray(tasks) && tasks.some(isOne);
};
const oneTask = (): unknown => ({ tasks: [{}] });
const PLAIN = [{ role: 'user', content: '' }];

const AGENT = '200 application/json: agent, inputs, output';
const MODEL = '200 application/json: inputs, model, outputs';
const CHAT = '200 application/json: choices, created, id, model, object, usage';
const EXECUTION = '200 application/json: createdAt, createdBy, id, job, status, tasks, workspace';

/** Where nothing is streamed: as if it had not been asked for. */
const unstreamed: Layer = asksWithBody(['createChatCompletion'], (body) =>
  memberOf(body, 'stream') === true && isObject(body) ? { ...body, stream: false } : undefined,
);

export const inferencePoints: Points = {
  'queryAgent: an unknown agent': unknown('queryAgent'),
  'queryModel: an unknown model': unknown('queryModel'),
  'createChatCompletion: an unknown model': unknown('createChatCompletion'),
  'queryAgent: a question': answered(AGENT, 'queryAgent', anyBody),
  'queryAgent: no inputs': refused('400', 'queryAgent', without('inputs'), () => ({ inputs: ' ' })),
  'queryAgent: an empty text': alsoAnswered(AGENT, 'queryAgent', (body) => memberOf(body, 'inputs') === ''),
  'queryModel: a question': answered(MODEL, 'queryModel', (body) => typeof memberOf(body, 'inputs') === 'string'),
  'queryModel: an empty object': alsoAnswered(
    MODEL,
    'queryModel',
    (body) => isObject(body) && Object.keys(body).length === 0,
  ),
  'createChatCompletion: a conversation': answered(CHAT, 'createChatCompletion', anyBody),
  'createChatCompletion: no messages': refused('400', 'createChatCompletion', without('messages'), () => ({
    messages: PLAIN,
  })),
  'createChatCompletion: an empty list of messages': refused(
    '400',
    'createChatCompletion',
    (body) => isEmpty(memberOf(body, 'messages')),
    (body) => ({ ...(body as object), messages: PLAIN }),
  ),
  'createChatCompletion: a stream': ofForm('200 text/event-stream', ALLOWED, FORM, ({ status, type }): Follow => {
    if (Number(status) >= 300)
      return layered(
        refusesWhen(
          bodyIs('createChatCompletion', (body) => memberOf(body, 'stream') === true),
          Number(status),
        ),
      );
    return type === 'text/event-stream' ? follows : layered(unstreamed);
  }),
  'createJobExecution: an unknown job': unknown('createJobExecution'),
  'createJobExecution: one task': answered(EXECUTION, 'createJobExecution', anyBody),
  'createJobExecution: no tasks': refused('400', 'createJobExecution', without('tasks'), oneTask),
  'createJobExecution: an empty list of tasks': alsoAnswered(EXECUTION, 'createJobExecution', (body) =>
    isEmpty(memberOf(body, 'tasks')),
  ),
  'createJobExecution: a task that is a text': refused(
    '400',
    'createJobExecution',
    tasksWith((task) => typeof task === 'string'),
    oneTask,
  ),
  'createJobExecution: a task that is null': refused(
    '400',
    'createJobExecution',
    tasksWith((task) => task === null),
    oneTask,
  ),
  'createJobExecution: tasks that are no list': refused(
    '400',
    'createJobExecution',
    (body) => memberOf(body, 'tasks') !== undefined && !Array.isArray(memberOf(body, 'tasks')),
    oneTask,
  ),
};
