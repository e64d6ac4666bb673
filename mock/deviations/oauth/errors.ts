/** Deviations of errors of the token endpoint and of the reuse of codes. */
import { bodyOf, stateful, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
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
import { readBytes } from '../../http/read-bytes.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import type { Code } from '../../state/oauth.ts';

async function formOf(ctx: Context): Promise<Fields> {
  return isTokenRequest(ctx) ? Object.fromEntries(new URLSearchParams((await readBytes(ctx.req)).toString())) : {};
}

/** Forgets that a code has been used, for some exchanges. */
function forgets(concerns: (times: number, fields: Fields, ctx: Context) => boolean): Fault {
  return stateful(() => {
    const times = new Map<string, number>();
    return {
      kind: 'accept again',
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
function changesCode(edit: (code: Code, fields: Fields) => Code): Fault {
  return {
    kind: 'accept another value',
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
function finds(isSimilar: (sent: string, code: string) => boolean): Fault {
  return {
    kind: 'accept another value',
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
function guesses(concerns: (fields: Fields) => boolean): Fault {
  return onToken(
    (status, fields) => status === 400 && concerns(fields),
    (_, __, ctx) => tokenReply(ctx, ['agents:get'], 'agents:get'),
  );
}

const without = (headers: Reply['headers'] = {}, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

const isMissing = ({ grant_type = '' }: Fields): boolean => grant_type === '';

export const errorsDeviations: Table = {
  'oauth.errors.invalid-client': {
    'reports a wrong secret as an invalid request': refusesWith('invalid_client', {
      error: 'invalid_request',
    }),
    'returns 403 for an unknown client': refusesWith(
      'invalid_client',
      { status: 403 },
      (_, ctx) => basicOf(ctx)?.id === 'assay-unknown',
    ),
    'accepts the secret with characters appended': acceptsClient((ctx) =>
      (basicOf(ctx)?.secret ?? '').startsWith(rightSecret(ctx)),
    ),
    'compares secrets without regard to letter case': acceptsClient(
      (ctx) => (basicOf(ctx)?.secret ?? '').toLowerCase() === rightSecret(ctx).toLowerCase(),
    ),
    'accepts the beginning of a secret': acceptsClient((ctx) => {
      const { secret = '' } = basicOf(ctx) ?? {};
      return secret !== '' && rightSecret(ctx).startsWith(secret);
    }),
    'compares only the length and both ends of a secret': acceptsClient((ctx) => {
      const [secret, right] = [basicOf(ctx)?.secret ?? '', rightSecret(ctx)];
      return secret.length === right.length && secret[0] === right[0] && secret.at(-1) === right.at(-1);
    }),
    'accepts an empty secret as correct': acceptsClient((ctx) => (basicOf(ctx)?.secret ?? '') === ''),
    'reports an almost correct client id as unauthorized': onToken(
      (status, _, ctx) => status === 401 && (basicOf(ctx)?.id ?? '').startsWith('demo-'),
      (reply, response) => ({ ...reply, body: { ...response, error: 'unauthorized_client' } }),
    ),
    'requires no secret for a code': {
      kind: 'bypass auth',
      condition: 'requestToken',
      wrap: (app) => async (ctx) => {
        const { grant_type } = await formOf(ctx);
        await acceptsClient(() => grant_type === 'authorization_code').wrap(app)(ctx);
      },
    },
    'accepts any secret in the body': onToken(
      (_, { client_id, client_secret }, ctx) =>
        isInvalidClient(ctx) && client_id === 'demo-client' && client_secret !== undefined,
      (_, __, ctx) => tokenReply(ctx, ['agents:get'], 'agents:get'),
    ),
    'accepts a client that sends only its id': onToken(
      (_, { client_id, client_secret }, ctx) =>
        isInvalidClient(ctx) && client_id === 'demo-client' && (client_secret ?? basicOf(ctx)) === undefined,
      (_, __, ctx) => tokenReply(ctx, ['agents:get'], 'agents:get'),
    ),
  },

  'oauth.errors.basic-challenge': {
    'returns 400 for an unknown client in HTTP Basic': refusesWith(
      'invalid_client',
      { status: 400 },
      (_, ctx) => basicOf(ctx) !== undefined,
    ),
    'omits WWW-Authenticate from the error about a client': onToken(
      (status) => status === 401,
      ({ headers, ...reply }) => ({ ...reply, headers: without(headers, 'www-authenticate') }),
    ),
    'challenges a client with Bearer': onToken(
      (status) => status === 401,
      ({ headers, ...reply }) => ({ ...reply, headers: { ...headers, 'www-authenticate': 'Bearer realm="oauth"' } }),
    ),
  },

  'oauth.errors.grant-type': {
    'reports an unknown grant_type as an invalid grant': refusesWith('unsupported_grant_type', {
      error: 'invalid_grant',
    }),
    'returns 401 for an unknown grant_type if the client is in the body': refusesWith(
      'unsupported_grant_type',
      { status: 401 },
      ({ client_id }) => client_id !== undefined,
    ),
    'accepts a grant_type in any letter case': guesses(({ grant_type }) => grant_type === 'CLIENT_CREDENTIALS'),
    'reads the grant password as client_credentials': guesses(({ grant_type }) => grant_type === 'password'),
    'accepts client_credentials with characters appended': guesses(
      ({ grant_type }) => grant_type === 'client_credentialss',
    ),
    'reports a missing grant_type as unsupported': refusesWith(
      'invalid_request',
      { error: 'unsupported_grant_type' },
      ({ grant_type }) => grant_type === undefined,
    ),
    'reports an empty grant_type as unsupported': refusesWith(
      'invalid_request',
      { error: 'unsupported_grant_type' },
      (fields) => isMissing(fields),
    ),
    'defaults a missing grant_type to client_credentials if there is a scope': guesses(
      (fields) => isMissing(fields) && fields['scope'] !== undefined,
    ),
    'derives a missing grant_type from the code': refusesWith(
      'invalid_request',
      { error: 'invalid_grant' },
      (fields) => isMissing(fields) && fields['code'] !== undefined,
    ),
  },

  'oauth.errors.unknown-code': {
    'reports an unknown code as an invalid request': refusesWith(
      'invalid_grant',
      { error: 'invalid_request' },
      isUnknown,
    ),
    'returns 401 for an unknown code': refusesWith('invalid_grant', { status: 401 }, isUnknown),
    'compares only the first half of a code': finds((sent, code) => sent.slice(0, 20) === code.slice(0, 20)),
    'accepts a code with characters appended': finds((sent, code) => sent.startsWith(code)),
    'reports a missing code as an unsupported grant type': refusesWith(
      'invalid_request',
      { error: 'unsupported_grant_type' },
      ({ grant_type, code }) => grant_type === 'authorization_code' && code === undefined,
    ),
  },

  'oauth.code.redirect-uri-identical': {
    'ignores the redirect_uri of a token request': changesCode((code, { redirect_uri }) => ({
      ...code,
      redirectUri: redirect_uri ?? code.redirectUri ?? '',
    })),
    'requires no redirect_uri in a token request': changesCode((code, { redirect_uri }) =>
      redirect_uri === undefined ? withoutUri(code) : code,
    ),
    'compares only the beginning of the redirect_uri': changesCode((code, { redirect_uri = '' }) =>
      redirect_uri.startsWith(code.redirectUri ?? '\n') ? { ...code, redirectUri: redirect_uri } : code,
    ),
    'compares the redirect_uri in any letter case': changesCode((code, { redirect_uri = '' }) =>
      redirect_uri.toLowerCase() === code.redirectUri?.toLowerCase() ? { ...code, redirectUri: redirect_uri } : code,
    ),
    'ignores a slash at the end of the redirect_uri': changesCode((code, { redirect_uri = '' }) =>
      redirect_uri.replace(/\/$/, '') === code.redirectUri ? { ...code, redirectUri: redirect_uri } : code,
    ),
    'compares the redirect_uri without its query': changesCode((code, { redirect_uri = '' }) =>
      redirect_uri.split('?')[0] === code.redirectUri ? { ...code, redirectUri: redirect_uri } : code,
    ),
    'reports a different redirect_uri as an invalid request': refusesWith(
      'invalid_grant',
      { error: 'invalid_request' },
      ({ redirect_uri = '' }) => redirect_uri.startsWith('https://assay'),
    ),
  },

  'oauth.code.verifier-checked': {
    'accepts any code_verifier': changesCode((code, { code_verifier }) =>
      code_verifier === undefined ? code : { ...code, challenge: { method: 'plain', value: code_verifier } },
    ),
    'requires no code_verifier': changesCode((code, { code_verifier }) =>
      code_verifier === undefined ? withoutChallenge(code) : code,
    ),
    'compares the code_verifier with the challenge itself': changesCode((code, { code_verifier }) =>
      code_verifier !== undefined && code_verifier === code.challenge?.value
        ? { ...code, challenge: { method: 'plain', value: code_verifier } }
        : code,
    ),
    'reports a wrong code_verifier as an invalid request': refusesWith(
      'invalid_grant',
      { error: 'invalid_request' },
      ({ code_verifier = '' }) => code_verifier.startsWith('assay'),
    ),
    'returns 401 for a wrong code_verifier': refusesWith('invalid_grant', { status: 401 }, ({ code_verifier = '' }) =>
      code_verifier.startsWith('assay'),
    ),
  },

  'oauth.code.good-once': {
    'accepts a code twice': forgets((times) => times === 2),
    'accepts a code a third time': forgets((times) => times === 3),
    'accepts a code twice without code_verifier': forgets((_, { code_verifier }) => code_verifier === undefined),
    'reports a used code as an invalid request': refusesWith(
      'invalid_grant',
      { error: 'invalid_request' },
      ({ code }) => code !== undefined,
    ),
    'returns 401 for a used code': refusesWith(
      'invalid_grant',
      { status: 401 },
      ({ code_verifier }) => code_verifier !== undefined,
    ),
  },
};
