/** Deviations that accept tokens that were never issued, each at one API. */
import { across, type Row, type Rows, type Table } from '../table.ts';
import { earlierCertificate, earlierKey, keySetOf } from '../../domains/oauth/key-set.ts';
import type { Context } from '../../pipeline/context.ts';
import { all, on, type Condition } from '../conditions.ts';
import { refreshToken, statusIs } from './conditions.ts';
import { bypassAuth, respond } from './effects.ts';
import {
  derOf,
  forged,
  isSignedByEmbeddedCertificate,
  isSignedByEmbeddedKey,
  isSignedByLinkedCertificate,
  isSignedByLinkedKey,
  isSignedWithSecret,
  issued,
  pemOf,
  type SentJwt,
} from './jwt-conditions.ts';

type Holds = (jwt: SentJwt, ctx: Context) => boolean;

/** Accepts forged tokens at each of these APIs. */
const accepts = (apis: Condition | readonly Condition[], mistakes: Readonly<Record<string, Holds>>): Rows =>
  across(
    [apis].flat(),
    Object.fromEntries(Object.entries(mistakes).map(([what, holds]) => [what, [forged('forged', holds), bypassAuth]])),
  );
const fails = (api: Condition, holds: Holds): Row => [all(api, forged('forged', holds), statusIs(401)), respond(500)];

const accounts = on('listAccounts');
const metrics = on('getAccountMetrics');
const agents = on('queryAgent');
const files = on('readTree', 'listMultipartUploads');

const algIs =
  (matches: (alg: string) => boolean, isSigned = false): Holds =>
  ({ header: { alg }, parts: [, , signature = ''] }) =>
    matches(String(alg)) && isSigned === signature.length > 0;

/** Whether an issued token has these parts. */
const sharesParts =
  (...places: readonly (0 | 1 | 2)[]): Holds =>
  ({ parts }, ctx) =>
    issued(ctx).some((token) => {
      const known = token.split('.');
      return known.length === parts.length && places.every((place) => known[place] === parts[place]);
    });

/** Whether the signature is the beginning of that which was issued. */
const isCutOff: Holds = ({ parts: [header, payload, signature = ''] }, ctx) =>
  issued(ctx).some((token) => {
    const [first, second, whole = ''] = token.split('.');
    const [sent, known] = [signature, whole].map((each) => Buffer.from(each, 'base64url'));
    return first === header && second === payload && sent!.length > 0 && known!.subarray(0, sent!.length).equals(sent!);
  });

const pointsToHost =
  (parameter: 'jku' | 'x5u'): Holds =>
  ({ header }) =>
    String(header[parameter]).startsWith('https:');

const isOwnSigned: Holds = ({ header: { alg }, parts: [, , signature = ''] }) =>
  alg === 'EdDSA' && Buffer.from(signature, 'base64url').length === 64;

const isOfAnotherIssuer: Holds = ({ claims }, { state }) => claims['iss'] !== state.world.addresses.host;

