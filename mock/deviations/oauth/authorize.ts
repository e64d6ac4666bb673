/** Deviations of redirects of the authorization endpoint. */
import { runWith, isFor, repliesWith, type App, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';

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
function sendsTo(concerns: (request: RequestedUri, ctx: Context) => boolean): Fault {
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
  return { kind: 'redirect elsewhere', condition: 'authorize', wrap };
}

function sendOn(ctx: Context, { uri, registered }: RequestedUri): void {
  const { reply } = ctx.state;
  const location = reply?.headers?.['location'];
  if (reply === undefined || location === undefined) return;
  ctx.state.reply = { ...reply, headers: { ...reply.headers, location: location.replace(registered, () => uri) } };
}

/** Refuses with a page that automatically redirects to the requested URI. */
const refreshes: Fault = {
  kind: 'redirect elsewhere',
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
function changesState(edit: (state: string, parameters: URLSearchParams) => void): Fault {
  const deviation = repliesWith((reply, ctx) => {
    const location = isFor(ctx, ['authorize']) ? URL.parse(reply.headers?.['location'] ?? '') : null;
    const state = location?.searchParams.get('state');
    if (!location || typeof state !== 'string') return undefined;
    edit(state, location.searchParams);
    return { ...reply, headers: { ...reply.headers, location: location.href } };
  });
  return { ...deviation, kind: 'change redirect', condition: 'authorize' };
}

/** Refuses authorization requests that the mock accepts. */
function refusesQuery(concerns: (query: URLSearchParams) => boolean): Fault {
  const deviation = repliesWith((_, ctx) =>
    isFor(ctx, ['authorize']) && concerns(new URLSearchParams(ctx.querystring))
      ? { status: 400, headers: { 'content-type': 'text/plain' }, body: 'Bad request' }
      : undefined,
  );
  return { ...deviation, condition: 'authorize' };
}

/** Treats another response type as code. */
function takesResponseType(concerns: (type: string | null) => boolean): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const type = new URLSearchParams(ctx.querystring).get('response_type');
      if (!isFor(ctx, ['authorize']) || type === 'code' || !concerns(type)) return app(ctx);
      await runWith(app, ctx, (query) => query.set('response_type', 'code'));
    };
  return { kind: 'accept another value', condition: 'authorize', wrap };
}

export const authorizeDeviations: Table = {
  'oauth.authorize.no-open-redirect': {
    'sends a code to any address': sendsTo(({ query }) => query.get('response_type') === 'code'),
    'sends errors about the response type to any address': sendsTo(
      ({ query }) => query.get('response_type') === 'assay',
    ),
    'accepts a registered address with characters appended': sendsTo(({ uri, registered }) =>
      uri.startsWith(registered),
    ),
    'accepts the beginning of a registered address': sendsTo(
      ({ uri, registered }) => uri.length > 'https://'.length && registered.startsWith(uri),
    ),
    'accepts a registered address in any letter case': sendsTo(
      ({ uri, registered }) => uri.toLowerCase() === registered.toLowerCase(),
    ),
    'accepts every path of a registered host': sendsTo(
      ({ uri, registered }) => URL.parse(uri)?.origin === new URL(registered).origin,
    ),
    'ignores a slash at the end of an address': sendsTo(
      ({ uri, registered }) => uri.replace(/\/$/, '') === registered.replace(/\/$/, ''),
    ),
    'accepts a host that starts with the registered one': sendsTo(
      ({ uri, registered }) => URL.parse(uri)?.hostname.startsWith(`${new URL(registered).hostname}.`) ?? false,
    ),
    'reads a user name as the host': sendsTo(({ uri }) => uri.includes('@')),
    'reads a backslash as part of a user name': sendsTo(
      ({ uri, registered }) => uri.includes('\\@') && uri.endsWith(new URL(registered).pathname),
    ),
    'compares only the path of an address': sendsTo(
      ({ uri, registered }) => URL.parse(uri)?.pathname === new URL(registered).pathname,
    ),
    'ignores the scheme of an address': sendsTo(
      ({ uri, registered }) => uri.replace(/^[a-z]+:/, '') === registered.replace(/^[a-z]+:/, ''),
    ),
    'checks the first of two addresses but uses the last': sendsTo(
      ({ query }) => query.getAll('redirect_uri').length > 1,
    ),
    'sends errors about an unknown client to any address': sendsTo(
      ({ query }, { state: { world } }) => !world.clients.has(query.get('client_id') ?? ''),
    ),
    'refuses an unregistered address with a page that redirects there': refreshes,
  },

  'oauth.authorize.state-returned': {
    'omits the state from a redirect': changesState((_, parameters) => parameters.delete('state')),
    'returns spaces of the state as plus signs': changesState((state, parameters) =>
      parameters.set('state', state.replaceAll(' ', '+')),
    ),
    'decodes the state twice': changesState((state, parameters) =>
      parameters.set('state', state.replaceAll('%20', ' ')),
    ),
    'trims the state': changesState((state, parameters) => parameters.set('state', state.trim())),
    'returns the state in lower case': changesState((state, parameters) =>
      parameters.set('state', state.toLowerCase()),
    ),
    'truncates the state to 255 characters': changesState((state, parameters) =>
      parameters.set('state', state.slice(0, 255)),
    ),
    'omits the state from errors': changesState((_, parameters) => {
      if (parameters.has('error')) parameters.delete('state');
    }),
    'cuts the state at a number sign': changesState((state, parameters) =>
      parameters.set('state', state.replace(/#.*/, '')),
    ),
  },

  'oauth.authorize.other-parameters-ignored': {
    'refuses unknown parameters of an authorization request': refusesQuery((query) => query.has('assay_unknown')),
    'fails on a parameter named constructor': refusesQuery((query) => query.has('constructor')),
    'refuses an empty state': refusesQuery((query) => query.get('state') === ''),
  },

  'oauth.authorize.response-type-known': {
    'issues a code for any response_type': takesResponseType(() => true),
    'issues a code without a response_type': takesResponseType((type) => type === null),
    'accepts response_type in any letter case': takesResponseType((type) => type?.toLowerCase() === 'code'),
    'accepts a response_type that starts with code': takesResponseType((type) => type?.startsWith('code') === true),
  },
};
