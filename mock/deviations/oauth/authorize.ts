/** Faults in where the authorization endpoint sends people. */
import { deviationsOf } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { askedWith, isFor, type App, type Deviation, type Deviations } from '../deviation.ts';

interface Asked {
  /** What was asked for, that is not registered. */
  readonly uri: string;
  readonly registered: string;
  readonly query: URLSearchParams;
}

/** Undefined for other requests, and where what was asked for is registered. */
function askedOf(ctx: Context): Asked | undefined {
  const { world } = ctx.state;
  if (!isFor(ctx, ['authorize'])) return undefined;
  const query = new URLSearchParams(ctx.querystring);
  const uri = query.getAll('redirect_uri').at(-1);
  const registered = world.clients.get(world.target.client ?? '')?.redirectUris[0];
  return uri === undefined || registered === undefined || uri === registered ? undefined : { uri, registered, query };
}

/** Does as if what was asked for were the registered one, and sends people to what was asked for. */
function sendsTo(what: string, concerns: (asked: Asked, ctx: Context) => boolean): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const asked = askedOf(ctx);
      if (asked === undefined || !concerns(asked, ctx)) return app(ctx);
      await askedWith(app, ctx, (query) => {
        query.set('redirect_uri', asked.registered);
        query.set('client_id', ctx.state.world.target.client ?? '');
      });
      sendOn(ctx, asked);
    };
  return { what, wrap };
}

function sendOn(ctx: Context, { uri, registered }: Asked): void {
  const { reply } = ctx.state;
  const location = reply?.headers?.['location'];
  if (reply === undefined || location === undefined) return;
  ctx.state.reply = { ...reply, headers: { ...reply.headers, location: location.replace(registered, () => uri) } };
}

/** Refuses with a page that goes on to what was asked for by itself. */
const refreshes: Deviation = {
  what: 'refuses an address that is not registered with a page that goes there',
  wrap: (app) => async (ctx) => {
    await app(ctx);
    const asked = askedOf(ctx);
    if (asked === undefined || ctx.state.reply?.status !== 400) return;
    const body = `<meta http-equiv="refresh" content="0; url=${asked.uri.replaceAll('"', '')}">`;
    ctx.state.reply = { status: 400, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
  },
};

export const authorizeDeviations: Deviations = deviationsOf({
  'oauth.authorize.no-open-redirect': {
    '': sendsTo('sends a code wherever it is asked to', ({ query }) => query.get('response_type') === 'code'),
    errors: sendsTo(
      'sends errors about the response type wherever it is asked to',
      ({ query }) => query.get('response_type') === 'assay',
    ),
    beginning: sendsTo('takes what goes on after a registered address for it', ({ uri, registered }) =>
      uri.startsWith(registered),
    ),
    shorter: sendsTo(
      'takes the beginning of a registered address for it',
      ({ uri, registered }) => uri.length > 'https://'.length && registered.startsWith(uri),
    ),
    'letter-case': sendsTo(
      'takes a registered address in any letter case',
      ({ uri, registered }) => uri.toLowerCase() === registered.toLowerCase(),
    ),
    host: sendsTo(
      'takes a host name that begins as the registered one for it',
      ({ uri, registered }) => URL.parse(uri)?.hostname.startsWith(`${new URL(registered).hostname}.`) ?? false,
    ),
    user: sendsTo('takes a user name for the host', ({ uri }) => uri.includes('@')),
    backslash: sendsTo(
      'takes a backslash for part of a user name',
      ({ uri, registered }) => uri.includes('\\@') && uri.endsWith(new URL(registered).pathname),
    ),
    path: sendsTo(
      'looks at nothing but the path of an address',
      ({ uri, registered }) => URL.parse(uri)?.pathname === new URL(registered).pathname,
    ),
    scheme: sendsTo(
      'looks at no scheme of an address',
      ({ uri, registered }) => uri.replace(/^[a-z]+:/, '') === registered.replace(/^[a-z]+:/, ''),
    ),
    repeated: sendsTo(
      'looks at the first of two addresses, and takes the last',
      ({ query }) => query.getAll('redirect_uri').length > 1,
    ),
    'unknown-client': sendsTo(
      'sends what goes wrong with an unknown client to any address',
      ({ query }, { state: { world } }) => !world.clients.has(query.get('client_id') ?? ''),
    ),
    refresh: refreshes,
  },
});