export const forgedTokensDeviations: Table = {
  'auth.forged-tokens.refused': {
    ...accepts(accounts, {
      'accepts alg none': algIs((alg) => alg === 'none'),
      'accepts a token of two parts': ({ parts }) => parts.length === 2,
      'accepts an HMAC with the public key as PEM': (jwt, ctx) => isSignedWithSecret(jwt, pemOf(ctx)),
      'accepts an HMAC with the bytes of the public key': (jwt, { state: { world } }) =>
        isSignedWithSecret(jwt, Buffer.from(world.signingKey.publicJwk.x ?? '', 'base64url')),
      'does not verify a token whose kid it does not know': ({ header }, { state: { world } }) =>
        keySetOf(world.signingKey).keys.every(({ kid }) => kid !== header['kid']),
      'does not verify tokens of other types': ({ header }) => header['typ'] !== 'at+jwt',
    }),
    ...accepts(files, {
      'accepts alg None and NONE': algIs((alg) => alg === 'None' || alg === 'NONE'),
      'accepts an HMAC with an empty secret': (jwt) => isSignedWithSecret(jwt, ''),
      'accepts an HMAC with an empty secret if it does not know the kid': (jwt, ctx) =>
        jwt.header['kid'] !== ctx.state.world.signingKey.id && isSignedWithSecret(jwt, ''),
      'accepts a signature of zeros': ({ parts: [, , signature = ''] }) => /^A{20,}$/.test(signature),
      'accepts an HMAC with the published JWK': (jwt, { state: { world } }) =>
        keySetOf(world.signingKey).keys.some((key) => isSignedWithSecret(jwt, JSON.stringify(key))),
      'does not verify a token without a kid': (jwt, ctx) => isOwnSigned(jwt, ctx) && jwt.header['kid'] === undefined,
      'trusts the key set behind jku': isSignedByLinkedKey,
      'does not verify tokens for other audiences': ({ claims }, { state }) =>
        claims['aud'] !== state.world.addresses.management,
      'does not verify the claims of a token': sharesParts(0, 2),
    }),
    ...accepts(agents, {
      'refuses only usual spellings of alg none': algIs(
        (alg) => /^none$/i.test(alg) && !['none', 'None', 'NONE'].includes(alg),
      ),
      'accepts a token without an algorithm': ({ header }) => header['alg'] === undefined,
      'accepts an HMAC with the public key as DER': (jwt, ctx) => isSignedWithSecret(jwt, derOf(ctx)),
      'trusts the key in the header of a token': isSignedByEmbeddedKey,
      'trusts the certificate behind x5u': isSignedByLinkedCertificate,
      'does not verify tokens of other issuers': isOfAnotherIssuer,
      'does not verify tokens with critical parameters': ({ header }) => header['crit'] !== undefined,
    }),
    ...accepts(metrics, {
      'does not verify a token without a signature': (jwt, ctx) => jwt.parts[2] === '' && sharesParts(0, 1)(jwt, ctx),
      'verifies only as much of a signature as there is': isCutOff,
      'ignores the signature of a token with alg none': algIs((alg) => alg === 'none', true),
      'accepts an HMAC with the public key as PEM, without its last line feed': (jwt, ctx) =>
        isSignedWithSecret(jwt, pemOf(ctx).trim()),
      'checks only the length of a signature': (jwt, ctx) => isOwnSigned(jwt, ctx) && sharesParts(0, 1)(jwt, ctx),
      'trusts the certificate in the header of a token': isSignedByEmbeddedCertificate,
      'verifies only the payload of a token': sharesParts(1, 2),
      'does not verify tokens that are not valid yet': ({ claims }) => claims['nbf'] !== undefined,
    }),
    ...accepts([accounts, agents], {
      'does not verify a token with the kid of its other key': (jwt, ctx) =>
        jwt.header['kid'] === earlierKey.kid && sharesParts(1, 2)(jwt, ctx),
      'accepts an HMAC with the published certificate as PEM': (jwt) =>
        isSignedWithSecret(jwt, earlierCertificate.toString()),
    }),
    ...accepts([files, metrics], {
      'accepts an HMAC with the public key as PKCS #1 PEM': (jwt) =>
        isSignedWithSecret(jwt, earlierCertificate.publicKey.export({ type: 'pkcs1', format: 'pem' })),
    }),
    ...across([accounts, files], { 'accepts a refresh token as a credential': [refreshToken, bypassAuth] }),
    'returns 500 for a jku that it cannot fetch': fails(accounts, pointsToHost('jku')),
    'returns 500 for an x5u that it cannot fetch': fails(files, pointsToHost('x5u')),
    'returns 500 if the keys of an issuer cannot be fetched': fails(
      metrics,
      (jwt, ctx) => isOfAnotherIssuer(jwt, ctx) && !sharesParts(2)(jwt, ctx),
    ),
  },
};
