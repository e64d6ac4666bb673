/** Deviations that accept tokens that were never issued, each at one API. */
import type { Table } from '../table.ts';
import { keySetOf } from '../../domains/oauth/key-set.ts';
import type { Context } from '../../pipeline/context.ts';
import { all, on, type Condition } from '../conditions.ts';
import { statusIs } from './conditions.ts';
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

const at = (api: Condition, name: string, holds: Holds): Condition => all(api, forged(name, holds));

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

const pointsToHost =
  (parameter: 'jku' | 'x5u'): Holds =>
  ({ header }) =>
    String(header[parameter]).startsWith('https:');

const isOwnSigned: Holds = ({ header: { alg }, parts: [, , signature = ''] }) =>
  alg === 'EdDSA' && Buffer.from(signature, 'base64url').length === 64;

const isOfAnotherIssuer: Holds = ({ claims }, { state }) => claims['iss'] !== state.world.addresses.host;

export const forgedTokensDeviations: Table = {
  'auth.forged-tokens.refused': {
    'accepts alg none for the list of accounts': [
      at(
        accounts,
        'alg none',
        algIs((alg) => alg === 'none'),
      ),
      bypassAuth,
    ],
    'accepts alg None and NONE for a sandbox': [
      at(
        files,
        'alg None',
        algIs((alg) => alg === 'None' || alg === 'NONE'),
      ),
      bypassAuth,
    ],
    'refuses only usual spellings of alg none for agent queries': [
      at(
        agents,
        'alg nOnE',
        algIs((alg) => /^none$/i.test(alg) && !['none', 'None', 'NONE'].includes(alg)),
      ),
      bypassAuth,
    ],
    'ignores the signature of a token with alg none for metrics': [
      at(
        metrics,
        'alg none, signed',
        algIs((alg) => alg === 'none', true),
      ),
      bypassAuth,
    ],
    'accepts a token of two parts for the list of accounts': [
      at(accounts, 'of two parts', ({ parts }) => parts.length === 2),
      bypassAuth,
    ],
    'accepts a token without an algorithm for agent queries': [
      at(agents, 'without alg', ({ header }) => header['alg'] === undefined),
      bypassAuth,
    ],
    'accepts an HMAC with an empty secret for a sandbox': [
      at(files, 'with an empty secret', (jwt) => isSignedWithSecret(jwt, '')),
      bypassAuth,
    ],
    'accepts an HMAC with the public key as PEM for the list of accounts': [
      at(accounts, 'with the PEM as secret', (jwt, ctx) => isSignedWithSecret(jwt, pemOf(ctx))),
      bypassAuth,
    ],
    'accepts an HMAC with the public key as PEM, without its last line feed, for metrics': [
      at(metrics, 'with the trimmed PEM as secret', (jwt, ctx) => isSignedWithSecret(jwt, pemOf(ctx).trim())),
      bypassAuth,
    ],
    'accepts an HMAC with the public key as DER for agent queries': [
      at(agents, 'with the DER as secret', (jwt, ctx) => isSignedWithSecret(jwt, derOf(ctx))),
      bypassAuth,
    ],
    'accepts an HMAC with the published JWK for a sandbox': [
      at(files, 'with the JWK as secret', (jwt, { state: { world } }) =>
        keySetOf(world.signingKey).keys.some((key) => isSignedWithSecret(jwt, JSON.stringify(key))),
      ),
      bypassAuth,
    ],
    'accepts an HMAC with the bytes of the public key for the list of accounts': [
      at(accounts, 'with the key as secret', (jwt, ctx) =>
        isSignedWithSecret(jwt, Buffer.from(ctx.state.world.signingKey.publicJwk.x ?? '', 'base64url')),
      ),
      bypassAuth,
    ],
    'checks only the length of a signature for metrics': [
      at(metrics, 'with another signature', (jwt, ctx) => isOwnSigned(jwt, ctx) && sharesParts(0, 1)(jwt, ctx)),
      bypassAuth,
    ],
    'does not verify a token without a kid for a sandbox': [
      at(files, 'without a kid', (jwt, ctx) => isOwnSigned(jwt, ctx) && jwt.header['kid'] === undefined),
      bypassAuth,
    ],
    'does not verify a token whose kid it does not know for the list of accounts': [
      at(accounts, 'with an unknown kid', (jwt, ctx) => jwt.header['kid'] !== ctx.state.world.signingKey.id),
      bypassAuth,
    ],
    'trusts the key in the header of a token for agent queries': [
      at(agents, 'signed by its jwk', isSignedByEmbeddedKey),
      bypassAuth,
    ],
    'trusts the certificate in the header of a token for metrics': [
      at(metrics, 'signed by its x5c', isSignedByEmbeddedCertificate),
      bypassAuth,
    ],
    'trusts the key set behind jku for a sandbox': [at(files, 'signed by its jku', isSignedByLinkedKey), bypassAuth],
    'returns 500 for a jku that it cannot fetch for the list of accounts': [
      all(at(accounts, 'with a remote jku', pointsToHost('jku')), statusIs(401)),
      respond(500),
    ],
    'trusts the certificate behind x5u for agent queries': [
      at(agents, 'signed by its x5u', isSignedByLinkedCertificate),
      bypassAuth,
    ],
    'returns 500 for an x5u that it cannot fetch for a sandbox': [
      all(at(files, 'with a remote x5u', pointsToHost('x5u')), statusIs(401)),
      respond(500),
    ],
    'verifies only the payload of a token for metrics': [
      at(metrics, 'with another header', sharesParts(1, 2)),
      bypassAuth,
    ],
    'does not verify tokens of other issuers for agent queries': [
      at(agents, 'of another issuer', isOfAnotherIssuer),
      bypassAuth,
    ],
    'returns 500 if the keys of an issuer cannot be fetched for metrics': [
      all(
        at(
          metrics,
          'signed for another issuer',
          (jwt, ctx) => isOfAnotherIssuer(jwt, ctx) && !sharesParts(2)(jwt, ctx),
        ),
        statusIs(401),
      ),
      respond(500),
    ],
    'does not verify tokens for other audiences for a sandbox': [
      at(files, 'for another audience', ({ claims }, { state }) => claims['aud'] !== state.world.addresses.management),
      bypassAuth,
    ],
    'does not verify tokens of other types for the list of accounts': [
      at(accounts, 'of another type', ({ header }) => header['typ'] !== 'at+jwt'),
      bypassAuth,
    ],
    'does not verify tokens with critical parameters for agent queries': [
      at(agents, 'with crit', ({ header }) => header['crit'] !== undefined),
      bypassAuth,
    ],
    'does not verify tokens that are not valid yet for metrics': [
      at(metrics, 'with nbf', ({ claims }) => claims['nbf'] !== undefined),
      bypassAuth,
    ],
    'does not verify the claims of a token for a sandbox': [
      at(files, 'with other claims', sharesParts(0, 2)),
      bypassAuth,
    ],
  },
};
