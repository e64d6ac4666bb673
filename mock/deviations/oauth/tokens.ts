/** Deviations of issued tokens and of token responses. */
import { bodyOf, repliesWith, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import { inHeader, tokenOf } from '../auth/conditions.ts';
import { respond } from '../auth/effects.ts';
import { all, when, on } from '../conditions.ts';
import type { Context } from '../../pipeline/context.ts';
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
  cacheControl: string | undefined,
  concerns: (fields: Fields, ctx: Context) => boolean = () => true,
): Fault {
  return onToken(
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

const clientScopes = ({ state: { world } }: Context): readonly string[] =>
  world.clients.get(world.target.client ?? '')?.scopes ?? [];

/** The granted scope if the client requests more than it may have. */
function exceeds(
  give: (request: readonly string[], may: readonly string[]) => { scopes: readonly string[]; shown?: string },
  concerns: (request: readonly string[], fields: Fields) => boolean = () => true,
): Fault {
  const requestedScopes = ({ scope = '' }: Fields) => scope.split(' ');
  return onToken(
    (status, fields, ctx) =>
      status === 400 &&
      (bodyOf(ctx) as TokenBody)['error'] === 'invalid_scope' &&
      concerns(requestedScopes(fields), fields),
    (_, __, ctx) => {
      const { scopes, shown: returned } = give(requestedScopes(fieldsIn(ctx)), clientScopes(ctx));
      return tokenReply(ctx, scopes, returned);
    },
  );
}

const fieldsIn = ({ state: { body } }: Context): Fields => body as Fields;
const within = (request: readonly string[], may: readonly string[]) => request.filter((scope) => may.includes(scope));

/** Replaces the media type. */
const sendsAs = (type: string, concerns: (status: number) => boolean) =>
  onToken(concerns, (reply) => ({
    ...reply,
    headers: { ...reply.headers, 'content-type': type },
    body: JSON.stringify(reply.body),
  }));

/** Changes members of token responses. */
const changesBody = (edit: (response: TokenBody) => object) =>
  onToken(isSuccess, (reply, response) => ({ ...reply, body: { ...response, ...edit(response) } }));

/** Refuses requests that the mock accepts. */
function refusesUnknown(concerns: (fields: Fields) => boolean): Fault {
  return repliesWith(async (reply, ctx) => {
    if (!isTokenRequest(ctx) || !isSuccess(reply.status)) return undefined;
    const fields = Object.fromEntries(new URLSearchParams((await readBytes(ctx.req)).toString()));
    return concerns(fields) ? { status: 400, body: { error: 'invalid_request' } } : undefined;
  });
}

export const tokensDeviations: Table = {
  'oauth.client-credentials.token-works': {
    'refuses client tokens for integration info': [all(on('getIntegration'), byClient), respond(401)],
    'omits token_type': onToken(isSuccess, (reply, { token_type: _, ...response }) => ({
      ...reply,
      body: response,
    })),
    'refuses HTTP Basic for client credentials': onToken(
      (_, { grant_type }, ctx) => grant_type === 'client_credentials' && ctx.get('authorization') !== '',
      (reply) => ({ ...reply, status: 401, body: { error: 'invalid_client' } }),
    ),
    'returns 201 for a token': onToken(isSuccess, (reply) => ({
      ...reply,
      status: 201,
    })),
    'refuses client tokens for agent updates by brand header': [
      all(on('updateAgent'), inHeader('brand'), byClient),
      respond(401),
    ],
  },

  'oauth.token.no-store': {
    'allows token responses to be stored': stores(undefined),
    'sends private, max-age=3600 with token responses': stores('private, max-age=3600'),
    'sends no-cache with tokens for a code': stores(
      'no-cache',
      ({ grant_type }) => grant_type === 'authorization_code',
    ),
    'allows token responses to be stored if a scope was requested': stores(
      undefined,
      ({ scope }) => scope !== undefined,
    ),
    'allows refresh responses to be stored': stores(undefined, ({ grant_type }) => grant_type === 'refresh_token'),
  },

  'oauth.token.is-json': {
    'sends token responses as text/plain': sendsAs('text/plain; charset=utf-8', isSuccess),
    'sends errors of the token endpoint as text/html': sendsAs('text/html; charset=utf-8', (status) => status >= 400),
    'sends token responses as a form': sendsAs('application/x-www-form-urlencoded', isSuccess),
  },

  'oauth.token.member-types': {
    'returns expires_in as a string': changesBody(({ expires_in }) => ({ expires_in: String(expires_in) })),
    'returns expires_in with a fraction': changesBody(({ expires_in }) => ({
      expires_in: Number(expires_in) - 0.5,
    })),
    'returns scope as a list': changesBody(({ scope }) => ({ scope: String(scope).split(' ') })),
    'separates scopes with a comma and a space': changesBody(({ scope }) => ({
      scope: String(scope).replaceAll(' ', ',  '),
    })),
  },

  'oauth.token.other-parameters-ignored': {
    'refuses unknown parameters of a token request': refusesUnknown((fields) => 'assay_unknown' in fields),
    'refuses an empty scope': refusesUnknown(({ scope }) => scope === ''),
    'fails on a parameter named constructor': refusesUnknown((fields) => Object.hasOwn(fields, 'constructor')),
  },

  'oauth.token.is-a-jwt': {
    'issues opaque tokens': spoilsToken((token) => Buffer.from(token).toString('hex').slice(0, 64)),
    'issues tokens without a signature': spoilsToken((token) => token.slice(0, token.lastIndexOf('.') + 1)),
    'pads the parts of a token': spoilsToken((token) => `${token}==`),
    'issues an opaque token for a refresh token': spoilsToken(
      (token) => token.replaceAll('.', ''),
      ({ grant_type }) => grant_type === 'refresh_token',
    ),
    'issues expired tokens': spoilsClaims(({ iat, ...claims }) => ({
      ...claims,
      iat,
      exp: iat - 1,
    })),
    'returns exp in milliseconds': spoilsClaims(({ exp, ...claims }) => ({
      ...claims,
      exp: Number(exp) * 1000,
    })),
    'returns exp as a string': spoilsClaims(({ exp, ...claims }) => ({
      ...claims,
      exp: new Date(Number(exp) * 1000).toISOString(),
    })),
    'issues tokens without exp': spoilsClaims(({ exp: _, ...claims }) => claims),
  },

  'oauth.scopes.never-exceeded-silently': {
    'grants a client the scope admin on request': exceeds((request) => ({
      scopes: request,
      shown: request.join(' '),
    })),
    'narrows a token but reports the requested scopes': exceeds((request, may) => ({
      scopes: within(request, may),
    })),
    'narrows the reported scopes but not the token': exceeds(
      (request, may) => ({ scopes: request, shown: within(request, may).join(' ') }),
      (request) => request.length > 1,
    ),
    'checks only the first scope': exceeds(
      (request) => ({ scopes: request, shown: request.join(' ') }),
      ([first = '', second]) => second !== undefined && first.startsWith('agents:'),
    ),
    'accepts scopes that start with the name of a resource': exceeds(
      (request) => ({ scopes: request, shown: request.join(' ') }),
      (request) => request.length === 1 && request[0] === 'agents:assay',
    ),
    'accepts * as every action': exceeds(
      () => ({ scopes: ['agents:get', 'agents:delete'], shown: 'agents:get agents:delete' }),
      (request) => request.join() === 'agents:*',
    ),
    'accepts scopes in any letter case': exceeds(
      (request) => ({ scopes: ['admin'], shown: request.join(' ').toLowerCase() }),
      (request) => request.join() === 'ADMIN',
    ),
    'accepts commas between scopes': exceeds(
      ([request = '']) => ({ scopes: request.split(','), shown: request.replaceAll(',', ' ') }),
      (request) => request.length === 1 && request[0]!.includes(','),
    ),
    'checks only the first two scopes': exceeds(
      (request) => ({ scopes: request, shown: request.join(' ') }),
      (request) => request.length > 2,
    ),
    'grants every scope that a refresh requests': exceeds(
      (request) => ({ scopes: request, shown: request.join(' ') }),
      (_, { grant_type }) => grant_type === 'refresh_token',
    ),
    'issues a token with every scope of the client but reports the requested ones': onToken(
      (status, { scope }) => isSuccess(status) && scope !== undefined,
      (_, response, ctx) => tokenReply(ctx, clientScopes(ctx), String(response['scope'])),
    ),
    'issues a token for a code with every scope of the client but reports the requested ones': onToken(
      (status, { grant_type }) => isSuccess(status) && grant_type === 'authorization_code',
      (_, response, ctx) => tokenReply(ctx, clientScopes(ctx), String(response['scope'])),
    ),
    'reports an excessive scope as an invalid request': onToken(
      (status, _, ctx) => status === 400 && (bodyOf(ctx) as TokenBody)['error'] === 'invalid_scope',
      (reply, response) => ({ ...reply, body: { ...response, error: 'invalid_request' } }),
    ),
  },
};
