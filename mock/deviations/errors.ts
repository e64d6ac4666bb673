/** Deviations of the shape of errors, and input that causes a 500. */
import { bodyOf, isFor, type App, type Fault } from './deviation.ts';
import type { Table } from './table.ts';
import { operationsLabel } from './conditions.ts';
import { operations } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Context } from '../pipeline/context.ts';
import type { Reply } from '../http/reply.ts';

type Body = { [member: string]: unknown };

const managementIds = operations.filter(({ surface }) => surface === 'management').map(({ id }) => id);
const creates: readonly OperationId[] = ['createVpc', 'createFunction', 'createIntegrationConnection'];
const agentUpdate: readonly OperationId[] = ['updateAgent'];

export const errorsDeviations: Table = {
  'errors.management.body-shape': {
    'omits error if an agent update cannot be read': onError(agentUpdate, [400], ({ error, ...body }) =>
      error === 'malformed_body' ? body : { error, ...body },
    ),
    // These two break the rules about the very error as well.
    'returns the code of an unknown agent as a string': onError(agentUpdate, [404], (body) => ({
      ...body,
      code: String(body['code']),
    })),
    'omits error for volumes that it refuses': onError(agentUpdate, [400], ({ error, ...body }, ctx) =>
      hasVolumes(ctx.state.body) ? body : { error, ...body },
    ),
    'returns the messages of an invalid agent as a list': onError(agentUpdate, [400], (body) =>
      body['error'] === 'invalid_request' ? { ...body, message: [body['message']] } : body,
    ),
    // The rules about these callers look for the message too.
    'omits the message of denied metrics': onError(
      ['getAccountMetrics'],
      [403],
      ({ message: _message, ...body }) => body,
    ),
  },

  'errors.management.code-is-the-status': {
    'returns code 400 for an unknown integration': onError(['getIntegration'], [404], (body) => ({
      ...body,
      code: 400,
    })),
    'returns code 400 for an unknown agent': onError(agentUpdate, [404], (body) => ({
      ...body,
      code: 400,
    })),
    'returns code 200 for invalid metrics parameters': onError(['getAccountMetrics'], [400], (body) =>
      'code' in body ? { ...body, code: 200 } : body,
    ),
    'returns code 403 for a missing credential': onError(managementIds, [401], (body) => ({
      ...body,
      code: 403,
    })),
    'returns code 400 for an existing name': onError(managementIds, [409], (body) => ({
      ...body,
      code: 400,
    })),
  },

  'errors.version.body-shape': {
    'omits the message about an unknown version if there is no credential': onError(
      managementIds,
      [400],
      ({ message, ...body }, ctx) =>
        isVersionError(body) && ctx.headers.authorization === undefined ? body : { ...body, message },
    ),
    'omits the message about an unknown version for deletions': onError(
      ['deleteSandboxPreviewToken', 'deleteVolumeTemplateVersion'],
      [400],
      ({ message, ...body }) => (isVersionError(body) ? body : { ...body, message }),
    ),
    // A message that is no text names nothing either.
    'returns an object as message about an unknown version': onError(managementIds, [400], (body) =>
      isVersionError(body) ? { ...body, message: { text: body['message'] } } : body,
    ),
    // What is refused with another error is refused wrongly as well.
    'returns an object as error about an unknown version': onError(managementIds, [400], (body) =>
      isVersionError(body) ? { ...body, error: { name: body['error'] } } : body,
    ),
  },

  'errors.sandbox.body-shape': {
    'returns message instead of error for upload lists without a credential': onError(
      ['listMultipartUploads'],
      [401],
      asMessage,
    ),
    'returns an object as error for a missing directory': onError(['readTree'], [404], ({ error }) => ({
      error: { message: error },
    })),
    'returns message instead of error if a file blocks a directory': onError(['writeTree'], [400], (body) =>
      String(body['error']).includes('expected a directory') ? asMessage(body) : body,
    ),
    'returns message instead of error for a tree write that is not JSON': onError(['writeTree'], [400], (body) =>
      isUnreadable(body) ? asMessage(body) : body,
    ),
    'returns message instead of error for a tree write of another media type': onError(['writeTree'], [415], asMessage),
    'returns message instead of error for a watch without a credential': onError(['watchDirectory'], [401], asMessage),
    'returns message instead of error for a watch of a missing directory': onError(
      ['watchDirectory'],
      [400, 404],
      asMessage,
    ),
  },

  'errors.management.is-json': {
    'sends the error of an unknown agent as text/plain': asText(agentUpdate, 404),
    'sends the refusal of a version as text/plain': only(isVersionError, asText(managementIds, 400)),
    'sends the error of denied metrics as text/plain': asText(['getAccountMetrics'], 403),
    'sends the sandbox error of uploads as text/plain': asText(['listMultipartUploads'], 401),
    'sends the sandbox error of invalid JSON as text/plain': only(isUnreadable, asText(['writeTree'], 400)),
    'sends the sandbox error of another media type as text/plain': asText(['writeTree'], 415),
    // The body of this error is empty.
    'sends an HTML page for an unknown agent': asPage(agentUpdate, 404),
  },

  'errors.robustness.never-5xx': {
    'returns 500 for a body that is not JSON': failsAfter((body) =>
      messageOf(body).startsWith('The body cannot be read: it is not JSON'),
    ),
    'returns 500 for an empty body of a new function': failsAfter(
      (body, ctx) => isFor(ctx, ['createFunction']) && /it is empty/.test(messageOf(body)),
    ),
    'returns 500 for a deeply nested body': failsAfter((body) => /nested deeper/.test(messageOf(body))),
    'returns 500 for an unknown media type': failsAfter((_, ctx) => ctx.state.reply?.status === 415),
    'returns 500 for a body that is not UTF-8': failsAfter((body) => /not UTF-8/.test(messageOf(body))),
    'returns 500 for a body that is too large': failsAfter((_, ctx) => ctx.state.reply?.status === 413),
    'returns 500 for a path with invalid percent-encoding': failsAfter((_, ctx) => !isDecodable(ctx.path)),
    'returns 500 for a query with invalid percent-encoding': failsAfter((_, ctx) => !isDecodable(ctx.querystring)),
    'returns 500 for a limit beyond 64 bits': failsAfter((_, ctx) => /limit=9{30}/.test(ctx.querystring)),
    'returns 500 for a zero character in resourceName': failsAfter((_, ctx) =>
      /resourceName=%00/.test(ctx.querystring),
    ),
    'returns 500 for a bearer of three parts that are not JSON': failsAfter((_, ctx) =>
      /^bearer a\.b\.c$/i.test(ctx.headers.authorization ?? ''),
    ),
    'returns 500 for a workspace header of more than 1000 characters': failsAfter(
      (_, ctx) => ctx.get(ctx.state.world.headers.workspace).length > 1000,
    ),
    'returns 500 for null in the list of triggers': failsAfter((_, ctx) => hasNullTrigger(ctx.state.body)),
    'returns 500 for null as metadata': failsAfter((_, ctx) => isNull(ctx.state.body, 'metadata')),
    'returns 500 for null as the spec of a connection': failsAfter(
      (_, ctx) => isFor(ctx, ['createIntegrationConnection']) && isNull(ctx.state.body, 'spec'),
    ),
    'returns 500 for a watch of a missing directory': failsAfter(
      (body, ctx) => body !== undefined && isFor(ctx, ['watchDirectory']) && ctx.state.reply?.status === 404,
    ),
    'returns 500 for a create in an unknown workspace': failsAfter(
      (_, ctx) => isFor(ctx, creates) && ctx.get(ctx.state.world.headers.workspace) === 'assay-none',
    ),
    'returns 500 for a thread id of more than 1000 characters': failsAfter(
      (_, ctx) => isFor(ctx, ['queryAgent']) && ctx.get(ctx.state.world.headers.threadId).length > 1000,
    ),
    'returns 500 if only XML is accepted': failsAfter((_, ctx) => ctx.get('accept') === 'application/xml'),
    'returns 500 for a repeated groupBy': failsAfter((_, { query }) => Array.isArray(query['groupBy'])),
    'returns 500 for an integration named __proto__': failsAfter((_, ctx) =>
      ctx.path.endsWith('/integrations/__proto__'),
    ),
  },
};

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
function replacing(edit: (reply: Reply, ctx: Context) => Reply | undefined): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (reply !== undefined && reply.status >= 400) ctx.state.reply = edit(reply, ctx) ?? reply;
    };
  return { kind: 'change refusal', wrap };
}

