/** Deviations of the shape of errors, and input that causes a 500. */
import { operationsLabel } from './conditions.ts';
import { deviationsOf } from './table.ts';
import { operations } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Context } from '../pipeline/context.ts';
import type { Reply } from '../http/reply.ts';
import { bodyOf, isFor, type App, type Deviation, type Deviations } from './deviation.ts';

type Body = { [member: string]: unknown };

const managementIds = operations.filter(({ surface }) => surface === 'management').map(({ id }) => id);
const creates: readonly OperationId[] = ['createVpc', 'createFunction', 'createIntegrationConnection'];
const agentUpdate: readonly OperationId[] = ['updateAgent'];

export const errorsDeviations: Deviations = deviationsOf({
  'errors.management.body-shape': {
    '': onError('Omits error if an agent update cannot be read', agentUpdate, [400], ({ error, ...body }) =>
      error === 'malformed_body' ? body : { error, ...body },
    ),
    // These two break the rules about the very error as well.
    'code-as-text': onError('Returns the code of an unknown agent as a string', agentUpdate, [404], (body) => ({
      ...body,
      code: String(body['code']),
    })),
    volumes: onError('Omits error for volumes that it refuses', agentUpdate, [400], ({ error, ...body }, ctx) =>
      hasVolumes(ctx.state.body) ? body : { error, ...body },
    ),
    'message-as-list': onError('Returns the messages of an invalid agent as a list', agentUpdate, [400], (body) =>
      body['error'] === 'invalid_request' ? { ...body, message: [body['message']] } : body,
    ),
    // The rules about these callers look for the message too.
    metrics: onError(
      'Omits the message of denied metrics',
      ['getAccountMetrics'],
      [403],
      ({ message: _message, ...body }) => body,
    ),
  },

  'errors.management.code-is-the-status': {
    '': onError('Returns code 400 for an unknown integration', ['getIntegration'], [404], (body) => ({
      ...body,
      code: 400,
    })),
    'agent-update': onError('Returns code 400 for an unknown agent', agentUpdate, [404], (body) => ({
      ...body,
      code: 400,
    })),
    metrics: onError('Returns code 200 for invalid metrics parameters', ['getAccountMetrics'], [400], (body) =>
      'code' in body ? { ...body, code: 200 } : body,
    ),
    credential: onError('Returns code 403 for a missing credential', managementIds, [401], (body) => ({
      ...body,
      code: 403,
    })),
    taken: onError('Returns code 400 for an existing name', managementIds, [409], (body) => ({
      ...body,
      code: 400,
    })),
  },

  'errors.version.body-shape': {
    '': onError(
      'Omits the message about an unknown version if there is no credential',
      managementIds,
      [400],
      ({ message, ...body }, ctx) =>
        isVersionError(body) && ctx.headers.authorization === undefined ? body : { ...body, message },
    ),
    deletion: onError(
      'Omits the message about an unknown version for deletions',
      ['deleteSandboxPreviewToken', 'deleteVolumeTemplateVersion'],
      [400],
      ({ message, ...body }) => (isVersionError(body) ? body : { ...body, message }),
    ),
    // A message that is no text names nothing either.
    'message-as-object': onError(
      'Returns an object as message about an unknown version',
      managementIds,
      [400],
      (body) => (isVersionError(body) ? { ...body, message: { text: body['message'] } } : body),
    ),
    // What is refused with another error is refused wrongly as well.
    'error-as-object': onError('Returns an object as error about an unknown version', managementIds, [400], (body) =>
      isVersionError(body) ? { ...body, error: { name: body['error'] } } : body,
    ),
  },

  'errors.sandbox.body-shape': {
    '': onError(
      'Returns message instead of error for upload lists without a credential',
      ['listMultipartUploads'],
      [401],
      asMessage,
    ),
    'missing-directory': onError(
      'Returns an object as error for a missing directory',
      ['readTree'],
      [404],
      ({ error }) => ({
        error: { message: error },
      }),
    ),
    'in-the-way': onError(
      'Returns message instead of error if a file blocks a directory',
      ['writeTree'],
      [400],
      (body) => (String(body['error']).includes('expected a directory') ? asMessage(body) : body),
    ),
    'no-json': onError(
      'Returns message instead of error for a tree write that is not JSON',
      ['writeTree'],
      [400],
      (body) => (isUnreadable(body) ? asMessage(body) : body),
    ),
    'media-type': onError(
      'Returns message instead of error for a tree write of another media type',
      ['writeTree'],
      [415],
      asMessage,
    ),
    watch: onError(
      'Returns message instead of error for a watch without a credential',
      ['watchDirectory'],
      [401],
      asMessage,
    ),
    'watch-nothing': onError(
      'Returns message instead of error for a watch of a missing directory',
      ['watchDirectory'],
      [400, 404],
      asMessage,
    ),
  },

  'errors.management.is-json': {
    '': asText('Sends the error of an unknown agent as text/plain', agentUpdate, 404),
    version: only(isVersionError, asText('Sends the refusal of a version as text/plain', managementIds, 400)),
    metrics: asText('Sends the error of denied metrics as text/plain', ['getAccountMetrics'], 403),
    uploads: asText('Sends the sandbox error of uploads as text/plain', ['listMultipartUploads'], 401),
    'no-json': only(isUnreadable, asText('Sends the sandbox error of invalid JSON as text/plain', ['writeTree'], 400)),
    'media-type': asText('Sends the sandbox error of another media type as text/plain', ['writeTree'], 415),
    // The body of this error is empty.
    page: asPage('Sends an HTML page for an unknown agent', agentUpdate, 404),
  },

  'errors.robustness.never-5xx': {
    '': failsAfter('Returns 500 for a body that is not JSON', (body) =>
      messageOf(body).startsWith('The body cannot be read: it is not JSON'),
    ),
    'one-operation': failsAfter(
      'Returns 500 for an empty body of a new function',
      (body, ctx) => isFor(ctx, ['createFunction']) && /it is empty/.test(messageOf(body)),
    ),
    deep: failsAfter('Returns 500 for a deeply nested body', (body) => /nested deeper/.test(messageOf(body))),
    'media-type': failsAfter('Returns 500 for an unknown media type', (_, ctx) => ctx.state.reply?.status === 415),
    bytes: failsAfter('Returns 500 for a body that is not UTF-8', (body) => /not UTF-8/.test(messageOf(body))),
    huge: failsAfter('Returns 500 for a body that is too large', (_, ctx) => ctx.state.reply?.status === 413),
    path: failsAfter('Returns 500 for a path with invalid percent-encoding', (_, ctx) => !isDecodable(ctx.path)),
    query: failsAfter(
      'Returns 500 for a query with invalid percent-encoding',
      (_, ctx) => !isDecodable(ctx.querystring),
    ),
    parameter: failsAfter('Returns 500 for a limit beyond 64 bits', (_, ctx) => /limit=9{30}/.test(ctx.querystring)),
    'zero-character': failsAfter('Returns 500 for a zero character in resourceName', (_, ctx) =>
      /resourceName=%00/.test(ctx.querystring),
    ),
    token: failsAfter('Returns 500 for a bearer of three parts that are not JSON', (_, ctx) =>
      /^bearer a\.b\.c$/i.test(ctx.headers.authorization ?? ''),
    ),
    workspace: failsAfter(
      'Returns 500 for a workspace header of more than 1000 characters',
      (_, ctx) => ctx.get(ctx.state.world.headers.workspace).length > 1000,
    ),
    'null-in-list': failsAfter('Returns 500 for null in the list of triggers', (_, ctx) =>
      hasNullTrigger(ctx.state.body),
    ),
    'null-metadata': failsAfter('Returns 500 for null as metadata', (_, ctx) => isNull(ctx.state.body, 'metadata')),
    'null-spec': failsAfter(
      'Returns 500 for null as the spec of a connection',
      (_, ctx) => isFor(ctx, ['createIntegrationConnection']) && isNull(ctx.state.body, 'spec'),
    ),
    'watch-nothing': failsAfter(
      'Returns 500 for a watch of a missing directory',
      (body, ctx) => body !== undefined && isFor(ctx, ['watchDirectory']) && ctx.state.reply?.status === 404,
    ),
    'unknown-workspace': failsAfter(
      'Returns 500 for a create in an unknown workspace',
      (_, ctx) => isFor(ctx, creates) && ctx.get(ctx.state.world.headers.workspace) === 'assay-none',
    ),
    'long-thread': failsAfter(
      'Returns 500 for a thread id of more than 1000 characters',
      (_, ctx) => isFor(ctx, ['queryAgent']) && ctx.get(ctx.state.world.headers.threadId).length > 1000,
    ),
    accept: failsAfter('Returns 500 if only XML is accepted', (_, ctx) => ctx.get('accept') === 'application/xml'),
    repeated: failsAfter('Returns 500 for a repeated groupBy', (_, { query }) => Array.isArray(query['groupBy'])),
    prototype: failsAfter('Returns 500 for an integration named __proto__', (_, ctx) =>
      ctx.path.endsWith('/integrations/__proto__'),
    ),
  },
});

