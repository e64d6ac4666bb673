/** Deviations of errors of the token endpoint and of the reuse of codes. */
import { deviationsOf } from '../table.ts';
import type { Deviation, Deviations } from '../deviation.ts';
import {
  basicOf,
  isTokenRequest,
  onToken,
  refusesWith,
  tokenReply,
  acceptsClient,
  type Fields,
} from './token-responses.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import { readBytes } from '../../http/read-bytes.ts';
import type { Context } from '../../pipeline/context.ts';

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

const rightSecret = (ctx: Context): string => ctx.state.world.clients.get(basicOf(ctx)?.id ?? '')?.secret ?? '\n';

/** Issues a token for an unknown grant type. */
function guesses(what: string, concerns: (fields: Fields) => boolean): Deviation {
  return onToken(
    what,
    (status, fields) => status === 400 && concerns(fields),
    (_, __, ctx) => tokenReply(ctx, ['agents:get'], 'agents:get'),
  );
}

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
      (status, { client_id, client_secret }) =>
        status === 401 && client_id === 'demo-client' && client_secret !== undefined,
      (_, __, ctx) => tokenReply(ctx, ['agents:get'], 'agents:get'),
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
