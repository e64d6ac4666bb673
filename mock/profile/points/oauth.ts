/** oauth.extras.*: what the authorization server offers beyond what the interface names. */
import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import { askedWith, askedWithHeaders } from '../../wrap/wrapping.ts';
import { type App } from '../../pipeline/app.ts';
import { NO_STORE, oauthError } from '../../domains/oauth/oauth-error.ts';
import { unknownPath } from '../../http/problems.ts';
import { readBytes } from '../../http/read-bytes.ts';
import type { TokenChoices } from '../../state/choices.ts';
import { answersWith, isSuccess, isTo, memberOf, refusesWhen } from '../layers.ts';
import type { Reply } from '../../http/reply.ts';
import {
  cannot,
  layered,
  namesIn,
  ofForm,
  type Follow,
  type Given,
  type Layer,
  type Point,
  type Points,
} from '../point.ts';
import { isObject } from '../../http/json-object.ts';

const documents: Readonly<Record<string, OperationId>> = {
  'the discovery document': 'getAuthorizationServerMetadata',
  'the OpenID discovery document': 'getOpenIdConfiguration',
  'the key set': 'getKeySet',
};

const choose = (tokens: Partial<TokenChoices>): Follow => ({ choices: { tokens } });

/** A document that is not served; its path is then unknown. */
function served(id: OperationId): Point {
  return ofForm('200', '"200" or the status of a refusal', /^(?<status>[345]\d\d)$/, ({ status }) => {
    const layer: Layer = (app) => async (ctx) => {
      await app(ctx);
      if (isTo(id)(ctx)) ctx.state.reply = { ...oauthError(unknownPath(ctx.path, [])), status: Number(status) };
    };
    return layered(layer);
  });
}

const OWN_LISTS: Readonly<Record<string, string>> = {
  response_types_supported: 'code',
  response_modes_supported: 'query',
  grant_types_supported: 'authorization_code, client_credentials, refresh_token',
  token_endpoint_auth_methods_supported: 'client_secret_basic, client_secret_post, none',
  revocation_endpoint_auth_methods_supported: 'client_secret_basic, client_secret_post, none',
  code_challenge_methods_supported: 'S256, plain',
  authorization_response_iss_parameter_supported: 'true',
  prompt_values_supported: 'consent, login, none, select_account',
};

const OWN_OF_OPENID = {
  ...OWN_LISTS,
  subject_types_supported: 'public',
  id_token_signing_alg_values_supported: 'EdDSA',
};

const MEMBER = /^(?<document>the (?:OpenID )?discovery document): (?<member>\w+_supported)$/;

/** For each list of a discovery document, also one that the mock's has not. */
export function listPoint(what: string): Point | undefined {
  const { document = '', member = '' } = MEMBER.exec(what)?.groups ?? {};
  const id = documents[document];
  if (id === undefined) return undefined;
  const ownLists: Readonly<Record<string, string>> = id === 'getOpenIdConfiguration' ? OWN_OF_OPENID : OWN_LISTS;
  const own = ownLists[member];
  const point = ofForm(own, 'names with a comma between them, or a JSON value that is no list', /^[^]*$/, (_, saw) => {
    const value = valueOf(saw);
    if (value === undefined) return undefined;
    const answers = answersWith(
      (ctx, reply) => isSuccess(reply) && isTo(id)(ctx),
      (body) => ({ ...(body as object), [member]: value }),
    );
    return layered(answers);
  });
  return member === SIGNS ? { ...point, ownWith: ({ chosen }) => own && chosen.tokens.alg } : point;
}

const SIGNS = 'id_token_signing_alg_values_supported';

/** A target's member may be anything, whatever RFC 8414 says of it. */
function valueOf(saw: string): unknown {
  if (saw === '') return [];
  const value = jsonIn(saw);
  return value !== undefined && JSON.stringify(value) === saw && !Array.isArray(value) ? value : namesIn(saw);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // Then it is a list of names.
  }
}

const asksToken = isTo('requestToken');
const fieldIn = ({ state }: Context, name: string): unknown => memberOf(state.body, name);
/** A bearer is no client's. */
const hasBasic = (ctx: Context): boolean => /^basic /i.test(ctx.headers.authorization ?? '');
const WAY = /^unauthorized_client$|^(?<status>[345]\d\d)(?: (?<error>\S+))?$/;
const CLIENT_ALLOWED = 'a status, of a refusal with its error, as "401 invalid_client"';

/** What a refused client is told; `error` left out: only why. */
const clientRefused = (status: string | undefined, error: string | undefined, why: string): Reply => ({
  status: Number(status),
  headers: NO_STORE,
  body: { ...(error !== undefined && { error }), error_description: why },
});

const PROVES = 'The client may not prove itself so.';
const NOT_FOR_IT = 'unauthorized_client';