function isVersionError(body: Body): boolean {
  return body['error'] === 'invalid_api_version';
}

/** The sandbox's. */
function isUnreadable(body: Body): boolean {
  return String(body['error']).startsWith('The body cannot be read');
}

function asMessage({ error, ...body }: Body): Body {
  return { ...body, message: error };
}

function messageOf(body: Body | undefined): string {
  const message = body?.['message'] ?? body?.['error'];
  return typeof message === 'string' ? message : '';
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const isNull = (body: unknown, part: string): boolean => (body as Body | null | undefined)?.[part] === null;

function hasVolumes(body: unknown): boolean {
  const { spec } = (body ?? {}) as { spec?: { volumes?: unknown } | null };
  return Array.isArray(spec?.volumes) && spec.volumes.length > 0;
}

function hasNullTrigger(body: unknown): boolean {
  const { spec } = (body ?? {}) as { spec?: { triggers?: unknown } | null };
  return Array.isArray(spec?.triggers) && spec.triggers.includes(null);
}

/** Runs the app, then puts another reply in the place of the one it gave; undefined leaves it. */
function replacing(what: string, edit: (reply: Reply, ctx: Context) => Reply | undefined): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (reply !== undefined && reply.status >= 400) ctx.state.reply = edit(reply, ctx) ?? reply;
    };
  return { what, effect: 'change refusal', wrap };
}

