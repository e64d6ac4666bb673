/** Deviations of how agent updates refuse a missing or invalid credential. */
import type { Effect } from '../deviation.ts';
import type { Rows, Table } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { all, not, when, type Condition, on } from '../conditions.ts';
import { anonymous, expiredToken, headerValue, inHeader, statusIs, tokenOf, unknownToken } from './conditions.ts';
import { forged, isSignedByEmbeddedKey, isSignedWithSecret, issued, pemOf, type SentJwt } from './jwt-conditions.ts';
import { applyBeforeAuth, bypassAuth, respond, runAsAdmin, storeRefused, withMembers } from './effects.ts';

const update = on('updateAgent');
const withoutToken = when('Bearer without a token', (ctx) => /^bearer *$/i.test(headerValue(ctx, 'standard') ?? ''));
const anonymousUpdate = all(update, anonymous);
const unknownUpdate = all(update, unknownToken);

/** A JWT that was not issued. */
const jwt = (name: string, holds: (jwt: SentJwt, ctx: Context) => boolean): Condition =>
  all(update, forged(name, holds));

/** An unknown token that relates to an issued one. */
const token = (name: string, holds: (token: string, issued: string) => boolean): Condition =>
  all(
    unknownUpdate,
    when(name, (ctx) => issued(ctx).some((each) => holds(tokenOf(ctx) ?? '', each))),
  );
const jwtLike = (name: string, holds: (token: string, issued: string) => boolean): Condition =>
  token(name, (sent, known) => known.includes('.') && holds(sent, known));
const keyLike = (name: string, holds: (token: string, issued: string) => boolean): Condition =>
  token(name, (sent, known) => !known.includes('.') && holds(sent, known));
const signedPart = (value: string): string => value.slice(0, value.lastIndexOf('.'));

const fromLoopback = when('forwarded for loopback', (ctx) => ctx.get('x-forwarded-for') === '127.0.0.1');
const sendsVersion = when('with a version', (ctx) => ctx.get(ctx.state.world.headers.version) !== '');
const otherScheme = when(
  'another scheme in the brand header',
  (ctx) => !/^bearer/i.test(headerValue(ctx, 'brand') ?? ''),
);
const opaqueToken = when('with an opaque token', (ctx) => !tokenOf(ctx)?.includes('.'));
const headerIsList = when('a JWT whose header is a list', (ctx) => tokenOf(ctx)?.startsWith('W10.') === true);

/** Accepts requests that directly follow an accepted update with a credential. */
const bypassAfterUpdate: Effect = {
  kind: 'bypass auth',
  wrap: (app, applies) => {
    let justUpdated = false;
    return async (ctx) => {
      await (applies(ctx) && justUpdated ? runAsAdmin(app, ctx) : app(ctx));
      justUpdated = all(update, not(anonymous), statusIs(200)).holds(ctx);
    };
  },
};

/** Updates that are refused with 401 but stored in part. */
const stored = (condition: Condition, credential: string): Rows => ({
  [`sets the triggers of an update ${credential} but returns 401`]: [
    condition,
    storeRefused(401, withMembers('triggers')),
  ],
  [`disables an agent by an update ${credential} but returns 401`]: [
    condition,
    storeRefused(401, withMembers('enabled')),
  ],
  [`sets the environment variables of an update ${credential} but returns 401`]: [condition, storeRefused(401)],
});

