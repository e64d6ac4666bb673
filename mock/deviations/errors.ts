/** Deviations of the shape of errors, and input that causes a 500. */
import type { Context } from '../pipeline/context.ts';
import { statusIs } from './auth/conditions.ts';
import { all, on, onSurface, sent, when, whenQuery, type Condition } from './conditions.ts';
import { bodyOf, type Effect } from './deviation.ts';
import { across, type Table } from './table.ts';

type Body = Readonly<Record<string, unknown>>;

const management = onSurface('management');
const update = on('updateAgent');
const writeTree = on('writeTree');
const creates = on('createVpc', 'createFunction', 'createIntegrationConnection');

const refusal = (name: string, holds: (body: Body) => boolean): Condition =>
  when(name, (ctx) => (ctx.state.reply?.status ?? 0) >= 400 && holds((bodyOf(ctx) ?? {}) as Body));
const error = (form: RegExp): Condition =>
  refusal(`with error ${form.source}`, ({ error: name }) => form.test(String(name)));
/** By the message, or the sandbox's error. */
const message = (form: RegExp): Condition =>
  refusal(`with message ${form.source}`, ({ message: text, error: name }) => form.test(textIn(text ?? name)));
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const versionError = all(management, statusIs(400), error(/^invalid_api_version$/));
const noJson = all(writeTree, statusIs(400), error(/^The body cannot be read/));
const anonymous = when('without a credential', ({ headers }) => headers.authorization === undefined);
const deletion = on('deleteSandboxPreviewToken', 'deleteVolumeTemplateVersion');

/** Changes the body of a refusal. */
const change = (edit: (body: Body) => object): Effect => ({
  kind: 'change refusal',
  wrap: (app, applies) => async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (reply !== undefined && reply.status >= 400 && applies(ctx))
      ctx.state.reply = { ...reply, body: edit(bodyOf(ctx) as Body) };
  },
});
const set = (members: object): Effect => change((body) => ({ ...body, ...members }));
const omit = (member: string): Effect => set({ [member]: undefined });
const asMessage = change(({ error: text, ...body }) => ({ ...body, message: text }));

/** Sends a refusal as another media type. */
const sendAs = (type: string, body?: string): Effect => ({
  kind: 'change refusal',
  wrap: (app, applies) => async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (reply === undefined || reply.status < 400 || !applies(ctx)) return;
    ctx.state.reply = {
      ...reply,
      headers: { ...reply.headers, 'content-type': type },
      ...(body !== undefined && { body }),
    };
  },
});

const fail: Effect = {
  kind: 'fail',
  wrap: (app, applies) => async (ctx) => {
    await app(ctx);
    if (!applies(ctx)) return;
    const body = { error: 'internal_error', code: 500, message: 'Something went wrong.' };
    ctx.state.reply = { status: 500, body };
  },
};

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** By a header of the world's brand. */
const header = (name: 'workspace' | 'threadId', what: string, holds: (value: string) => boolean): Condition =>
  when(what, (ctx: Context) => holds(ctx.get(ctx.state.world.headers[name])));
const isNull = (path: string): Condition => sent(path, `for null as ${path}`, (value) => value === null);
const undecodable = (part: 'path' | 'querystring'): Condition =>
  when(`for a ${part} with invalid percent-encoding`, (ctx) => !isDecodable(ctx[part]));
const query = (form: RegExp): Condition => when(`for ${form.source}`, ({ querystring }) => form.test(querystring));