function onError(
  what: string,
  ids: readonly OperationId[],
  statuses: readonly number[],
  edit: (body: Body, ctx: Context) => Body,
): Deviation {
  const deviation = replacing(what, (reply, ctx) =>
    statuses.includes(reply.status) && isFor(ctx, ids) ? { ...reply, body: edit(bodyOf(ctx) as Body, ctx) } : undefined,
  );
  return { ...deviation, condition: `${operationsLabel(ids)} and status ${statuses.join(', ')}` };
}

function asText(what: string, ids: readonly OperationId[], status: number): Deviation {
  return replacing(what, (reply, ctx) => {
    if (reply.status !== status || !isFor(ctx, ids)) return undefined;
    return { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain; charset=utf-8' } };
  });
}

/** Only for status 400 with such a body. */
function only(isOne: (body: Body) => boolean, deviation: Deviation): Deviation {
  const wrapped =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (ctx.state.reply?.status === 400 && isOne(bodyOf(ctx) as Body)) await deviation.wrap(async () => {})(ctx);
    };
  return { ...deviation, wrap: wrapped };
}

function asPage(what: string, ids: readonly OperationId[], status: number): Deviation {
  return replacing(what, (reply, ctx) => {
    if (reply.status !== status || !isFor(ctx, ids)) return undefined;
    return { ...reply, body: '<h1>Not found</h1>', headers: { ...reply.headers, 'content-type': 'text/html' } };
  });
}

/** Returns 500 instead of a refusal. */
function failsAfter(what: string, concerns: (body: Body | undefined, ctx: Context) => boolean): Deviation {
  const body = { error: 'internal_error', code: 500, message: 'Something went wrong.' };
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const refused = (ctx.state.reply?.status ?? 0) >= 400;
      if (concerns(refused ? (bodyOf(ctx) as Body) : undefined, ctx)) ctx.state.reply = { status: 500, body };
    };
  return { what, effect: 'fail', wrap };
}
