/** oauth.extras.*: what the authorization server offers beyond what the interface names. */
import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../context.ts';
import { askedWith, type App } from '../../deviations/deviation.ts';
import { oauthError } from '../../oauth/oauth-error.ts';
import { Problem, unknownPath } from '../../problems.ts';
import { readBytes } from '../../read-bytes.ts';
import type { TokenChoices } from '../choices.ts';
import { answersAs, answersWith, isSuccess, isTo, memberOf, refusesWhen } from '../layers.ts';
import { cannot, follows, layered, ofForm, type Follow, type Layer, type Point, type Points } from '../point.ts';
import { isObject } from '../../json-object.ts';

const documents: Readonly<Record<string, OperationId>> = {
  'the discovery document': 'getAuthorizationServerMetadata',
  'the OpenID discovery document': 'getOpenIdConfiguration',
  'the key set': 'getKeySet',
};

const choose = (tokens: Partial<TokenChoices>): Follow => ({ choices: { tokens } });

/** A document that is not served; its path is then unknown. */
function served(id: OperationId): Point {
  return ofForm('200', 'a status', /^(?<status>[2-5]\d\d)$/, ({ status }) => {
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
  return ofForm(own, 'names with a comma between them, or true or false', /^.+$/, (_, saw) => {
    const value = saw === 'true' || saw === 'false' ? saw === 'true' : saw.split(', ');
    const answers = answersWith(
      (ctx, reply) => isSuccess(reply) && isTo(id)(ctx),
      (body) => ({ ...(body as object), [member]: value }),
    );
    return layered(answers);
  });
}

const asksToken = isTo('requestToken');
const fieldIn = ({ state }: Context, name: string): unknown => memberOf(state.body, name);
const hasHeader = (ctx: Context): boolean => ctx.headers.authorization !== undefined;
const CLIENT_FORM = /^(?<status>[2-5]\d\d)(?: (?<error>\w+))?$|^unauthorized_client$/;

/** A way for the client to prove itself that the mock takes. */
function way(isOne: (ctx: Context) => boolean): Point {
  return ofForm(
    '200',
    'a status, of a refusal with its error, as "401 invalid_client"',
    CLIENT_FORM,
    ({ status = '400', error = 'unauthorized_client' }) => {
      if (Number(status) < 300) return follows;
      return layered(
        refusesWhen((ctx) => asksToken(ctx) && isOne(ctx), Number(status), {
          kind: error,
          message: 'The client may not prove itself so.',
        }),
      );
    },
  );
}

const OWN_TWICE = '400 invalid_request';
const isTwice = (ctx: Context): boolean => hasHeader(ctx) && fieldIn(ctx, 'client_secret') !== undefined;

const twice = ofForm(
  OWN_TWICE,
  'a status, of a refusal with its error, as "400 invalid_request"',
  CLIENT_FORM,
  ({ status = '400', error = 'unauthorized_client' }) => {
    if (Number(status) < 300) return layered(withoutSecretInBody);
    return layered((app) => async (ctx) => {
      await app(ctx);
      if (asksToken(ctx) && isTwice(ctx) && ctx.state.reply?.status === 400)
        ctx.state.reply = oauthError(new Problem(Number(status), error, 'The client proves itself twice.'));
    });
  },
);

/** Where both are there, the header counts. */
function withoutSecretInBody(app: App): App {
  return async (ctx) => {
    if (!asksToken(ctx) || !hasHeader(ctx)) return app(ctx);
    const form = new URLSearchParams((await readBytes(ctx.req)).toString());
    if (!form.has('client_secret')) return app(ctx);
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

const editsToken = (edit: (body: Readonly<Record<string, unknown>>) => object): Follow =>
  layered(
    answersWith(
      (ctx, reply) => isSuccess(reply) && asksToken(ctx),
      (body) => (isObject(body) ? edit(body) : body),
    ),
  );

const ALGORITHMS = ['EdDSA', 'HS256', 'HS384', 'HS512'] as const;
const OWN_CLAIMS = 'account, aud, client_id, exp, grant, iat, iss, jti, scope, sub, workspace';

const tokens: Points = {
  token_type: ofForm('Bearer', '"Bearer" in any letter case, or "not said"', /^(bearer|not said)$/i, (_, saw) =>
    saw === 'not said'
      ? cannot('a token answer says its type (oauth.token.*)')
      : editsToken((body) => ({ ...body, token_type: saw })),
  ),
  'expires_in of the client’s own token': ofForm(
    '3600 seconds',
    'as "3600 seconds", or "not said"',
    /^(?:(?<seconds>[1-9]\d{0,8}) seconds|not said)$/,
    ({ seconds }) =>
      seconds === undefined
        ? editsToken(({ expires_in: _, ...body }) => body)
        : choose({ lifetimeSeconds: Number(seconds) }),
  ),
  'alg of the access token': ofForm('EdDSA', ALGORITHMS.join(', '), /^[\w-]+$/, (_, saw) => {
    const alg = ALGORITHMS.find((each) => each === saw);
    return alg === undefined ? cannot(`the mock signs with ${ALGORITHMS.join(', ')}`) : choose({ alg });
  }),
  'claims of the access token': ofForm(OWN_CLAIMS, 'names with a comma between them', /^[^,]+(, [^,]+)*$/, (_, saw) =>
    choose({ claims: saw.split(', ') }),
  ),
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
  ofForm(
    own,
    '"none without a person", "200, without a refresh token", or "200, with a refresh token that is answered 200 and rotated" or "kept"',
    /^(none without a person|200, without a refresh token|200, with a refresh token that is answered 200 and (?<how>rotated|kept))$/,
    ({ how }, saw) => {
      if (saw === 'none without a person') return layered(wantsAPerson(isOne));
      return choose({ refresh: how === 'kept' || how === 'rotated' ? how : 'none' });
    },
  );

const REFRESHED = '200, with a refresh token that is answered 200 and rotated';

const codes: Points = {
  'a code with PKCE': refreshes(REFRESHED, (query) => query.has('code_challenge')),
  'a code without PKCE': refreshes(REFRESHED, (query) => !query.has('code_challenge')),
  'a code with another code_verifier': ofForm(
    '400 invalid_grant',
    'a status, of a refusal with its error, as "400 invalid_grant"',
    CLIENT_FORM,
    ({ status }) => {
      if (Number(status) < 300)
        return cannot('a code that came with a challenge is for who has its verifier (RFC 7636 4.6)');
      return layered(
        answersAs(
          (ctx, reply) =>
            asksToken(ctx) &&
            fieldIn(ctx, 'code_verifier') !== undefined &&
            reply.status === 400 &&
            String(memberOf(reply.body, 'error_description')).startsWith('code_verifier is not'),
          { status: Number(status) },
        ),
      );
    },
  ),
};

export const oauthPoints: Points = {
  ...Object.fromEntries(Object.entries(documents).map(([what, id]) => [what, served(id)])),
  client_secret_basic: way((ctx) => hasHeader(ctx) && fieldIn(ctx, 'client_secret') === undefined),
  client_secret_post: way((ctx) => !hasHeader(ctx) && fieldIn(ctx, 'client_secret') !== undefined),
  'the same client by header and by body': twice,
  ...tokens,
  ...codes,
};
