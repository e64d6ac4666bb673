/** management.undocumented.*: body shapes and statuses of the management API that are not documented. */
import { objectOf, type BodyShape } from '../../../spec/observations/response-kinds.ts';
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import { isObject } from '../../../spec/json-object.ts';
import {
  editReply,
  isSuccess,
  isTo,
  memberOf,
  refuse,
  replyOf,
  respond,
  successOf,
  type MatchesReply,
} from '../effects.ts';
import { cannot, layered, unchanged, type Row, type RowsOf } from '../row.ts';

const SHAPES = 'management.undocumented.answer-shapes';
const CONNECTION = 'the response of createIntegrationConnection';

type SuccessShape = { readonly body: BodyShape } | { readonly status: number };

const shape = (id: OperationId, body: BodyShape): Row<SuccessShape> => ({
  own: { body },
  follow: (value) =>
    !('body' in value) || includesEmptyList(value.body)
      ? cannot('the mock responds with what exists')
      : layered(respond(successOf(id), value)),
});

const includesEmptyList = (body: BodyShape): boolean => JSON.stringify(body).includes('"empty list"');

const scalars = (...names: readonly string[]): Record<string, BodyShape> =>
  Object.fromEntries(names.map((name) => [name, 'scalar']));

const METADATA = {
  ...scalars('createdAt', 'createdBy', 'displayName', 'name', 'plan', 'updatedAt', 'updatedBy', 'workspace'),
  labels: 'object',
} as const;

export const shapeRows: RowsOf<typeof SHAPES> = {
  'the list of accounts': shape('listAccounts', {
    list: { object: { ...scalars('displayName', 'id', 'plan'), workspaces: 'list' } },
  }),
  [CONNECTION]: shape('createIntegrationConnection', {
    object: { metadata: { object: METADATA }, spec: { object: { integration: 'scalar', secret: 'object' } } },
  }),
  'the response of createFunction': shape('createFunction', {
    object: {
      events: 'list',
      metadata: { object: { ...METADATA, url: 'scalar' } },
      spec: { object: { integrationConnections: 'list', runtime: 'object', type: 'scalar' } },
      status: 'scalar',
    },
  }),
  'the secrets in the response of createIntegrationConnection': {
    own: { repeated: 0, of: 3 },
    follow: ({ repeated, of }, { valueAt }) => {
      if (repeated === 0) return unchanged;
      if (!hasSecret(valueAt(SHAPES, CONNECTION))) return cannot('the observed shape has no place for them');
      return repeated === of
        ? layered(editReply(successOf('createIntegrationConnection'), withSecrets))
        : cannot('it was not recorded which of them are in the response');
    },
  },
  'the secrets in a read of what createIntegrationConnection created': {
    own: { repeated: 0, of: 3 },
    follow: ({ repeated }) => (repeated === 0 ? unchanged : cannot('the mock stores no secret')),
  },
};

const hasSecret = (response: SuccessShape | undefined): boolean => {
  const spec = memberOf(response, 'body', 'object', 'spec', 'object', 'secret');
  return spec === 'object' || isObject(spec);
};

function withSecrets(body: unknown, ctx: Context): unknown {
  if (!isObject(body)) return body;
  return { ...body, spec: { ...(body['spec'] as object), secret: memberOf(ctx.state.body, 'spec', 'secret') } };
}

/** Replies whose message begins so. */
const message = (id: OperationId, code: number, start: string): MatchesReply =>
  replyOf(id, code, (_, reply) => String(memberOf(reply.body, 'message')).startsWith(start));

function status(own: number, matches: MatchesReply, noSuccess?: string): Row<{ readonly status: number }> {
  return {
    own: { status: own },
    follow: ({ status: observed }) => {
      if (observed >= 300) return layered(respond(matches, { status: observed }));
      if (noSuccess !== undefined) return cannot(noSuccess);
      return layered(respond(matches, { status: observed, body: objectOf('message') }));
    },
  };
}

const TOKEN = 'deleteSandboxPreviewToken';
const VERSION = 'deleteVolumeTemplateVersion';
const GONE = 'what is deleted is gone (sandboxes.preview-tokens.*, volume-templates.versions.*)';
const UNKNOWN_CONNECTION = 'a function that names an unknown connection';

const hasTwoConnections = (ctx: Context): boolean => {
  const names = memberOf(ctx.state.body, 'spec', 'integrationConnections');
  return isTo('createFunction')(ctx) && Array.isArray(names) && names.length > 1;
};

export const statusRows: RowsOf<'management.undocumented.statuses'> = {
  'an unknown integration': status(
    404,
    message('getIntegration', 404, 'Integration "'),
    'the mock has no integration to describe',
  ),
  'a preview token of an unknown sandbox': status(404, message(TOKEN, 404, 'Sandbox "')),
  'a token of an unknown preview': status(404, message(TOKEN, 404, 'Preview "')),
  'an unknown token of a preview': status(404, message(TOKEN, 404, 'Preview token "'), GONE),
  'a version of an unknown template': status(404, message(VERSION, 404, 'Volume template "')),
  'an unknown version of a template': status(404, message(VERSION, 404, 'Volume template version "'), GONE),
  'a connection to an unknown integration': status(
    400,
    message('createIntegrationConnection', 400, 'spec.integration '),
    'the mock has to know which secrets an integration has',
  ),
  [UNKNOWN_CONNECTION]: status(
    400,
    message('createFunction', 400, 'spec.integrationConnections'),
    'the mock binds functions only to connections that exist',
  ),
  'a function that names a connection just removed': {
    own: ({ valueAt }) => valueAt('management.undocumented.statuses', UNKNOWN_CONNECTION),
    follow: () => cannot('the mock does not remember what was removed'),
  },
  'a function that names two connections': {
    own: { status: 200 },
    follow: ({ status: observed }) =>
      layered(
        observed < 300
          ? respond((ctx, reply) => isSuccess(reply) && hasTwoConnections(ctx), { status: observed })
          : refuse(hasTwoConnections, observed),
      ),
  },
  'a removal of a connection that a function names': status(
    409,
    message('deleteIntegrationConnection', 409, 'Integration connection "'),
    'the mock removes nothing that is in use',
  ),
};