export const updateAgentDeviations: Table = {
  'auth.update-agent.missing-credential-401': {
    'returns 403 for an agent update without a credential': [all(anonymousUpdate, statusIs(401)), respond(403)],
    'accepts an agent update without a credential that claims to come from loopback': [
      all(anonymousUpdate, fromLoopback),
      bypassAuth,
    ],
    'updates an agent before it requires a credential': [anonymousUpdate, applyBeforeAuth],
    ...stored(anonymousUpdate, 'without a credential'),
    'returns no Error body for an update without a credential that sends a version': [
      all(anonymousUpdate, statusIs(401), sendsVersion),
      respond(401, { message: 'Unauthorized' }),
    ],
    'accepts an update without a credential directly after one with a credential': [anonymousUpdate, bypassAfterUpdate],
  },
  'auth.update-agent.bad-credential-401': {
    'accepts a JWT without a signature at agent update': [
      jwt('without signature', ({ parts }) => parts[2] === ''),
      bypassAuth,
    ],
    'accepts a JWT of two parts at agent update': [
      jwtLike('of two parts', (sent, known) => sent === known.split('.', 2).join('.')),
      bypassAuth,
    ],
    'accepts Bearer without a token at agent update': [all(update, withoutToken), bypassAuth],
    'accepts alg None and NONE at agent update': [
      jwt('alg none', ({ header }) => ['None', 'NONE'].includes(String(header['alg']))),
      bypassAuth,
    ],
    'accepts a JWT with another kid at agent update': [
      jwt('with another header', ({ parts: [, ...rest] }, ctx) =>
        issued(ctx).some((each) => each.endsWith(`.${rest.join('.')}`)),
      ),
      bypassAuth,
    ],
    'accepts a JWT signed with the key in its header at agent update': [
      jwt('signed by its own key', isSignedByEmbeddedKey),
      bypassAuth,
    ],
    'accepts a JWT signed with an empty key at agent update': [
      jwt('signed with an empty key', (sent) => isSignedWithSecret(sent, '')),
      bypassAuth,
    ],
    'accepts a JWT signed with the public key as the secret at agent update': [
      jwt('signed with the public key as secret', (sent, ctx) => isSignedWithSecret(sent, pemOf(ctx))),
      bypassAuth,
    ],
    'compares only 40 characters of a signature at agent update': [
      jwtLike('with the same beginning', (sent, known) => sent.slice(0, -46) === known.slice(0, -46)),
      bypassAuth,
    ],
    'accepts any signature that it has issued at agent update': [
      jwtLike('with an issued signature', (sent, known) => sent.endsWith(known.slice(signedPart(known).length))),
      bypassAuth,
    ],
    'does not verify a JWT in the brand header of an agent update': [
      all(
        inHeader('brand'),
        jwtLike('with issued claims', (sent, known) => signedPart(sent) === signedPart(known)),
      ),
      bypassAuth,
    ],
    'accepts a signature with characters appended at agent update': [
      jwtLike(
        'with a longer signature',
        (sent, known) => sent.startsWith(known) && !sent.slice(known.length).includes('.'),
      ),
      bypassAuth,
    ],
    'ignores everything after three parts of a JWT at agent update': [
      jwtLike('with a fourth part', (sent, known) => sent.startsWith(`${known}.`)),
      bypassAuth,
    ],
    'accepts a key with characters appended at agent update': [
      keyLike('a longer key', (sent, known) => sent.startsWith(known)),
      bypassAuth,
    ],
    'accepts a key without its last character at agent update': [
      keyLike('a shorter key', (sent, known) => sent.length === known.length - 1 && known.startsWith(sent)),
      bypassAuth,
    ],
    'accepts a key in any letter case at agent update': [
      keyLike('a key in another letter case', (sent, known) => sent.toLowerCase() === known.toLowerCase()),
      bypassAuth,
    ],
    'accepts other schemes than Bearer in the brand header of an agent update': [
      all(update, inHeader('brand'), otherScheme),
      bypassAuth,
    ],
    'returns 403 for an agent update with an unknown key': [
      all(unknownUpdate, statusIs(401), opaqueToken),
      respond(403),
    ],
    'returns 500 for a JWT whose header is not an object at agent update': [all(update, headerIsList), respond(500)],
    ...stored(unknownUpdate, 'with an unknown token'),
    'updates an agent before it checks the credential': [unknownUpdate, applyBeforeAuth],
  },
  'auth.credentials.expired-refused': {
    'ignores the expiry of a token': [expiredToken, bypassAuth],
    'accepts expired tokens at agent update': [all(update, expiredToken), bypassAuth],
    'returns 403 for an agent update with an expired token': [all(update, expiredToken, statusIs(401)), respond(403)],
    'accepts expired tokens in the brand header': [all(expiredToken, inHeader('brand')), bypassAuth],
    'accepts expired tokens for metrics': [all(on('getAccountMetrics'), expiredToken), bypassAuth],
    'accepts expired tokens for reads of a sandbox': [
      all(on('readTree', 'listMultipartUploads'), expiredToken),
      bypassAuth,
    ],
    'accepts expired tokens for agent queries': [all(on('queryAgent'), expiredToken), bypassAuth],
    'accepts expired tokens for models and jobs': [
      all(on('queryModel', 'createChatCompletion', 'createJobExecution'), expiredToken),
      bypassAuth,
    ],
    'accepts expired tokens for MCP servers': [all(on('postFunctionMcp'), expiredToken), bypassAuth],
    'accepts expired tokens for job executions': [all(on('createJobExecution'), expiredToken), bypassAuth],
    ...stored(all(update, expiredToken), 'with an expired token'),
  },
};
