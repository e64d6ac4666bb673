/** Deviations of issued tokens and of token responses. */
import { deviationsOf } from '../table.ts';
import { inHeader, tokenOf } from '../auth/conditions.ts';
import { respond } from '../auth/effects.ts';
import { all, when, on } from '../conditions.ts';
import type { Context } from '../../pipeline/context.ts';
import { bodyOf, repliesWith, type Deviation, type Deviations } from '../deviation.ts';
import { readBytes } from '../../http/read-bytes.ts';
import {
  isSuccess,
  isTokenRequest,
  onToken,
  spoilsClaims,
  spoilsToken,
  tokenReply,
  type TokenBody,
  type Fields,
} from './token-responses.ts';

function claimsOf(ctx: Context): TokenBody {
  const [, payload] = tokenOf(ctx)?.split('.') ?? [];
  return payload === undefined ? {} : (JSON.parse(Buffer.from(payload, 'base64url').toString()) as TokenBody);
}

/** A token that was issued to a client of the world, not one of the target file. */
const byClient = when('by client token', (ctx) => ctx.state.world.clients.has(claimsOf(ctx)['client_id'] as string));

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

/** The granted scope if the client requests more than it may have. */
function exceeds(
  what: string,
  give: (request: readonly string[], may: readonly string[]) => { scopes: readonly string[]; shown?: string },
  concerns: (request: readonly string[], fields: Fields) => boolean = () => true,
): Deviation {
  const askedIn = ({ scope = '' }: Fields) => scope.split(' ');
  return onToken(
    what,
    (status, fields, ctx) =>
      status === 400 && (bodyOf(ctx) as TokenBody)['error'] === 'invalid_scope' && concerns(askedIn(fields), fields),
    (_, __, ctx) => {
      const may = ctx.state.world.clients.get(ctx.state.world.target.client ?? '')?.scopes ?? [];
      const { scopes, shown: returned } = give(askedIn(fieldsIn(ctx)), may);
      return tokenReply(ctx, scopes, returned);
    },
  );
}

const fieldsIn = ({ state: { body } }: Context): Fields => body as Fields;
const within = (request: readonly string[], may: readonly string[]) => request.filter((scope) => may.includes(scope));

/** Replaces the media type. */
const sendsAs = (what: string, type: string, concerns: (status: number) => boolean) =>
  onToken(what, concerns, (reply) => ({
    ...reply,
    headers: { ...reply.headers, 'content-type': type },
    body: JSON.stringify(reply.body),
  }));

/** Changes members of token responses. */
const changesBody = (what: string, edit: (response: TokenBody) => object) =>
  onToken(what, isSuccess, (reply, response) => ({ ...reply, body: { ...response, ...edit(response) } }));

/** Refuses requests that the mock accepts. */
function refusesUnknown(what: string, concerns: (fields: Fields) => boolean): Deviation {
  return repliesWith(what, async (reply, ctx) => {
    if (!isTokenRequest(ctx) || !isSuccess(reply.status)) return undefined;
    const fields = Object.fromEntries(new URLSearchParams((await readBytes(ctx.req)).toString()));
    return concerns(fields) ? { status: 400, body: { error: 'invalid_request' } } : undefined;
  });
}

