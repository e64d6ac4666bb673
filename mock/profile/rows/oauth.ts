/** oauth.extras.what-the-server-offers: what the authorization server offers beyond the document. */
import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import type { FixedWhat, ObservedValue } from '../../../spec/observations/observation.ts';
import type { DiscoveryDocument, Json } from '../../../spec/observations/value-kind.ts';
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { isObject } from '../../../spec/json-object.ts';
import { NO_STORE, oauthError } from '../../domains/oauth/oauth-error.ts';
import { unknownPath } from '../../http/problems.ts';
import { readBytes } from '../../http/read-bytes.ts';
import { runWith, runWithHeaders } from '../../wrap/wrapping.ts';
import type { App } from '../../pipeline/app.ts';
import type { TokenChoices } from '../../state/choices.ts';
import { editReply, isTo, memberOf, refuse, successOf } from '../effects.ts';
import { cannot, layered, type Follow, type Given, type Layer, type Row, type RowsOf } from '../row.ts';

const ID = 'oauth.extras.what-the-server-offers';
const choose = (tokens: Partial<TokenChoices>): Follow => ({ choices: { tokens } });

const documents: Readonly<Record<DiscoveryDocument, OperationId>> = {
  'the discovery document': 'getAuthorizationServerMetadata',
  'the OpenID discovery document': 'getOpenIdConfiguration',
};

/** A document that is not served has an unknown path. */
const served = (id: OperationId): Row<{ readonly status: number }> => ({
  own: { status: 200 },
  follow: ({ status }) =>
    status < 300
      ? cannot('the mock serves it with status 200')
      : layered((app) => async (ctx) => {
          await app(ctx);
          if (isTo(id)(ctx)) ctx.state.reply = { ...oauthError(unknownPath(ctx.path, [])), status };
        }),
});

const METHODS = ['client_secret_basic', 'client_secret_post', 'none'];
const SIGNING = 'id_token_signing_alg_values_supported';

const ownMembers: Readonly<Record<string, Json>> = {
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
  token_endpoint_auth_methods_supported: METHODS,
  revocation_endpoint_auth_methods_supported: METHODS,
  code_challenge_methods_supported: ['S256', 'plain'],
  authorization_response_iss_parameter_supported: true,
  prompt_values_supported: ['consent', 'login', 'none', 'select_account'],
};

interface Member {
  readonly document: DiscoveryDocument;
  readonly member: string;
  readonly is: Json;
}

function ownMember({ chosen }: Given, { document, member }: Member): Json | undefined {
  if (document === 'the OpenID discovery document') {
    if (member === 'subject_types_supported') return ['public'];
    if (member === SIGNING) return [chosen.tokens.alg];
  }
  return Object.hasOwn(ownMembers, member) ? ownMembers[member] : undefined;
}

/** For each member of a discovery document, including those that the mock's does not have. */
export const discoveryRow: Row<Member> = {
  own: (given, value) => {
    const is = ownMember(given, value);
    return is === undefined ? undefined : { ...value, is };
  },
  follow: ({ document, member, is }) =>
    layered(editReply(successOf(documents[document]), (body) => ({ ...(body as object), [member]: is }))),
};

const isToken = isTo('requestToken');
const field = ({ state }: Context, name: string): unknown => memberOf(state.body, name);
/** A bearer token does not authenticate a client. */
const hasBasic = ({ headers }: Context): boolean => /^basic /i.test(headers.authorization ?? '');

interface TokenOutcome {
  /** Null if only the error is known. */
  readonly status: number | null;
  readonly error?: string | undefined;
}

const errorReply = ({ status, error }: TokenOutcome, description: string): Reply => ({
  status: status ?? 400,
  headers: NO_STORE,
  body: { ...(error !== undefined && { error }), error_description: description },
});

/** Replaces replies of the token endpoint that match. */
const replaceRefusal =
  (matches: (ctx: Context, reply: Reply) => boolean, as: TokenOutcome, why: string): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (reply !== undefined && isToken(ctx) && matches(ctx, reply)) ctx.state.reply = errorReply(as, why);
  };

const isRefusal = ({ status }: TokenOutcome): boolean => status === null || status >= 300;
const descriptionOf = ({ body }: Reply): string => String(memberOf(body, 'error_description'));

