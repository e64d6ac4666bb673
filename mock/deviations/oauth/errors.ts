/** Deviations of errors of the token endpoint and of the reuse of codes. */
import { deviationsOf } from '../table.ts';
import { bodyOf, type Deviation, type Deviations } from '../deviation.ts';
import {
  basicOf,
  isTokenRequest,
  onToken,
  refusesWith,
  tokenReply,
  acceptsClient,
  type Fields,
  type TokenBody,
} from './token-responses.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import { readBytes } from '../../http/read-bytes.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import type { Code } from '../../state/oauth.ts';

async function formOf(ctx: Context): Promise<Fields> {
  return isTokenRequest(ctx) ? Object.fromEntries(new URLSearchParams((await readBytes(ctx.req)).toString())) : {};
}

/** Forgets that a code has been used, for some exchanges. */
function forgets(what: string, concerns: (times: number, fields: Fields, ctx: Context) => boolean): Deviation {
  return statefulDeviation(what, () => {
    const times = new Map<string, number>();
    return {
      what,
      effect: 'accept again',
      condition: 'requestToken',
      wrap: (app) => async (ctx) => {
        const fields = await formOf(ctx);
        const name = fields['code'] ?? '';
        const { codes } = ctx.state.world.oauth;
        const code = codes.get(name);
        if (code !== undefined) times.set(name, (times.get(name) ?? 0) + 1);
        if (code?.used === true && concerns(times.get(name) ?? 0, fields, ctx))
          codes.set(name, { ...code, used: false });
        await app(ctx);
      },
    };
  });
}

/** Changes an unused code before the mock compares it with the request. */
function changesCode(what: string, edit: (code: Code, fields: Fields) => Code): Deviation {
  return {
    what,
    effect: 'accept another value',
    condition: 'requestToken',
    wrap: (app) => async (ctx) => {
      const fields = await formOf(ctx);
      const { codes } = ctx.state.world.oauth;
      const code = codes.get(fields['code'] ?? '');
      if (code?.used === false) codes.set(fields['code'] ?? '', edit(code, fields));
      await app(ctx);
    },
  };
}

const withoutUri = ({ redirectUri: _, ...code }: Code): Code => code;
const withoutChallenge = ({ challenge: _, ...code }: Code): Code => code;

/** Accepts an unknown code that is similar to an issued one. */
function finds(what: string, isSimilar: (sent: string, code: string) => boolean): Deviation {
  return {
    what,
    effect: 'accept another value',
    condition: 'requestToken',
    wrap: (app) => async (ctx) => {
      const { code: sent = '' } = await formOf(ctx);
      const { codes } = ctx.state.world.oauth;
      const found = [...codes].find(([name, { used }]) => !used && isSimilar(sent, name));
      if (found !== undefined && sent !== '') codes.set(sent, found[1]);
      await app(ctx);
    },
  };
}

const isUnknown = ({ code }: Fields, ctx: Context): boolean =>
  code !== undefined && !ctx.state.world.oauth.codes.has(code);

const isInvalidClient = (ctx: Context): boolean => (bodyOf(ctx) as TokenBody)['error'] === 'invalid_client';

const rightSecret = (ctx: Context): string => ctx.state.world.clients.get(basicOf(ctx)?.id ?? '')?.secret ?? '\n';

/** Issues a token for an unknown grant type. */
function guesses(what: string, concerns: (fields: Fields) => boolean): Deviation {
  return onToken(
    what,
    (status, fields) => status === 400 && concerns(fields),
    (_, __, ctx) => tokenReply(ctx, ['agents:get'], 'agents:get'),
  );
}

