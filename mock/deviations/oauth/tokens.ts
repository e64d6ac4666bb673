/** Faults in the tokens that a client gets, and in the answers they come in. */
import { deviationsOf } from '../table.ts';
import { all, answersStatus, at, comesBy, tokenOf, type Concerns } from '../auth/faults.ts';
import { anew } from '../anew.ts';
import type { Context } from '../../pipeline/context.ts';
import { bodyOf, type App, type Deviation, type Deviations } from '../deviation.ts';
import {
  isSuccess,
  isTokenRequest,
  onToken,
  spoilsClaims,
  spoilsToken,
  tokenAnswer,
  type Answer,
  type Fields,
} from './faults.ts';

function claimsOf(ctx: Context): Answer {
  const [, payload] = tokenOf(ctx)?.split('.') ?? [];
  return payload === undefined ? {} : (JSON.parse(Buffer.from(payload, 'base64url').toString()) as Answer);
}

/** A token that was issued to a client of the world, not one of the target file. */
const isOfClient: Concerns = (ctx) => ctx.state.world.clients.has(claimsOf(ctx)['client_id'] as string);

function stores(
  what: string,
  cacheControl: string | undefined,
  concerns: (fields: Fields, ctx: Context) => boolean = () => true,
): Deviation {
  return onToken(
    what,
    (status, fields, ctx) => isSuccess(status) && concerns(fields, ctx),
    (reply) => {
      const { 'cache-control': _, ...headers } = reply.headers ?? {};
      return {
        ...reply,
        headers: cacheControl === undefined ? headers : { ...headers, 'cache-control': cacheControl },
      };
    },
  );
}

const endsOlder = anew('ends the older token of a client with a new one', (what) => {
  let newest: unknown;
  const refused = answersStatus(what, 401, (ctx) => isOfClient(ctx) && newest !== undefined && tokenOf(ctx) !== newest);
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await refused.wrap(app)(ctx);
      if (isTokenRequest(ctx) && ctx.state.reply?.status === 200) newest = (bodyOf(ctx) as Answer)['access_token'];
    };
  return { what, wrap };
});

/** What the client gets when it asks for more than it may have. */
function exceeds(
  what: string,
  give: (asked: readonly string[], may: readonly string[]) => { scopes: readonly string[]; shown?: string },
  concerns: (asked: readonly string[], fields: Fields) => boolean = () => true,
): Deviation {
  const askedIn = ({ scope = '' }: Fields) => scope.split(' ');
  return onToken(
    what,
    (status, fields, ctx) =>
      status === 400 && (bodyOf(ctx) as Answer)['error'] === 'invalid_scope' && concerns(askedIn(fields), fields),
    (_, __, ctx) => {
      const may = ctx.state.world.clients.get(ctx.state.world.target.client ?? '')?.scopes ?? [];
      const { scopes, shown } = give(askedIn(fieldsIn(ctx)), may);
      return tokenAnswer(ctx, scopes, shown);
    },
  );
}

const fieldsIn = ({ state: { body } }: Context): Fields => body as Fields;
const within = (asked: readonly string[], may: readonly string[]) => asked.filter((scope) => may.includes(scope));

