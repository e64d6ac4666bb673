/** Deviations of redirects of the authorization endpoint. */
import { deviationsOf } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { repliesWith, runWith, isFor, type App, type Deviation, type Deviations } from '../deviation.ts';

interface RequestedUri {
  /** The unregistered redirect URI of the request. */
  readonly uri: string;
  readonly registered: string;
  readonly query: URLSearchParams;
}

/** Undefined for other requests, and if the requested URI is registered. */
function requestedUri(ctx: Context): RequestedUri | undefined {
  const { world } = ctx.state;
  if (!isFor(ctx, ['authorize'])) return undefined;
  const query = new URLSearchParams(ctx.querystring);
  const uri = query.getAll('redirect_uri').at(-1);
  const registered = world.clients.get(world.target.client ?? '')?.redirectUris[0];
  return uri === undefined || registered === undefined || uri === registered ? undefined : { uri, registered, query };
}

/** Treats the requested URI as registered, and redirects to it. */
function sendsTo(what: string, concerns: (request: RequestedUri, ctx: Context) => boolean): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const request = requestedUri(ctx);
      if (request === undefined || !concerns(request, ctx)) return app(ctx);
      await runWith(app, ctx, (query) => {
        query.set('redirect_uri', request.registered);
        query.set('client_id', ctx.state.world.target.client ?? '');
      });
      sendOn(ctx, request);
    };
  return { what, effect: 'redirect elsewhere', condition: 'authorize', wrap };
}

function sendOn(ctx: Context, { uri, registered }: RequestedUri): void {
  const { reply } = ctx.state;
  const location = reply?.headers?.['location'];
  if (reply === undefined || location === undefined) return;
  ctx.state.reply = { ...reply, headers: { ...reply.headers, location: location.replace(registered, () => uri) } };
}

/** Refuses with a page that automatically redirects to the requested URI. */
const refreshes: Deviation = {
  what: 'Refuses an unregistered address with a page that redirects there',
  effect: 'redirect elsewhere',
  condition: 'authorize',
  wrap: (app) => async (ctx) => {
    await app(ctx);
    const request = requestedUri(ctx);
    if (request === undefined || ctx.state.reply?.status !== 400) return;
    const body = `<meta http-equiv="refresh" content="0; url=${request.uri.replaceAll('"', '')}">`;
    ctx.state.reply = { status: 400, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
  },
};

/** Changes the parameters of a redirect that returns a state. */
function changesState(what: string, edit: (state: string, parameters: URLSearchParams) => void): Deviation {
  const deviation = repliesWith(what, (reply, ctx) => {
    const location = isFor(ctx, ['authorize']) ? URL.parse(reply.headers?.['location'] ?? '') : null;
    const state = location?.searchParams.get('state');
    if (!location || typeof state !== 'string') return undefined;
    edit(state, location.searchParams);
    return { ...reply, headers: { ...reply.headers, location: location.href } };
  });
  return { ...deviation, effect: 'change redirect', condition: 'authorize' };
}

/** Refuses authorization requests that the mock accepts. */
function refusesQuery(what: string, concerns: (query: URLSearchParams) => boolean): Deviation {
  const deviation = repliesWith(what, (_, ctx) =>
    isFor(ctx, ['authorize']) && concerns(new URLSearchParams(ctx.querystring))
      ? { status: 400, headers: { 'content-type': 'text/plain' }, body: 'Bad request' }
      : undefined,
  );
  return { ...deviation, condition: 'authorize' };
}

/** Treats another response type as code. */
function takesResponseType(what: string, concerns: (type: string | null) => boolean): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const type = new URLSearchParams(ctx.querystring).get('response_type');
      if (!isFor(ctx, ['authorize']) || type === 'code' || !concerns(type)) return app(ctx);
      await runWith(app, ctx, (query) => query.set('response_type', 'code'));
    };
  return { what, effect: 'accept another value', condition: 'authorize', wrap };
}