const without = (headers: Reply['headers'] = {}, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

const isMissing = ({ grant_type = '' }: Fields): boolean => grant_type === '';

export const errorsDeviations: Deviations = deviationsOf({
  'oauth.errors.invalid-client': {
    '': refusesWith('Reports a wrong secret as an invalid request', 'invalid_client', {
      error: 'invalid_request',
    }),
    '403': refusesWith(
      'Returns 403 for an unknown client',
      'invalid_client',
      { status: 403 },
      (_, ctx) => basicOf(ctx)?.id === 'assay-unknown',
    ),
    beginning: acceptsClient('Accepts the secret with characters appended', (ctx) =>
      (basicOf(ctx)?.secret ?? '').startsWith(rightSecret(ctx)),
    ),
    'letter-case': acceptsClient(
      'Compares secrets without regard to letter case',
      (ctx) => (basicOf(ctx)?.secret ?? '').toLowerCase() === rightSecret(ctx).toLowerCase(),
    ),
    truncated: acceptsClient('Accepts the beginning of a secret', (ctx) => {
      const { secret = '' } = basicOf(ctx) ?? {};
      return secret !== '' && rightSecret(ctx).startsWith(secret);
    }),
    ends: acceptsClient('Compares only the length and both ends of a secret', (ctx) => {
      const [secret, right] = [basicOf(ctx)?.secret ?? '', rightSecret(ctx)];
      return secret.length === right.length && secret[0] === right[0] && secret.at(-1) === right.at(-1);
    }),
    empty: acceptsClient('Accepts an empty secret as correct', (ctx) => (basicOf(ctx)?.secret ?? '') === ''),
    id: onToken(
      'Reports an almost correct client id as unauthorized',
      (status, _, ctx) => status === 401 && (basicOf(ctx)?.id ?? '').startsWith('demo-'),
      (reply, response) => ({ ...reply, body: { ...response, error: 'unauthorized_client' } }),
    ),
    code: {
      what: 'Requires no secret for a code',
      effect: 'bypass auth',
      condition: 'requestToken',
      wrap: (app) => async (ctx) => {
        const { grant_type } = await formOf(ctx);
        await acceptsClient('', () => grant_type === 'authorization_code').wrap(app)(ctx);
      },
    },
    body: onToken(
      'Accepts any secret in the body',
      (_, { client_id, client_secret }, ctx) =>
        isInvalidClient(ctx) && client_id === 'demo-client' && client_secret !== undefined,
      (_, __, ctx) => tokenReply(ctx, ['agents:get'], 'agents:get'),
    ),
    'no-secret': onToken(
      'Accepts a client that sends only its id',
      (_, { client_id, client_secret }, ctx) =>
        isInvalidClient(ctx) && client_id === 'demo-client' && (client_secret ?? basicOf(ctx)) === undefined,
      (_, __, ctx) => tokenReply(ctx, ['agents:get'], 'agents:get'),
    ),
  },

  'oauth.errors.basic-challenge': {
    '': refusesWith(
      'Returns 400 for an unknown client in HTTP Basic',
      'invalid_client',
      { status: 400 },
      (_, ctx) => basicOf(ctx) !== undefined,
    ),
    header: onToken(
      'Omits WWW-Authenticate from the error about a client',
      (status) => status === 401,
      ({ headers, ...reply }) => ({ ...reply, headers: without(headers, 'www-authenticate') }),
    ),
    bearer: onToken(
      'Challenges a client with Bearer',
      (status) => status === 401,
      ({ headers, ...reply }) => ({ ...reply, headers: { ...headers, 'www-authenticate': 'Bearer realm="oauth"' } }),
    ),
  },

  'oauth.errors.grant-type': {
    '': refusesWith('Reports an unknown grant_type as an invalid grant', 'unsupported_grant_type', {
      error: 'invalid_grant',
    }),
    '401': refusesWith(
      'Returns 401 for an unknown grant_type if the client is in the body',
      'unsupported_grant_type',
      { status: 401 },
      ({ client_id }) => client_id !== undefined,
    ),
    'letter-case': guesses(
      'Accepts a grant_type in any letter case',
      ({ grant_type }) => grant_type === 'CLIENT_CREDENTIALS',
    ),
    password: guesses('Reads the grant password as client_credentials', ({ grant_type }) => grant_type === 'password'),
    beginning: guesses(
      'Accepts client_credentials with characters appended',
      ({ grant_type }) => grant_type === 'client_credentialss',
    ),
    missing: refusesWith(
      'Reports a missing grant_type as unsupported',
      'invalid_request',
      { error: 'unsupported_grant_type' },
      ({ grant_type }) => grant_type === undefined,
    ),
    empty: refusesWith(
      'Reports an empty grant_type as unsupported',
      'invalid_request',
      { error: 'unsupported_grant_type' },
      (fields) => isMissing(fields),
    ),
    default: guesses(
      'Defaults a missing grant_type to client_credentials if there is a scope',
      (fields) => isMissing(fields) && fields['scope'] !== undefined,
    ),
    guess: refusesWith(
      'Derives a missing grant_type from the code',
      'invalid_request',
      { error: 'invalid_grant' },
      (fields) => isMissing(fields) && fields['code'] !== undefined,
    ),
  },

  'oauth.errors.unknown-code': {
    '': refusesWith(
      'Reports an unknown code as an invalid request',
      'invalid_grant',
      { error: 'invalid_request' },
      isUnknown,
    ),
    '401': refusesWith('Returns 401 for an unknown code', 'invalid_grant', { status: 401 }, isUnknown),
    half: finds('Compares only the first half of a code', (sent, code) => sent.slice(0, 20) === code.slice(0, 20)),
    beginning: finds('Accepts a code with characters appended', (sent, code) => sent.startsWith(code)),
    missing: refusesWith(
      'Reports a missing code as an unsupported grant type',
      'invalid_request',
      { error: 'unsupported_grant_type' },
      ({ grant_type, code }) => grant_type === 'authorization_code' && code === undefined,
    ),
  },

  'oauth.code.redirect-uri-identical': {
    '': changesCode('Ignores the redirect_uri of a token request', (code, { redirect_uri }) => ({
      ...code,
      redirectUri: redirect_uri ?? code.redirectUri ?? '',
    })),
    missing: changesCode('Requires no redirect_uri in a token request', (code, { redirect_uri }) =>
      redirect_uri === undefined ? withoutUri(code) : code,
    ),
    beginning: changesCode('Compares only the beginning of the redirect_uri', (code, { redirect_uri = '' }) =>
      redirect_uri.startsWith(code.redirectUri ?? '\n') ? { ...code, redirectUri: redirect_uri } : code,
    ),
    'letter-case': changesCode('Compares the redirect_uri in any letter case', (code, { redirect_uri = '' }) =>
      redirect_uri.toLowerCase() === code.redirectUri?.toLowerCase() ? { ...code, redirectUri: redirect_uri } : code,
    ),
    slash: changesCode('Ignores a slash at the end of the redirect_uri', (code, { redirect_uri = '' }) =>
      redirect_uri.replace(/\/$/, '') === code.redirectUri ? { ...code, redirectUri: redirect_uri } : code,
    ),
    query: changesCode('Compares the redirect_uri without its query', (code, { redirect_uri = '' }) =>
      redirect_uri.split('?')[0] === code.redirectUri ? { ...code, redirectUri: redirect_uri } : code,
    ),
    error: refusesWith(
      'Reports a different redirect_uri as an invalid request',
      'invalid_grant',
      { error: 'invalid_request' },
      ({ redirect_uri = '' }) => redirect_uri.startsWith('https://assay'),
    ),
  },

  'oauth.code.verifier-checked': {
    '': changesCode('Accepts any code_verifier', (code, { code_verifier }) =>
      code_verifier === undefined ? code : { ...code, challenge: { method: 'plain', value: code_verifier } },
    ),
    missing: changesCode('Requires no code_verifier', (code, { code_verifier }) =>
      code_verifier === undefined ? withoutChallenge(code) : code,
    ),
    plain: changesCode('Compares the code_verifier with the challenge itself', (code, { code_verifier }) =>
      code_verifier !== undefined && code_verifier === code.challenge?.value
        ? { ...code, challenge: { method: 'plain', value: code_verifier } }
        : code,
    ),
    error: refusesWith(
      'Reports a wrong code_verifier as an invalid request',
      'invalid_grant',
      { error: 'invalid_request' },
      ({ code_verifier = '' }) => code_verifier.startsWith('assay'),
    ),
    '401': refusesWith(
      'Returns 401 for a wrong code_verifier',
      'invalid_grant',
      { status: 401 },
      ({ code_verifier = '' }) => code_verifier.startsWith('assay'),
    ),
  },

  'oauth.code.good-once': {
    '': forgets('Accepts a code twice', (times) => times === 2),
    third: forgets('Accepts a code a third time', (times) => times === 3),
    'no-key': forgets(
      'Accepts a code twice without code_verifier',
      (_, { code_verifier }) => code_verifier === undefined,
    ),
    error: refusesWith(
      'Reports a used code as an invalid request',
      'invalid_grant',
      { error: 'invalid_request' },
      ({ code }) => code !== undefined,
    ),
    '401': refusesWith(
      'Returns 401 for a used code',
      'invalid_grant',
      { status: 401 },
      ({ code_verifier }) => code_verifier !== undefined,
    ),
  },
});
