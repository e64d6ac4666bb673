/** Faults in how agent update refuses who has no credential, or a bad one. */
import { deviationsOf } from '../table.ts';
import { createHmac, createPublicKey, verify } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { anew } from '../anew.ts';
import type { Context } from '../../pipeline/context.ts';
import { isFor, type Deviation, type Deviations } from '../deviation.ts';
import {
  all,
  answersStatus,
  at,
  comesBy,
  isAnonymous,
  isStatus,
  isUnknown,
  setsInSpite,
  lets,
  sentIn,
  tokenOf,
  tooLate,
  withMembers,
  type Concerns,
} from './faults.ts';

const update = at('updateAgent');
const anonymous = all(update, isAnonymous);

interface Parts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly text: readonly string[];
}

function partsOf(ctx: Context): Parts | undefined {
  const text = tokenOf(ctx)?.split('.') ?? [];
  try {
    const header: unknown = JSON.parse(Buffer.from(text[0] ?? '', 'base64url').toString());
    return { header: header as Parts['header'], text };
  } catch {
    return undefined;
  }
}

/** Takes a JWT that nobody issued for a good one. */
function takes(what: string, is: (jwt: Parts, ctx: Context) => boolean): Deviation {
  return lets(`Accepts ${what} at agent update`, (ctx) => {
    const jwt = update(ctx) && isUnknown(ctx) ? partsOf(ctx) : undefined;
    return jwt !== undefined && is(jwt, ctx);
  });
}

const known = (ctx: Context): string[] => [...ctx.state.world.credentials.keys()];
const tokenIs =
  (test: (token: string, known: string) => boolean): Concerns =>
  (ctx) =>
    update(ctx) && isUnknown(ctx) && known(ctx).some((each) => test(tokenOf(ctx) ?? '', each));
const signedPart = (token: string): string => token.slice(0, token.lastIndexOf('.'));

/** As a verifier does that lets the token say what it is to be verified with. */
function isSignedByItsOwnKey({ header: { jwk }, text: [header, payload, signature = ''] }: Parts): boolean {
  if (jwk === undefined) return false;
  const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  return verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
}

function isSignedWithEmptyKey({ text: [header, payload, signature] }: Parts): boolean {
  return createHmac('sha256', '').update(`${header}.${payload}`).digest('base64url') === signature;
}

export const updateAgentDeviations: Deviations = deviationsOf({
  'auth.update-agent.missing-credential-401': {
    '': answersStatus('Returns 403 for an agent update without a credential', 403, all(anonymous, isStatus(401))),
    loopback: lets(
      'Accepts an agent update without a credential that claims to come from loopback',
      (ctx) => anonymous(ctx) && ctx.get('x-forwarded-for') === '127.0.0.1',
    ),
    'too-late': tooLate('Updates an agent before it requires a credential', anonymous),
    triggers: setsInSpite(
      'Sets the triggers of an update without a credential but returns 401',
      401,
      anonymous,
      withMembers('triggers'),
    ),
    enabled: setsInSpite(
      'Disables an agent by an update without a credential but returns 401',
      401,
      anonymous,
      withMembers('enabled'),
    ),
    variables: setsInSpite(
      'Sets the environment variables of an update without a credential but returns 401',
      401,
      anonymous,
    ),
    body: answersStatus(
      'Returns no Error body for an update without a credential that sends a version',
      401,
      (ctx) => anonymous(ctx) && isStatus(401)(ctx) && ctx.get(ctx.state.world.headers.version) !== '',
      { message: 'Unauthorized' },
    ),
    remembers: anew('Accepts an update without a credential directly after one with a credential', (what) => {
      let justUpdated = false;
      const remembered = lets(what, (ctx) => anonymous(ctx) && justUpdated);
      return {
        what,
        wrap: (app) => async (ctx) => {
          await remembered.wrap(app)(ctx);
          justUpdated = isFor(ctx, ['updateAgent']) && !isAnonymous(ctx) && isStatus(200)(ctx);
        },
      };
    }),
  },

  'auth.update-agent.bad-credential-401': {
    '': takes('a JWT without a signature', ({ text }) => text[2] === ''),
    'alg-none': takes('alg None and NONE', ({ header }) => ['None', 'NONE'].includes(String(header['alg']))),
    'unsigned-header': takes('a JWT with another kid', ({ text: [, ...rest] }, ctx) =>
      known(ctx).some((token) => token.endsWith(`.${rest.join('.')}`)),
    ),
    'own-key': takes('a JWT signed with the key in its header', isSignedByItsOwnKey),
    'empty-key': takes('a JWT signed with an empty key', isSignedWithEmptyKey),
    'signature-begins': lets(
      'Compares only 40 characters of a signature at agent update',
      tokenIs((token, right) => right.includes('.') && token.slice(0, -46) === right.slice(0, -46)),
    ),
    'any-signature': lets(
      'Accepts any signature that it has issued at agent update',
      tokenIs((token, right) => right.includes('.') && token.endsWith(right.slice(signedPart(right).length))),
    ),
    'unverified-in-brand': lets(
      'Does not verify a JWT in the brand header of an agent update',
      all(
        comesBy('brand'),
        tokenIs((token, right) => right.includes('.') && signedPart(token) === signedPart(right)),
      ),
    ),
    'longer-signature': lets(
      'Accepts a signature with characters appended at agent update',
      tokenIs(
        (token, right) => right.includes('.') && token.startsWith(right) && !token.slice(right.length).includes('.'),
      ),
    ),
    'fourth-part': lets(
      'Ignores everything after three parts of a JWT at agent update',
      tokenIs((token, right) => right.includes('.') && token.startsWith(`${right}.`)),
    ),
    'longer-key': lets(
      'Accepts a key with characters appended at agent update',
      tokenIs((token, right) => !right.includes('.') && token.startsWith(right)),
    ),
    'most-of-a-key': lets(
      'Accepts a key without its last character at agent update',
      tokenIs((token, right) => !right.includes('.') && token.length === right.length - 1 && right.startsWith(token)),
    ),
    'letter-case': lets(
      'Accepts a key in any letter case at agent update',
      tokenIs((token, right) => !right.includes('.') && token.toLowerCase() === right.toLowerCase()),
    ),
    basic: lets(
      'Accepts other schemes than Bearer in the brand header of an agent update',
      (ctx) => update(ctx) && sentIn(ctx, 'brand') !== undefined && !/^bearer/i.test(sentIn(ctx, 'brand') ?? ''),
    ),
    '403': answersStatus(
      'Returns 403 for an agent update with an unknown key',
      403,
      (ctx) => update(ctx) && isStatus(401)(ctx) && isUnknown(ctx) && !tokenOf(ctx)?.includes('.'),
    ),
    'no-object': answersStatus(
      'Returns 500 for a JWT whose header is not an object at agent update',
      500,
      (ctx) => update(ctx) && tokenOf(ctx)?.startsWith('W10.') === true,
    ),
    triggers: setsInSpite(
      'Sets the triggers of an update with an unknown token but returns 401',
      401,
      all(update, isUnknown),
      withMembers('triggers'),
    ),
    enabled: setsInSpite(
      'Disables an agent by an update with an unknown token but returns 401',
      401,
      all(update, isUnknown),
      withMembers('enabled'),
    ),
    variables: setsInSpite(
      'Sets the environment variables of an update with an unknown token but returns 401',
      401,
      all(update, isUnknown),
    ),
    'too-late': tooLate('Updates an agent before it checks the credential', (ctx) => update(ctx) && isUnknown(ctx)),
  },
});