export const authorizeDeviations: Deviations = deviationsOf({
  'oauth.authorize.no-open-redirect': {
    '': sendsTo('Sends a code to any address', ({ query }) => query.get('response_type') === 'code'),
    errors: sendsTo(
      'Sends errors about the response type to any address',
      ({ query }) => query.get('response_type') === 'assay',
    ),
    beginning: sendsTo('Accepts a registered address with characters appended', ({ uri, registered }) =>
      uri.startsWith(registered),
    ),
    shorter: sendsTo(
      'Accepts the beginning of a registered address',
      ({ uri, registered }) => uri.length > 'https://'.length && registered.startsWith(uri),
    ),
    'letter-case': sendsTo(
      'Accepts a registered address in any letter case',
      ({ uri, registered }) => uri.toLowerCase() === registered.toLowerCase(),
    ),
    'any-path': sendsTo(
      'Accepts every path of a registered host',
      ({ uri, registered }) => URL.parse(uri)?.origin === new URL(registered).origin,
    ),
    slash: sendsTo(
      'Ignores a slash at the end of an address',
      ({ uri, registered }) => uri.replace(/\/$/, '') === registered.replace(/\/$/, ''),
    ),
    host: sendsTo(
      'Accepts a host that starts with the registered one',
      ({ uri, registered }) => URL.parse(uri)?.hostname.startsWith(`${new URL(registered).hostname}.`) ?? false,
    ),
    user: sendsTo('Reads a user name as the host', ({ uri }) => uri.includes('@')),
    backslash: sendsTo(
      'Reads a backslash as part of a user name',
      ({ uri, registered }) => uri.includes('\\@') && uri.endsWith(new URL(registered).pathname),
    ),
    path: sendsTo(
      'Compares only the path of an address',
      ({ uri, registered }) => URL.parse(uri)?.pathname === new URL(registered).pathname,
    ),
    scheme: sendsTo(
      'Ignores the scheme of an address',
      ({ uri, registered }) => uri.replace(/^[a-z]+:/, '') === registered.replace(/^[a-z]+:/, ''),
    ),
    repeated: sendsTo(
      'Checks the first of two addresses but uses the last',
      ({ query }) => query.getAll('redirect_uri').length > 1,
    ),
    'unknown-client': sendsTo(
      'Sends errors about an unknown client to any address',
      ({ query }, { state: { world } }) => !world.clients.has(query.get('client_id') ?? ''),
    ),
    refresh: refreshes,
  },

  'oauth.authorize.state-returned': {
    '': changesState('Omits the state from a redirect', (_, parameters) => parameters.delete('state')),
    spaces: changesState('Returns spaces of the state as plus signs', (state, parameters) =>
      parameters.set('state', state.replaceAll(' ', '+')),
    ),
    decoded: changesState('Decodes the state twice', (state, parameters) =>
      parameters.set('state', state.replaceAll('%20', ' ')),
    ),
    trimmed: changesState('Trims the state', (state, parameters) => parameters.set('state', state.trim())),
    'letter-case': changesState('Returns the state in lower case', (state, parameters) =>
      parameters.set('state', state.toLowerCase()),
    ),
    long: changesState('Truncates the state to 255 characters', (state, parameters) =>
      parameters.set('state', state.slice(0, 255)),
    ),
    errors: changesState('Omits the state from errors', (_, parameters) => {
      if (parameters.has('error')) parameters.delete('state');
    }),
    fragment: changesState('Cuts the state at a number sign', (state, parameters) =>
      parameters.set('state', state.replace(/#.*/, '')),
    ),
  },

  'oauth.authorize.other-parameters-ignored': {
    '': refusesQuery('Refuses unknown parameters of an authorization request', (query) => query.has('assay_unknown')),
    special: refusesQuery('Fails on a parameter named constructor', (query) => query.has('constructor')),
    empty: refusesQuery('Refuses an empty state', (query) => query.get('state') === ''),
  },

  'oauth.authorize.response-type-known': {
    '': takesResponseType('Issues a code for any response_type', () => true),
    missing: takesResponseType('Issues a code without a response_type', (type) => type === null),
    'letter-case': takesResponseType(
      'Accepts response_type in any letter case',
      (type) => type?.toLowerCase() === 'code',
    ),
    beginning: takesResponseType(
      'Accepts a response_type that starts with code',
      (type) => type?.startsWith('code') === true,
    ),
  },
});