export const errorsDeviations: Table = {
  'errors.management.body-shape': {
    'omits error if an agent update cannot be read': [all(update, error(/^malformed_body$/)), omit('error')],
    // These two break the rules about the very error as well.
    'returns the code of an unknown agent as a string': [all(update, statusIs(404)), set({ code: '404' })],
    'omits error for volumes that it refuses': [
      all(
        update,
        statusIs(400),
        sent('spec.volumes[]', 'with volumes', (first) => first !== undefined),
      ),
      omit('error'),
    ],
    'returns the messages of an invalid agent as a list': [
      all(update, statusIs(400), error(/^invalid_request$/)),
      change((body) => ({ ...body, message: [body['message']] })),
    ],
    // The rules about these callers look for the message too.
    'omits the message of denied metrics': [all(on('getAccountMetrics'), statusIs(403)), omit('message')],
  },

  'errors.management.code-is-the-status': {
    ...across([all(on('getIntegration'), statusIs(404)), all(update, statusIs(404)), all(management, statusIs(409))], {
      'returns code 400': set({ code: 400 }),
    }),
    'returns code 200 for invalid metrics parameters': [
      all(
        on('getAccountMetrics'),
        statusIs(400),
        refusal('with a code', (body) => 'code' in body),
      ),
      set({ code: 200 }),
    ],
    'returns code 403 for a missing credential': [all(management, statusIs(401)), set({ code: 403 })],
  },

  'errors.version.body-shape': {
    ...across([anonymous, deletion], { 'omits the message about an unknown version': [versionError, omit('message')] }),
    // A message that is no text names nothing either.
    'returns an object as message about an unknown version': [
      versionError,
      change((body) => ({ ...body, message: { text: body['message'] } })),
    ],
    // What is refused with another error is refused wrongly as well.
    'returns an object as error about an unknown version': [
      versionError,
      change((body) => ({ ...body, error: { name: body['error'] } })),
    ],
  },

  'errors.sandbox.body-shape': {
    ...across(
      [
        all(on('listMultipartUploads'), statusIs(401)),
        all(writeTree, statusIs(400), error(/expected a directory/)),
        noJson,
        all(writeTree, statusIs(415)),
        all(on('watchDirectory'), statusIs(401)),
        all(on('watchDirectory'), statusIs(400, 404)),
      ],
      { 'returns message instead of error': asMessage },
    ),
    'returns an object as error for a missing directory': [
      all(on('readTree'), statusIs(404)),
      change(({ error: text }) => ({ error: { message: text } })),
    ],
  },

  'errors.management.is-json': {
    ...across(
      [
        all(update, statusIs(404)),
        versionError,
        all(on('getAccountMetrics'), statusIs(403)),
        all(on('listMultipartUploads'), statusIs(401)),
        noJson,
        all(writeTree, statusIs(415)),
      ],
      { 'sends errors as text/plain': sendAs('text/plain; charset=utf-8') },
    ),
    // The body of this error is empty.
    'sends an HTML page for an unknown agent': [all(update, statusIs(404)), sendAs('text/html', '<h1>Not found</h1>')],
  },

  'errors.robustness.never-5xx': across(
    [
      message(/^The body cannot be read: it is not JSON/),
      all(on('createFunction'), message(/it is empty/)),
      message(/nested deeper/),
      statusIs(415),
      message(/not UTF-8/),
      statusIs(413),
      undecodable('path'),
      undecodable('querystring'),
      query(/limit=9{30}/),
      query(/resourceName=%00/),
      when('for a bearer of three parts', ({ headers }) => /^bearer a\.b\.c$/i.test(headers.authorization ?? '')),
      header('workspace', 'for a workspace of more than 1000 characters', ({ length }) => length > 1000),
      sent(
        'spec.triggers',
        'for null in the list of triggers',
        (triggers) => Array.isArray(triggers) && triggers.includes(null),
      ),
      isNull('metadata'),
      all(on('createIntegrationConnection'), isNull('spec')),
      all(on('watchDirectory'), statusIs(404)),
      all(
        creates,
        header('workspace', 'in an unknown workspace', (name) => name.startsWith('assay-')),
      ),
      all(
        on('queryAgent'),
        header('threadId', 'for a thread of more than 1000 characters', ({ length }) => length > 1000),
      ),
      when('if only XML is accepted', (ctx) => ctx.get('accept') === 'application/xml'),
      whenQuery('for a repeated groupBy', (sentQuery) => sentQuery.getAll('groupBy').length > 1),
      when('for an integration named __proto__', ({ path }) => path.endsWith('/integrations/__proto__')),
    ],
    { 'returns 500': fail },
  ),
};
