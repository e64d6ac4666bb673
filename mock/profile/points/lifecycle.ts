/** resources.lifecycle.*: what is told of a resource after a write. */
import { statuses } from '../../../spec/values.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { unknownPath, problemReply } from '../../http/problems.ts';
import { answersWith, isSuccess, isTo } from '../layers.ts';
import { cannot, layered, ofForm, oneOf, type Layer, type Point, type Points } from '../point.ts';
import { isObject } from '../../http/json-object.ts';

interface Course {
  readonly read: OperationId;
  /** Undefined: a kind that is not deployed. */
  readonly status: string | undefined;
  readonly records: string;
  readonly type: string;
}

const DEPLOYED = 'UPLOADING, BUILDING, BUILT, DEPLOYING, DEPLOYED';
const deploy = { status: 'UPLOADING', records: DEPLOYED, type: 'deploy' };

const writes: { readonly [Id in OperationId]?: Course } = {
  updateAgent: { read: 'getAgent', ...deploy },
  createFunction: { read: 'getFunction', ...deploy },
  createVpc: { read: 'getVpc', status: 'DEPLOYING', records: 'DEPLOYING, DEPLOYED', type: 'provision' },
  createIntegrationConnection: {
    read: 'getIntegrationConnection',
    status: undefined,
    records: 'no records',
    type: 'no records',
  },
};

function statusInAnswer(id: OperationId, own: string | undefined): Point {
  const allowed = `"no status", or one of ${statuses.join(', ')}`;
  return ofForm(own ?? 'no status', allowed, /^(no status|[A-Z]+)$/, (_, saw) => {
    if (saw !== 'no status' && !statuses.some((status) => status === saw)) return undefined;
    const answers = answersWith(
      (ctx, reply) => isSuccess(reply) && isTo(id)(ctx),
      (body) => {
        if (!isObject(body)) return body;
        const { status: _status, ...rest } = body;
        return saw === 'no status' ? rest : { ...body, status: saw };
      },
    );
    return layered(answers);
  });
}

/** What is written can then not be read: that path is unknown. */
const hides =
  (id: OperationId): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx);
    if (isTo(id)(ctx)) ctx.state.reply = problemReply(unknownPath(ctx.path, []));
  };

const own = (saw: string): Point => ({
  own: saw,
  allowed: 'any words',
  follow: () => cannot('deployments of the mock run through their statuses by its clock, which /_mock/clock moves'),
});

export const lifecyclePoints: Points = Object.fromEntries(
  Object.entries(writes).flatMap(([id, { read, status, records, type }]): [string, Point][] => [
    [`${id}: status in the answer`, statusInAnswer(id as OperationId, status)],
    [`${id}: afterwards`, oneOf(undefined, { 'not shown': () => layered(hides(read)) })],
    [`${id}: comes to rest`, own(status === undefined ? 'no status' : 'DEPLOYED')],
    [`${id}: time until then`, own('under 5 seconds')],
    [`${id}: statuses of the event records`, own(records)],
    [`${id}: types of the event records`, own(type)],
  ]),
);