function onError(
  ids: readonly OperationId[],
  statuses: readonly number[],
  edit: (body: Body, ctx: Context) => Body,
): Fault {
  const deviation = replacing((reply, ctx) =>
    statuses.includes(reply.status) && isFor(ctx, ids) ? { ...reply, body: edit(bodyOf(ctx) as Body, ctx) } : undefined,
  );
  return { ...deviation, condition: `${operationsLabel(ids)} and status ${statuses.join(', ')}` };
}

function asText(ids: readonly OperationId[], status: number): Fault {
  return replacing((reply, ctx) => {
    if (reply.status !== status || !isFor(ctx, ids)) return undefined;
    return { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain; charset=utf-8' } };
  });
}

/** Only for status 400 with such a body. */
function only(isOne: (body: Body) => boolean, deviation: Fault): Fault {
  const wrapped =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (ctx.state.reply?.status === 400 && isOne(bodyOf(ctx) as Body)) await deviation.wrap(async () => {})(ctx);
    };
  return { ...deviation, wrap: wrapped };
}

function asPage(ids: readonly OperationId[], status: number): Fault {
  return replacing((reply, ctx) => {
    if (reply.status !== status || !isFor(ctx, ids)) return undefined;
    return { ...reply, body: '<h1>Not found</h1>', headers: { ...reply.headers, 'content-type': 'text/html' } };
  });
}

/** Returns 500 instead of a refusal. */
function failsAfter(concerns: (body: Body | undefined, ctx: Context) => boolean): Fault {
  const body = { error: 'internal_error', code: 500, message: 'Something went wrong.' };
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const refused = (ctx.state.reply?.status ?? 0) >= 400;
      if (concerns(refused ? (bodyOf(ctx) as Body) : undefined, ctx)) ctx.state.reply = { status: 500, body };
    };
  return { kind: 'fail', wrap };
}
