/** resources.lifecycle.status-sequence: what a resource contains after a write. */
import type { OperationId } from '../../../spec/operations.ts';
import { statuses } from '../../../spec/values.ts';
import { isObject } from '../../../spec/json-object.ts';
import { problemReply, unknownPath } from '../../http/problems.ts';
import { editReply, isTo, successOf } from '../effects.ts';
import { cannot, layered, type Layer, type Row, type RowsOf } from '../row.ts';

interface Course {
  readonly read: OperationId;
  /** Null: this kind is not deployed. */
  readonly status: string | null;
  readonly final: string | null;
  readonly records: readonly string[];
  readonly types: readonly string[];
}

const deploy = {
  status: 'UPLOADING',
  final: 'DEPLOYED',
  records: ['UPLOADING', 'BUILDING', 'BUILT', 'DEPLOYING', 'DEPLOYED'],
  types: ['deploy'],
};

const courses = {
  updateAgent: { read: 'getAgent', ...deploy },
  createFunction: { read: 'getFunction', ...deploy },
  createVpc: {
    read: 'getVpc',
    status: 'DEPLOYING',
    final: 'DEPLOYED',
    records: ['DEPLOYING', 'DEPLOYED'],
    types: ['provision'],
  },
  createIntegrationConnection: { read: 'getIntegrationConnection', status: null, final: null, records: [], types: [] },
} as const satisfies { readonly [Id in OperationId]?: Course };

const statusRow = (id: OperationId, own: string | null): Row<{ readonly resourceStatus: string | null }> => ({
  own: { resourceStatus: own },
  follow: ({ resourceStatus }) =>
    resourceStatus !== null && !statuses.some((status) => status === resourceStatus)
      ? cannot(`a status is one of ${statuses.join(', ')}`)
      : layered(
          editReply(successOf(id), (body) => {
            if (!isObject(body)) return body;
            const { status: _, ...rest } = body;
            return resourceStatus === null ? rest : { ...body, status: resourceStatus };
          }),
        ),
});

/** What was written cannot be read: that path is unknown. */
const hide =
  (id: OperationId): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx);
    if (isTo(id)(ctx)) ctx.state.reply = problemReply(unknownPath(ctx.path, []));
  };

const ownOnly = <Value>(own: Value): Row<Value> => ({
  own,
  follow: () => cannot('deployments of the mock follow its clock, which /_mock/clock moves'),
});

export const lifecycleRows: RowsOf<'resources.lifecycle.status-sequence'> = Object.assign(
  {},
  ...Object.entries(courses).map(([id, { read, status, final, records, types }]) => ({
    [`${id}: status in the response`]: statusRow(id as OperationId, status),
    [`${id}: afterwards`]: { follow: () => layered(hide(read)) },
    [`${id}: final status`]: ownOnly({ resourceStatus: final }),
    [`${id}: time until then`]: ownOnly('under 5 seconds'),
    [`${id}: statuses of the event records`]: ownOnly(records),
    [`${id}: types of the event records`]: ownOnly(types),
  })),
);