export const tokensDeviations: Deviations = deviationsOf({
  'oauth.client-credentials.token-works': {
    '': answersStatus(
      'knows no token of a client where integration info is asked for',
      401,
      (ctx) => at('getIntegration')(ctx) && isOfClient(ctx),
    ),
    'token-type': onToken('leaves token_type out', isSuccess, (reply, { token_type: _, ...answer }) => ({
      ...reply,
      body: answer,
    })),
    basic: onToken(
      'knows no HTTP Basic for client credentials',
      (_, { grant_type }, ctx) => grant_type === 'client_credentials' && ctx.get('authorization') !== '',
      (reply) => ({ ...reply, status: 401, body: { error: 'invalid_client' } }),
    ),
    older: endsOlder,
    '201': onToken('answers a token with 201', isSuccess, (reply) => ({
      ...reply,
      status: 201,
    })),
    update: answersStatus(
      'knows no token of a client at agent update by the brand header',
      401,
      all(at('updateAgent'), comesBy('brand'), isOfClient),
    ),
  },

  'oauth.token.no-store': {
    '': stores('lets token answers be stored', undefined),
    private: stores('says private, max-age=3600 of token answers', 'private, max-age=3600'),
    'no-cache': stores(
      'says no-cache of tokens for a code',
      'no-cache',
      ({ grant_type }) => grant_type === 'authorization_code',
    ),
    scoped: stores(
      'lets a token answer be stored where a scope was asked for',
      undefined,
      ({ scope }) => scope !== undefined,
    ),
    refresh: stores(
      'lets the answer to a refresh be stored',
      undefined,
      ({ grant_type }) => grant_type === 'refresh_token',
    ),
  },

  'oauth.token.is-a-jwt': {
    '': spoilsToken('gives out opaque tokens', (token) => Buffer.from(token).toString('hex').slice(0, 64)),
    unsigned: spoilsToken('gives out tokens without a signature', (token) =>
      token.slice(0, token.lastIndexOf('.') + 1),
    ),
    padded: spoilsToken('pads the parts of a token', (token) => `${token}==`),
    refreshed: spoilsToken(
      'gives out an opaque token for a refresh token',
      (token) => token.replaceAll('.', ''),
      ({ grant_type }) => grant_type === 'refresh_token',
    ),
    expired: spoilsClaims('gives out tokens that have expired', ({ iat, ...claims }) => ({
      ...claims,
      iat,
      exp: iat - 1,
    })),
    milliseconds: spoilsClaims('gives exp in milliseconds', ({ exp, ...claims }) => ({
      ...claims,
      exp: Number(exp) * 1000,
    })),
    text: spoilsClaims('gives exp as a text', ({ exp, ...claims }) => ({
      ...claims,
      exp: new Date(Number(exp) * 1000).toISOString(),
    })),
    'for-ever': spoilsClaims('gives out tokens without exp', ({ exp: _, ...claims }) => claims),
  },

  'oauth.scopes.never-exceeded-silently': {
    '': exceeds('gives a client admin where it asks for it', (asked) => ({
      scopes: asked,
      shown: asked.join(' '),
    })),
    silent: exceeds('narrows a token and does not say so', (asked, may) => ({
      scopes: within(asked, may),
    })),
    claims: exceeds(
      'narrows what it says, and not the token',
      (asked, may) => ({ scopes: asked, shown: within(asked, may).join(' ') }),
      (asked) => asked.length > 1,
    ),
    last: exceeds(
      'looks at the first scope only',
      (asked) => ({ scopes: asked, shown: asked.join(' ') }),
      ([first = '', second]) => second !== undefined && first.startsWith('agents:'),
    ),
    invented: exceeds(
      'takes whatever begins with the name of a resource for a scope',
      (asked) => ({ scopes: asked, shown: asked.join(' ') }),
      (asked) => asked.length === 1 && asked[0] === 'agents:assay',
    ),
    wildcard: exceeds(
      'takes * for every action',
      () => ({ scopes: ['agents:get', 'agents:delete'], shown: 'agents:get agents:delete' }),
      (asked) => asked.join() === 'agents:*',
    ),
    'letter-case': exceeds(
      'takes a scope in any letter case',
      (asked) => ({ scopes: ['admin'], shown: asked.join(' ').toLowerCase() }),
      (asked) => asked.join() === 'ADMIN',
    ),
    commas: exceeds(
      'parts scopes at commas too',
      ([asked = '']) => ({ scopes: asked.split(','), shown: asked.replaceAll(',', ' ') }),
      (asked) => asked.length === 1 && asked[0]!.includes(','),
    ),
    third: exceeds(
      'looks at the first two scopes only',
      (asked) => ({ scopes: asked, shown: asked.join(' ') }),
      (asked) => asked.length > 2,
    ),
    refresh: exceeds(
      'gives whatever scope a refresh asks for',
      (asked) => ({ scopes: asked, shown: asked.join(' ') }),
      (_, { grant_type }) => grant_type === 'refresh_token',
    ),
    error: onToken(
      'calls a scope that is too much an invalid request',
      (status, _, ctx) => status === 400 && (bodyOf(ctx) as Answer)['error'] === 'invalid_scope',
      (reply, answer) => ({ ...reply, body: { ...answer, error: 'invalid_request' } }),
    ),
  },
});