export const tokensDeviations: Deviations = deviationsOf({
  'oauth.client-credentials.token-works': {
    '': ['Refuses client tokens for integration info', all(on('getIntegration'), byClient), respond(401)],
    'token-type': onToken('Omits token_type', isSuccess, (reply, { token_type: _, ...response }) => ({
      ...reply,
      body: response,
    })),
    basic: onToken(
      'Refuses HTTP Basic for client credentials',
      (_, { grant_type }, ctx) => grant_type === 'client_credentials' && ctx.get('authorization') !== '',
      (reply) => ({ ...reply, status: 401, body: { error: 'invalid_client' } }),
    ),
    '201': onToken('Returns 201 for a token', isSuccess, (reply) => ({
      ...reply,
      status: 201,
    })),
    update: [
      'Refuses client tokens for agent updates by brand header',
      all(on('updateAgent'), inHeader('brand'), byClient),
      respond(401),
    ],
  },

  'oauth.token.no-store': {
    '': stores('Allows token responses to be stored', undefined),
    private: stores('Sends private, max-age=3600 with token responses', 'private, max-age=3600'),
    'no-cache': stores(
      'Sends no-cache with tokens for a code',
      'no-cache',
      ({ grant_type }) => grant_type === 'authorization_code',
    ),
    scoped: stores(
      'Allows token responses to be stored if a scope was requested',
      undefined,
      ({ scope }) => scope !== undefined,
    ),
    refresh: stores(
      'Allows refresh responses to be stored',
      undefined,
      ({ grant_type }) => grant_type === 'refresh_token',
    ),
  },

  'oauth.token.is-json': {
    '': sendsAs('Sends token responses as text/plain', 'text/plain; charset=utf-8', isSuccess),
    errors: sendsAs(
      'Sends errors of the token endpoint as text/html',
      'text/html; charset=utf-8',
      (status) => status >= 400,
    ),
    form: sendsAs('Sends token responses as a form', 'application/x-www-form-urlencoded', isSuccess),
  },

  'oauth.token.member-types': {
    '': changesBody('Returns expires_in as a string', ({ expires_in }) => ({ expires_in: String(expires_in) })),
    fraction: changesBody('Returns expires_in with a fraction', ({ expires_in }) => ({
      expires_in: Number(expires_in) - 0.5,
    })),
    list: changesBody('Returns scope as a list', ({ scope }) => ({ scope: String(scope).split(' ') })),
    commas: changesBody('Separates scopes with a comma and a space', ({ scope }) => ({
      scope: String(scope).replaceAll(' ', ',  '),
    })),
  },

  'oauth.token.other-parameters-ignored': {
    '': refusesUnknown('Refuses unknown parameters of a token request', (fields) => 'assay_unknown' in fields),
    empty: refusesUnknown('Refuses an empty scope', ({ scope }) => scope === ''),
    special: refusesUnknown('Fails on a parameter named constructor', (fields) => Object.hasOwn(fields, 'constructor')),
  },

  'oauth.token.is-a-jwt': {
    '': spoilsToken('Issues opaque tokens', (token) => Buffer.from(token).toString('hex').slice(0, 64)),
    unsigned: spoilsToken('Issues tokens without a signature', (token) => token.slice(0, token.lastIndexOf('.') + 1)),
    padded: spoilsToken('Pads the parts of a token', (token) => `${token}==`),
    refreshed: spoilsToken(
      'Issues an opaque token for a refresh token',
      (token) => token.replaceAll('.', ''),
      ({ grant_type }) => grant_type === 'refresh_token',
    ),
    expired: spoilsClaims('Issues expired tokens', ({ iat, ...claims }) => ({
      ...claims,
      iat,
      exp: iat - 1,
    })),
    milliseconds: spoilsClaims('Returns exp in milliseconds', ({ exp, ...claims }) => ({
      ...claims,
      exp: Number(exp) * 1000,
    })),
    text: spoilsClaims('Returns exp as a string', ({ exp, ...claims }) => ({
      ...claims,
      exp: new Date(Number(exp) * 1000).toISOString(),
    })),
    'for-ever': spoilsClaims('Issues tokens without exp', ({ exp: _, ...claims }) => claims),
  },

  'oauth.scopes.never-exceeded-silently': {
    '': exceeds('Grants a client the scope admin on request', (request) => ({
      scopes: request,
      shown: request.join(' '),
    })),
    silent: exceeds('Narrows a token but reports the requested scopes', (request, may) => ({
      scopes: within(request, may),
    })),
    claims: exceeds(
      'Narrows the reported scopes but not the token',
      (request, may) => ({ scopes: request, shown: within(request, may).join(' ') }),
      (request) => request.length > 1,
    ),
    last: exceeds(
      'Checks only the first scope',
      (request) => ({ scopes: request, shown: request.join(' ') }),
      ([first = '', second]) => second !== undefined && first.startsWith('agents:'),
    ),
    invented: exceeds(
      'Accepts scopes that start with the name of a resource',
      (request) => ({ scopes: request, shown: request.join(' ') }),
      (request) => request.length === 1 && request[0] === 'agents:assay',
    ),
    wildcard: exceeds(
      'Accepts * as every action',
      () => ({ scopes: ['agents:get', 'agents:delete'], shown: 'agents:get agents:delete' }),
      (request) => request.join() === 'agents:*',
    ),
    'letter-case': exceeds(
      'Accepts scopes in any letter case',
      (request) => ({ scopes: ['admin'], shown: request.join(' ').toLowerCase() }),
      (request) => request.join() === 'ADMIN',
    ),
    commas: exceeds(
      'Accepts commas between scopes',
      ([request = '']) => ({ scopes: request.split(','), shown: request.replaceAll(',', ' ') }),
      (request) => request.length === 1 && request[0]!.includes(','),
    ),
    third: exceeds(
      'Checks only the first two scopes',
      (request) => ({ scopes: request, shown: request.join(' ') }),
      (request) => request.length > 2,
    ),
    refresh: exceeds(
      'Grants every scope that a refresh requests',
      (request) => ({ scopes: request, shown: request.join(' ') }),
      (_, { grant_type }) => grant_type === 'refresh_token',
    ),
    error: onToken(
      'Reports an excessive scope as an invalid request',
      (status, _, ctx) => status === 400 && (bodyOf(ctx) as TokenBody)['error'] === 'invalid_scope',
      (reply, response) => ({ ...reply, body: { ...response, error: 'invalid_request' } }),
    ),
  },
});