/** A way for the client to prove itself that the mock takes. The case names one error without its status. */
function way(isOne: (ctx: Context) => boolean): Point {
  const isAsked = (ctx: Context): boolean => asksToken(ctx) && isOne(ctx);
  const rule = refusesWhen(isAsked, 400, { message: PROVES });
  const allowed = `${CLIENT_ALLOWED}, or "${NOT_FOR_IT}"`;
  return ofForm('200', allowed, WAY, ({ status = '400', error }, saw) => {
    if (error === NOT_FOR_IT) return undefined;
    return layered((app) => async (ctx) => {
      await rule(app)(ctx);
      if (isAsked(ctx) && memberOf(ctx.state.reply?.body, 'error_description') === PROVES)
        ctx.state.reply = clientRefused(status, saw === NOT_FOR_IT ? saw : error, PROVES);
    });
  });
}

const BASIC = 'client_secret_basic';
const POST = 'client_secret_post';
const OWN_TWICE = '400 invalid_request';
const isTwice = (ctx: Context): boolean => hasBasic(ctx) && fieldIn(ctx, 'client_secret') !== undefined;

const TWICE = /^200$|^(?<status>[345]\d\d)(?: (?<error>\S+))?$/;

const twice = ofForm(OWN_TWICE, `"200", or ${CLIENT_ALLOWED}`, TWICE, ({ status, error }, _, { seenAt }) => {
  if (status !== undefined)
    return layered((app) => async (ctx) => {
      await app(ctx);
      if (asksToken(ctx) && isTwice(ctx) && ctx.state.reply?.status === 400)
        ctx.state.reply = clientRefused(status, error, 'The client proves itself twice.');
    });
  if (seenAt(BASIC) === '200') return layered(withoutSecretInBody);
  if (seenAt(POST) === '200') return layered(withoutHeader);
  return cannot('the client may prove itself neither by header nor by body');
});

/** Where both are there, the header counts. */
function withoutSecretInBody(app: App): App {
  return async (ctx) => {
    const form = await formOfTwice(ctx);
    if (form === undefined) return app(ctx);
    form.delete('client_secret');
    const sent = ctx.req;
    ctx.req = Readable.from([Buffer.from(form.toString())]) as IncomingMessage;
    try {
      await app(ctx);
    } finally {
      ctx.req = sent;
    }
  };
}

/** Where both are there, the body counts. */
function withoutHeader(app: App): App {
  return async (ctx) =>
    (await formOfTwice(ctx)) === undefined ? app(ctx) : askedWithHeaders(app, ctx, { authorization: undefined });
}

/** Undefined where the client does not prove itself twice. */
async function formOfTwice(ctx: Context): Promise<URLSearchParams | undefined> {
  if (!asksToken(ctx) || !hasBasic(ctx)) return undefined;
  const form = new URLSearchParams((await readBytes(ctx.req)).toString());
  return form.has('client_secret') ? form : undefined;
}

const editsToken = (edit: (body: Readonly<Record<string, unknown>>) => object): Follow =>
  layered(
    answersWith(
      (ctx, reply) => isSuccess(reply) && asksToken(ctx),
      (body) => (isObject(body) ? edit(body) : body),
    ),
  );

/** Answers that tell that the client is known, whatever it asked for (RFC 6749 5.2). */
const KNOWS = /^(200|unauthorized_client|\d{3} (invalid_scope|unauthorized_client|unsupported_grant_type))$/;

interface Proof {
  readonly method: string;
  /** What was seen of it: 200 where it gets a token. */
  readonly saw: string;
}

/**
 * How a run asks for tokens: by the body where the client is known there and not by header, or is refused something else
 * there and is nobody by header; else by header.
 */
function proofWith({ seenAt }: Given): Proof {
  const seen = (method: string): Proof => ({ method, saw: seenAt(method) ?? '200' });
  const [basic, post] = [seen(BASIC), seen(POST)];
  if (KNOWS.test(basic.saw)) return basic;
  const isOther = basic.saw.endsWith(' invalid_client') && !/^401$| invalid_client$/.test(post.saw);
  return KNOWS.test(post.saw) || isOther ? post : basic;
}

/** Where the way to ask for tokens is refused, so is all that comes behind it. */
function behindProof(shown: (refusal: string) => string | undefined, point: Point): Point {
  return {
    ...point,
    ownWith: (given) => {
      const { saw } = proofWith(given);
      return saw === '200' ? point.own : shown(saw);
    },
    follow: (saw, given) => {
      const proof = proofWith(given);
      if (proof.saw === '200' || saw === NO_CODE) return point.follow(saw, given);
      return cannot(`a run asks for tokens by ${proof.method}, and that is refused: ${proof.saw}`);
    },
  };
}

