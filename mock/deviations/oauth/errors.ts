/** Faults in how the token endpoint refuses, and in how often a code is good. */
import { deviationsOf } from '../table.ts';
import type { Deviation, Deviations } from '../deviation.ts';
import { basicOf, isTokenRequest, onToken, refusesAs, tokenAnswer, trusts, type Fields } from './faults.ts';
import { anew } from '../anew.ts';
import { readBytes } from '../../http/read-bytes.ts';
import type { Context } from '../../pipeline/context.ts';

async function formOf(ctx: Context): Promise<Fields> {
  return isTokenRequest(ctx) ? Object.fromEntries(new URLSearchParams((await readBytes(ctx.req)).toString())) : {};
}

/** Forgets that a code has been used, for some exchanges. */
function forgets(what: string, concerns: (times: number, fields: Fields, ctx: Context) => boolean): Deviation {
  return anew(what, () => {
    const times = new Map<string, number>();
    return {
      what,
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

const rightSecret = (ctx: Context): string => ctx.state.world.clients.get(basicOf(ctx)?.id ?? '')?.secret ?? '\n';

/** Gives a token for a grant type that there is not. */
function guesses(what: string, concerns: (fields: Fields) => boolean): Deviation {
  return onToken(
    what,
    (status, fields) => status === 400 && concerns(fields),
    (_, __, ctx) => tokenAnswer(ctx, ['agents:get'], 'agents:get'),
  );
}

const isMissing = ({ grant_type = '' }: Fields): boolean => grant_type === '';

export const errorsDeviations: Deviations = deviationsOf({
  'oauth.errors.invalid-client': {
    '': refusesAs('calls a wrong secret an invalid request', 'invalid_client', {
      error: 'invalid_request',
    }),
    '403': refusesAs(
      'answers an unknown client 403',
      'invalid_client',
      { status: 403 },
      (_, ctx) => basicOf(ctx)?.id === 'assay-unknown',
    ),
    beginning: trusts('takes what goes on after the secret for the secret', (ctx) =>
      (basicOf(ctx)?.secret ?? '').startsWith(rightSecret(ctx)),
    ),
    empty: trusts('asks for no secret where it is empty', (ctx) => (basicOf(ctx)?.secret ?? '') === ''),
    id: onToken(
      'calls a client unauthorized whose id is almost known',
      (status, _, ctx) => status === 401 && (basicOf(ctx)?.id ?? '').startsWith('demo-'),
      (reply, answer) => ({ ...reply, body: { ...answer, error: 'unauthorized_client' } }),
    ),
    code: {
      what: 'asks for no secret where there is a code',
      wrap: (app) => async (ctx) => {
        const { grant_type } = await formOf(ctx);
        await trusts('', () => grant_type === 'authorization_code').wrap(app)(ctx);
      },
    },
    body: onToken(
      'takes any secret in the body',
      (status, { client_id, client_secret }) =>
        status === 401 && client_id === 'demo-client' && client_secret !== undefined,
      (_, __, ctx) => tokenAnswer(ctx, ['agents:get'], 'agents:get'),
    ),
  },

  'oauth.errors.grant-type': {
    '': refusesAs('calls an unknown grant_type an invalid grant', 'unsupported_grant_type', {
      error: 'invalid_grant',
    }),
    '401': refusesAs(
      'answers an unknown grant_type 401 where the client is in the body',
      'unsupported_grant_type',
      { status: 401 },
      ({ client_id }) => client_id !== undefined,
    ),
    'letter-case': guesses(
      'takes a grant_type in any letter case',
      ({ grant_type }) => grant_type === 'CLIENT_CREDENTIALS',
    ),
    beginning: guesses(
      'takes whatever goes on after client_credentials for it',
      ({ grant_type }) => grant_type === 'client_credentialss',
    ),
    missing: refusesAs(
      'calls a missing grant_type unsupported',
      'invalid_request',
      { error: 'unsupported_grant_type' },
      ({ grant_type }) => grant_type === undefined,
    ),
    empty: refusesAs(
      'calls an empty grant_type unsupported',
      'invalid_request',
      { error: 'unsupported_grant_type' },
      (fields) => isMissing(fields),
    ),
    default: guesses(
      'takes a missing grant_type for client_credentials where there is a scope',
      (fields) => isMissing(fields) && fields['scope'] !== undefined,
    ),
    guess: refusesAs(
      'guesses a missing grant_type from the code',
      'invalid_request',
      { error: 'invalid_grant' },
      (fields) => isMissing(fields) && fields['code'] !== undefined,
    ),
  },

  'oauth.code.good-once': {
    '': forgets('takes a code twice', (times) => times === 2),
    third: forgets('takes a code a third time', (times) => times === 3),
    'no-key': forgets(
      'takes a code twice where there is no code_verifier',
      (_, { code_verifier }) => code_verifier === undefined,
    ),
    error: refusesAs(
      'calls a code that has been used an invalid request',
      'invalid_grant',
      { error: 'invalid_request' },
      ({ code }) => code !== undefined,
    ),
    '401': refusesAs(
      'answers a code that has been used 401',
      'invalid_grant',
      { status: 401 },
      ({ code_verifier }) => code_verifier !== undefined,
    ),
  },
});
