/** inference.undocumented.*: in which form workloads answer, and what they make of odd questions. */
import { Readable } from 'node:stream';
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import { findResource } from '../../state/resources.ts';
import { answersAs, asksWithBody, isSuccess, isTo, memberOf, refusesWhen, type Answers } from '../layers.ts';
import {
  cannot,
  hasNoBody,
  layered,
  namesIn,
  ofForm,
  type Given,
  type Follow,
  type Layer,
  type Point,
  type Points,
} from '../point.ts';
import { anyObject, type Form, type Recast } from '../recast.ts';
import { isObject } from '../../http/json-object.ts';

const ALLOWED =
  'the status of a refusal, or of a success the media type and members, as "200 application/json: output"';
const FORM =
  /^(?:(?<status>[345]\d\d)|(?<success>2\d\d) (?<type>no Content-Type|[\w.+-]+\/[\w.+-]+)(?:(?<list>, a list)|: (?<members>.+)|, a (?<value>string|number|boolean|object))?)$/;

type Saw = Readonly<Record<string, string | undefined>>;

const bodyIs =
  (id: OperationId, isOne: (body: unknown) => boolean) =>
  (ctx: Context): boolean =>
    isTo(id)(ctx) && isOne(ctx.state.body);

function isThere({ state: { route, workspace, world } }: Context): boolean {
  const { agent, model, jobName } = route?.params ?? {};
  const place = Object.entries({ agents: agent, models: model, jobs: jobName }).find(([, name]) => name !== undefined);
  return findResource(world, `${workspace?.name}/${place?.[0]}`, place?.[1] ?? '') !== undefined;
}

/** Of a workload that is there: that there is none is said first. */
const isAskedOf =
  (id: OperationId, isOne: (body: unknown) => boolean) =>
  (ctx: Context): boolean =>
    isThere(ctx) && bodyIs(id, isOne)(ctx);

/** Undefined where no answer has that form. */
function asRecast({ success, type, list, members, value }: Saw): Recast | undefined {
  const form = formOf(list, members, value);
  if (form === undefined || (hasNoBody(success) && form.is !== 'text')) return undefined;
  return { status: Number(success), type: type === 'no Content-Type' ? '' : (type ?? ''), form };
}

function formOf(list?: string, members?: string, value?: string): Form | undefined {
  if (list !== undefined) return { is: 'list' };
  const names = members === undefined ? undefined : namesIn(members);
  if (members !== undefined) return names && anyObject(names);
  // What JSON.parse makes of null is an object, too.
  return value === undefined ? { is: 'text' } : { is: 'value', type: value === 'object' ? 'null' : value };
}

/** A question that the mock answers: what comes of it is the form of all answers, or the question is refused. */
function answered(own: string, id: OperationId, isOne: (body: unknown) => boolean): Point {
  return ofForm(own, ALLOWED, FORM, (saw) => {
    if (saw['status'] === undefined) {
      const recast = asRecast(saw);
      const isOf: Answers = (ctx, reply) => isSuccess(reply) && isTo(id)(ctx) && !(reply.body instanceof Readable);
      return recast && layered(answersAs(isOf, recast));
    }
    const status = Number(saw['status']);
    if (id === 'queryAgent') return cannot('an agent that serves answers what it is asked (agents.enabled.*)');
    return layered(refusesWhen(isAskedOf(id, isOne), status));
  });
}

/** One that the mock answers as it answers a plain one: only a refusal is something else. */
function alsoAnswered(own: string, id: OperationId, plain: string, isOne: (body: unknown) => boolean): Point {
  const point = ofForm(own, ALLOWED, FORM, ({ status }) =>
    status === undefined ? cannot(AS_PLAIN) : layered(refusesWhen(isAskedOf(id, isOne), Number(status))),
  );
  const asPlain = ({ seenAt }: Given) => seenAt(`${id}: ${plain}`);
  return { ...point, ownWith: (given) => (asPlain(given)?.startsWith('2') === true ? asPlain(given) : own) };
}

const AS_PLAIN = 'the mock answers it in the form of a plain question';

