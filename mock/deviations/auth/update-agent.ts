/** Deviations of how agent updates refuse a missing or invalid credential. */
import type { Effect } from '../deviation.ts';
import { across, type Row, type Table } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { all, always, not, when, type Condition, on } from '../conditions.ts';
import {
  anonymous,
  expiredToken,
  headerValue,
  inHeader,
  ofModernMcp,
  statusIs,
  tokenOf,
  unknownToken,
} from './conditions.ts';
import { forged, isSignedByEmbeddedKey, isSignedWithSecret, issued, pemOf, type SentJwt } from './jwt-conditions.ts';
import { applyBeforeAuth, bypassAuth, respond, runAsAdmin, stored } from './effects.ts';

const update = on('updateAgent');
const withoutToken = when('Bearer without a token', (ctx) => /^bearer *$/i.test(headerValue(ctx, 'standard') ?? ''));
const anonymousUpdate = all(update, anonymous);
const unknownUpdate = all(update, unknownToken);

type IsLike = (sent: string, issued: string) => boolean;
/** Accepts unknown tokens that relate to an issued one. */
const acceptsToken = (isLike: IsLike, carrier = always): Row => [
  all(
    unknownUpdate,
    carrier,
    when('like an issued one', (ctx) => issued(ctx).some((known) => isLike(tokenOf(ctx) ?? '', known))),
  ),
  bypassAuth,
];
const acceptsJwt = (isLike: IsLike, carrier?: Condition): Row =>
  acceptsToken((sent, known) => known.includes('.') && isLike(sent, known), carrier);
const acceptsKey = (isLike: IsLike): Row => acceptsToken((sent, known) => !known.includes('.') && isLike(sent, known));
const acceptsForged = (holds: (jwt: SentJwt, ctx: Context) => boolean): Row => [
  all(update, forged('forged', holds)),
  bypassAuth,
];
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

export const updateAgentDeviations: Table = {
  'auth.update-agent.missing-credential-401': {
    'returns 403 for an agent update without a credential': [all(anonymousUpdate, statusIs(401)), respond(403)],
    'accepts an agent update without a credential that claims to come from loopback': [
      all(anonymousUpdate, fromLoopback),
      bypassAuth,
    ],
    'updates an agent before it requires a credential': [anonymousUpdate, applyBeforeAuth],
    ...stored(anonymousUpdate, 401),
    'returns no Error body for an update without a credential that sends a version': [
      all(anonymousUpdate, statusIs(401), sendsVersion),
      respond(401, { message: 'Unauthorized' }),
    ],
    'accepts an update without a credential directly after one with a credential': [anonymousUpdate, bypassAfterUpdate],
  },
  'auth.update-agent.bad-credential-401': {
    'accepts a JWT without a signature': acceptsForged(({ parts }) => parts[2] === ''),
    'accepts a JWT of two parts': acceptsJwt((sent, known) => sent === known.split('.', 2).join('.')),
    'accepts Bearer without a token': [all(update, withoutToken), bypassAuth],
    'accepts alg None and NONE': acceptsForged(({ header }) => ['None', 'NONE'].includes(String(header['alg']))),
    'accepts a JWT with another kid': acceptsForged(({ parts: [, ...rest] }, ctx) =>
      issued(ctx).some((each) => each.endsWith(`.${rest.join('.')}`)),
    ),
    'accepts a JWT signed with the key in its header': acceptsForged(isSignedByEmbeddedKey),
    'accepts a JWT signed with an empty key': acceptsForged((sent) => isSignedWithSecret(sent, '')),
    'accepts a JWT signed with the public key as the secret': acceptsForged((sent, ctx) =>
      isSignedWithSecret(sent, pemOf(ctx)),
    ),
    'compares only 40 characters of a signature': acceptsJwt(
      (sent, known) => sent.slice(0, -46) === known.slice(0, -46),
    ),
    'accepts any signature that it has issued': acceptsJwt((sent, known) =>
      sent.endsWith(known.slice(signedPart(known).length)),
    ),
    'does not verify a JWT in the brand header': acceptsJwt(
      (sent, known) => signedPart(sent) === signedPart(known),
      inHeader('brand'),
    ),
    'accepts a signature with characters appended': acceptsJwt(
      (sent, known) => sent.startsWith(known) && !sent.slice(known.length).includes('.'),
    ),
    'ignores everything after three parts of a JWT': acceptsJwt((sent, known) => sent.startsWith(`${known}.`)),
    'accepts a key with characters appended': acceptsKey((sent, known) => sent.startsWith(known)),
    'accepts a key without its last character': acceptsKey(
      (sent, known) => sent.length === known.length - 1 && known.startsWith(sent),
    ),
    'accepts a key in any letter case': acceptsKey((sent, known) => sent.toLowerCase() === known.toLowerCase()),
    'accepts other schemes than Bearer in the brand header': [all(update, inHeader('brand'), otherScheme), bypassAuth],
    'returns 403 for an unknown key': [all(unknownUpdate, statusIs(401), opaqueToken), respond(403)],
    'returns 500 for a JWT whose header is not an object': [all(update, headerIsList), respond(500)],
    ...stored(unknownUpdate, 401),
    'updates an agent before it checks the credential': [unknownUpdate, applyBeforeAuth],
  },
  'auth.credentials.expired-refused': {
    ...across(
      [
        always,
        update,
        inHeader('brand'),
        all(update, inHeader('brand')),
        on('getAccountMetrics'),
        on('readTree', 'listMultipartUploads'),
        on('queryAgent'),
        on('queryModel', 'createChatCompletion', 'createJobExecution'),
        on('postFunctionMcp'),
        all(on('postFunctionMcp'), ofModernMcp),
        on('createJobExecution'),
        on('createVpc'),
        all(on('deleteVolumeTemplateVersion'), inHeader('brand')),
      ],
      { 'accepts expired tokens': [expiredToken, bypassAuth] },
    ),
    'returns 403 for an agent update with an expired token': [all(update, expiredToken, statusIs(401)), respond(403)],
    ...stored(all(update, expiredToken), 401),
  },
};