const NO_CODE = 'none without a person';
const refusalOf = (refusal: string): string => (refusal === NOT_FOR_IT ? `400 ${refusal}` : refusal);
const untold = (refusal: string): string | undefined => (refusal === NOT_FOR_IT ? undefined : 'not said');

const ALGORITHMS: readonly TokenChoices['alg'][] = ['EdDSA', 'HS256', 'HS384', 'HS512'];
const OWN_CLAIMS = 'account, aud, client_id, exp, grant, iat, iss, jti, scope, sub, workspace';

const tokens: Points = {
  token_type: behindProof(
    untold,
    ofForm('Bearer', '"Bearer" in any letter case, or "not said"', /^(bearer|not said)$/i, (_, saw) =>
      saw === 'not said'
        ? cannot('a token answer says its type (oauth.token.*)')
        : editsToken((body) => ({ ...body, token_type: saw })),
    ),
  ),
  'expires_in of the client’s own token': behindProof(
    untold,
    ofForm(
      '3600 seconds',
      'as "3600 seconds", or "not said"',
      /^(?:(?<seconds>[1-9]\d{0,8}) seconds|not said)$/,
      ({ seconds }) =>
        seconds === undefined
          ? editsToken(({ expires_in: _, ...body }) => body)
          : choose({ lifetimeSeconds: Number(seconds) }),
    ),
  ),
  'alg of the access token': ofForm('EdDSA', ALGORITHMS.join(', '), /^[\w-]+$/, (_, saw) => {
    const alg = ALGORITHMS.find((each) => each === saw);
    return alg === undefined
      ? cannot(`the one key of the mock is of Ed25519: it signs with ${ALGORITHMS.join(', ')}`)
      : choose({ alg });
  }),
  'claims of the access token': ofForm(OWN_CLAIMS, 'names with a comma between them', /^[^]+$/, (_, saw) => {
    const claims = namesIn(saw);
    return claims && choose({ claims });
  }),
};

/** A page is all that the authorize endpoint gives, even to those who ask for none. */
const wantsAPerson =
  (isOne: (query: URLSearchParams) => boolean): Layer =>
  (app) =>
  (ctx) => {
    const query = new URLSearchParams(ctx.querystring);
    if (!isTo('authorize')(ctx) || !isOne(query)) return app(ctx);
    return askedWith(app, ctx, (asked) => asked.delete('prompt'));
  };

const refreshes = (own: string, isOne: (query: URLSearchParams) => boolean): Point =>
  behindProof(
    (refusal) => `${refusalOf(refusal)}, without a refresh token`,
    ofForm(
      own,
      '"none without a person", "200, without a refresh token", or "200, with a refresh token that is answered 200 and rotated" or "kept"',
      /^(none without a person|200, without a refresh token|200, with a refresh token that is answered 200 and (?<how>rotated|kept))$/,
      ({ how }, saw) => {
        if (saw === NO_CODE) return layered(wantsAPerson(isOne));
        return choose({ refresh: how === 'kept' || how === 'rotated' ? how : 'none' });
      },
    ),
  );

const REFRESHED = '200, with a refresh token that is answered 200 and rotated';

const codes: Points = {
  'a code with PKCE': refreshes(REFRESHED, (query) => query.has('code_challenge')),
  'a code without PKCE': refreshes(REFRESHED, (query) => !query.has('code_challenge')),
  'a code with another code_verifier': behindProof(
    refusalOf,
    ofForm(
      '400 invalid_grant',
      'a status, of a refusal with its error, as "400 invalid_grant"',
      TWICE,
      ({ status, error }) => {
        if (status === undefined)
          return cannot('a code that came with a challenge is for who has its verifier (RFC 7636 4.6)');
        return layered((app) => async (ctx) => {
          await app(ctx);
          if (isOtherVerifier(ctx)) ctx.state.reply = clientRefused(status, error, OTHER_VERIFIER);
        });
      },
    ),
  ),
};

const OTHER_VERIFIER = 'code_verifier does not match';
const isOtherVerifier = (ctx: Context): boolean =>
  asksToken(ctx) &&
  fieldIn(ctx, 'code_verifier') !== undefined &&
  ctx.state.reply?.status === 400 &&
  String(memberOf(ctx.state.reply.body, 'error_description')).startsWith(OTHER_VERIFIER);

export const oauthPoints: Points = {
  ...Object.fromEntries(Object.entries(documents).map(([what, id]) => [what, served(id)])),
  [BASIC]: way((ctx) => hasBasic(ctx) && fieldIn(ctx, 'client_secret') === undefined),
  [POST]: way((ctx) => ctx.headers.authorization === undefined && fieldIn(ctx, 'client_secret') !== undefined),
  'the same client by header and by body': twice,
  ...tokens,
  ...codes,
};