/** One that the mock refuses; where the target answers, it is answered as if `instead` had been asked. */
function refused(
  own: string,
  id: OperationId,
  plain: string,
  isOne: (body: unknown) => boolean,
  instead: (body: unknown) => unknown,
): Point {
  return ofForm(own, ALLOWED, FORM, ({ status }, saw, { seenAt }) => {
    if (status === undefined && saw !== seenAt(`${id}: ${plain}`)) return cannot(AS_PLAIN);
    if (status === undefined) return layered(asksWithBody([id], (body) => (isOne(body) ? instead(body) : undefined)));
    return layered(
      answersAs((ctx, reply) => reply.status === Number(own) && bodyIs(id, isOne)(ctx), { status: Number(status) }),
    );
  });
}

/** An unknown workload. */
function unknown(id: OperationId): Point {
  return ofForm('404', 'the status of a refusal', /^(?<status>[345]\d\d)$/, ({ status }) =>
    layered(
      answersAs((ctx, reply) => reply.status === 404 && isTo(id)(ctx) && !isThere(ctx), { status: Number(status) }),
    ),
  );
}

const without = (name: string) => (body: unknown) => isObject(body) && body[name] === undefined;
const isConversation = (body: unknown): boolean =>
  !isEmpty(memberOf(body, 'messages')) && memberOf(body, 'stream') !== true;
const hasTasks = (body: unknown): boolean => !isEmpty(memberOf(body, 'tasks'));
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
  'queryAgent: no inputs': refused('400', 'queryAgent', 'a question', without('inputs'), () => ({ inputs: ' ' })),
  'queryAgent: an empty text': alsoAnswered(
    AGENT,
    'queryAgent',
    'a question',
    (body) => memberOf(body, 'inputs') === '',
  ),
  'queryModel: a question': answered(MODEL, 'queryModel', (body) => typeof memberOf(body, 'inputs') === 'string'),
  'queryModel: an empty object': alsoAnswered(
    MODEL,
    'queryModel',
    'a question',
    (body) => isObject(body) && Object.keys(body).length === 0,
  ),
  'createChatCompletion: a conversation': answered(CHAT, 'createChatCompletion', isConversation),
  'createChatCompletion: no messages': refused(
    '400',
    'createChatCompletion',
    'a conversation',
    without('messages'),
    () => ({
      messages: PLAIN,
    }),
  ),
  'createChatCompletion: an empty list of messages': refused(
    '400',
    'createChatCompletion',
    'a conversation',
    (body) => isEmpty(memberOf(body, 'messages')),
    (body) => ({ ...(body as object), messages: PLAIN }),
  ),
  'createChatCompletion: a stream': ofForm(
    '200 text/event-stream',
    ALLOWED,
    FORM,
    ({ status }, saw, { seenAt }): Follow => {
      if (status !== undefined)
        return layered(
          refusesWhen(
            bodyIs('createChatCompletion', (body) => memberOf(body, 'stream') === true),
            Number(status),
          ),
        );
      return saw === seenAt('createChatCompletion: a conversation') ? layered(unstreamed) : cannot(AS_PLAIN);
    },
  ),
  'createJobExecution: an unknown job': unknown('createJobExecution'),
  'createJobExecution: one task': answered(EXECUTION, 'createJobExecution', hasTasks),
  'createJobExecution: no tasks': refused('400', 'createJobExecution', 'one task', without('tasks'), oneTask),
  'createJobExecution: an empty list of tasks': alsoAnswered(EXECUTION, 'createJobExecution', 'one task', (body) =>
    isEmpty(memberOf(body, 'tasks')),
  ),
  'createJobExecution: a task that is a text': refused(
    '400',
    'createJobExecution',
    'one task',
    tasksWith((task) => typeof task === 'string'),
    oneTask,
  ),
  'createJobExecution: a task that is null': refused(
    '400',
    'createJobExecution',
    'one task',
    tasksWith((task) => task === null),
    oneTask,
  ),
  'createJobExecution: tasks that are no list': refused(
    '400',
    'createJobExecution',
    'one task',
    (body) => memberOf(body, 'tasks') !== undefined && !Array.isArray(memberOf(body, 'tasks')),
    oneTask,
  ),
};