const BASIC = 'client_secret_basic';
const POST = 'client_secret_post';
const TWICE = 'the same client by header and by body';
const NOT_ALLOWED = 'The client may not authenticate with this method.';

/** A method of client authentication that the mock accepts. */
function method(isOne: (ctx: Context) => boolean): Row<TokenOutcome> {
  const rule = refuse((ctx) => isToken(ctx) && isOne(ctx), 400, { message: NOT_ALLOWED });
  return {
    own: { status: 200 },
    follow: (value) => {
      if (!isRefusal(value)) return cannot('the mock issues tokens with status 200');
      const isRefused = (ctx: Context, reply: Reply) => isOne(ctx) && descriptionOf(reply) === NOT_ALLOWED;
      const replace = replaceRefusal(isRefused, value, NOT_ALLOWED);
      return layered((app) => replace(rule(app)));
    },
  };
}

const isTwice = (ctx: Context): boolean => hasBasic(ctx) && field(ctx, 'client_secret') !== undefined;

const twice: Row<TokenOutcome> = {
  own: { status: 400, error: 'invalid_request' },
  follow: (value, { valueAt }) => {
    if (isRefusal(value))
      return layered(
        replaceRefusal((ctx, { status }) => isTwice(ctx) && status === 400, value, 'The client authenticates twice.'),
      );
    if (value.status !== 200) return cannot('the mock issues tokens with status 200');
    if (valueAt(ID, BASIC)?.status === 200) return layered(ignoreSecretInBody);
    if (valueAt(ID, POST)?.status === 200) return layered(ignoreHeader);
    return cannot('the client may authenticate neither by header nor by body');
  },
};

const ignoreSecretInBody: Layer = (app) => async (ctx) => {
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

const ignoreHeader: Layer = (app: App) => async (ctx) =>
  (await formOfTwice(ctx)) === undefined ? app(ctx) : runWithHeaders(app, ctx, { authorization: undefined });

/** The form of a request whose client authenticates twice; else undefined. */
async function formOfTwice(ctx: Context): Promise<URLSearchParams | undefined> {
  if (!isToken(ctx) || !hasBasic(ctx)) return undefined;
  const form = new URLSearchParams((await readBytes(ctx.req)).toString());
  return form.has('client_secret') ? form : undefined;
}

const editToken = (edit: (body: Readonly<Record<string, unknown>>) => object): Follow =>
  layered(editReply(successOf('requestToken'), (body) => (isObject(body) ? edit(body) : body)));

/** Errors that a client only gets after it was authenticated (RFC 6749 5.2, RFC 8707 2). */
const AFTER_AUTHENTICATION = ['invalid_scope', 'invalid_target', 'unauthorized_client', 'unsupported_grant_type'];
const isAuthenticated = ({ status, error = '' }: TokenOutcome): boolean =>
  status === 200 || AFTER_AUTHENTICATION.includes(error);
const isUnauthenticated = ({ status, error }: TokenOutcome): boolean =>
  error === 'invalid_client' || (status === 401 && error === undefined);

/**
 * How a run requests tokens: by body if the client is authenticated there and not by header, or if the header is
 * refused with invalid_client and the body for another reason; else by header.
 */
function methodOfRun({ valueAt }: Given): { readonly name: string; readonly outcome: TokenOutcome } {
  const [basic, post] = ([BASIC, POST] as const).map((name) => ({
    name,
    outcome: valueAt(ID, name) ?? { status: 200 },
  }));
  if (basic === undefined || post === undefined || isAuthenticated(basic.outcome)) return basic ?? post!;
  const isOther = basic.outcome.error === 'invalid_client' && !isUnauthenticated(post.outcome);
  return isAuthenticated(post.outcome) || isOther ? post : basic;
}

type What = FixedWhat<typeof ID>;

/** A row that a run only reaches if it gets a token; `refused`: what is observed if it does not. */
const needsToken = <Value extends ObservedValue<What>>(
  own: Value,
  refused: (refusal: TokenOutcome) => Value | undefined,
  follow: (value: Value) => Follow,
): Row<Value> => ({
  own: (given) => {
    const { outcome } = methodOfRun(given);
    return outcome.status === 200 ? own : refused(outcome);
  },
  follow: (value, given) => {
    const { name, outcome } = methodOfRun(given);
    return outcome.status === 200 || value === NO_CODE
      ? follow(value)
      : cannot(
          `a run requests tokens by ${name}, which is refused: ${[outcome.status ?? [], outcome.error ?? []].flat().join(' ')}`,
        );
  },
});

const NO_CODE = 'needs a person';
const withStatus = ({ status, error }: TokenOutcome) => ({
  status: status ?? 400,
  ...(error !== undefined && { error }),
});

const ALGORITHMS: readonly TokenChoices['alg'][] = ['EdDSA', 'HS256', 'HS384', 'HS512'];
const CLAIMS = ['account', 'aud', 'client_id', 'exp', 'grant', 'iat', 'iss', 'jti', 'scope', 'sub', 'workspace'];

/** The authorize endpoint always shows its page, even for prompt=none. */
const alwaysPrompt = (isOne: (query: URLSearchParams) => boolean): Follow =>
  layered((app) => (ctx) => {
    if (!isTo('authorize')(ctx) || !isOne(new URLSearchParams(ctx.querystring))) return app(ctx);
    return runWith(app, ctx, (query) => query.delete('prompt'));
  });

type ExchangedCode = ObservedValue<'a code with PKCE'>;

const code = (own: ExchangedCode, isOne: (query: URLSearchParams) => boolean): Row<ExchangedCode> =>
  needsToken<ExchangedCode>(
    own,
    (refusal) => ({ ...withStatus(refusal), refresh: null }),
    (value) => {
      if (value === NO_CODE) return alwaysPrompt(isOne);
      const { status, refresh } = value;
      if (status !== 200 || (refresh !== null && refresh.status !== 200))
        return cannot('the mock issues tokens with status 200');
      return choose({ refresh: refresh === null ? 'none' : refresh.rotated ? 'rotated' : 'kept' });
    },
  );

const REFRESHED: ExchangedCode = { status: 200, refresh: { status: 200, rotated: true } };
export const oauthRows: RowsOf<typeof ID> = {
  'the discovery document': served('getAuthorizationServerMetadata'),
  'the OpenID discovery document': served('getOpenIdConfiguration'),
  'the key set': served('getKeySet'),
  [BASIC]: method((ctx) => hasBasic(ctx) && field(ctx, 'client_secret') === undefined),
  [POST]: method((ctx) => ctx.headers.authorization === undefined && field(ctx, 'client_secret') !== undefined),
  [TWICE]: twice,
  token_type: needsToken<{ readonly text: string | null }>(
    { text: 'Bearer' },
    ({ status }) => (status === null ? undefined : { text: null }),
    ({ text }) =>
      text?.toLowerCase() === 'bearer'
        ? editToken((body) => ({ ...body, token_type: text }))
        : cannot('a token response has the type Bearer (oauth.token.*)'),
  ),
  'expires_in of the client’s own token': needsToken<{ readonly seconds: Json }>(
    { seconds: 3600 },
    ({ status }) => (status === null ? undefined : { seconds: null }),
    ({ seconds }) => {
      if (seconds === null) return editToken(({ expires_in: _, ...body }) => body);
      return typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0 && seconds < 1e9
        ? choose({ lifetimeSeconds: seconds })
        : cannot('a lifetime is a positive number of seconds');
    },
  ),
  'alg of the access token': {
    own: { text: 'EdDSA' },
    follow: ({ text }) => {
      const alg = ALGORITHMS.find((each) => each === text);
      return alg === undefined
        ? cannot(`the mock signs with an Ed25519 key or a secret: ${ALGORITHMS.join(', ')}`)
        : choose({ alg });
    },
  },
  'claims of the access token': { own: CLAIMS, follow: (claims) => choose({ claims }) },
  'a code with PKCE': code(REFRESHED, (query) => query.has('code_challenge')),
  'a code without PKCE': code(REFRESHED, (query) => !query.has('code_challenge')),
  'a code with another code_verifier': needsToken<TokenOutcome>(
    { status: 400, error: 'invalid_grant' },
    withStatus,
    () => cannot('a wrong verifier returns 400 invalid_grant (oauth.code.verifier-checked)'),
  ),
};
