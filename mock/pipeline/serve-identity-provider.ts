/** Serves the mock identity provider: authorization endpoint with a login page, token and revocation endpoints, and metadata. */
import type { Context } from './context.ts';
import type { Reply } from '../http/reply.ts';
import { createPathRouter } from '../../spec/path-router.ts';
import { methodNotAllowed, unknownPath, unsupportedMediaType } from '../http/problems.ts';
import { FORM_NAME, FORM_TYPE, readForm } from './steps/read-body.ts';
import { handleAuthorization } from '../domains/oauth/handle-authorization.ts';
import { handleProviderRevocation } from '../domains/oauth/handle-revocation.ts';
import { handleTokenRequest } from '../domains/oauth/handle-token-request.ts';
import type { AuthorizationServer } from '../domains/oauth/authorization-server.ts';
import { forPerson } from '../domains/oauth/login-page.ts';
import { NOT_STORED, openIdConfigurationOf } from '../domains/oauth/metadata.ts';
import { fromBody } from '../domains/oauth/parameters.ts';
import { requestedHost } from '../state/requested-address.ts';
import { thirdPartyServer } from '../domains/oauth/third-party-server.ts';

type Handler = (server: AuthorizationServer, ctx: Context) => Reply | Promise<Reply>;

/** Paths are below the provider's address. */
const router = createPathRouter<Handler>(
  [
    { method: 'GET', pattern: '/authorize', value: authorize },
    { method: 'POST', pattern: '/authorize', value: decide },
    { method: 'POST', pattern: '/token', value: token },
    { method: 'POST', pattern: '/revoke', value: revocation },
    { method: 'GET', pattern: '/.well-known/oauth-authorization-server', value: metadata },
    { method: 'GET', pattern: '/.well-known/openid-configuration', value: metadata },
  ],
  { strict: true },
);

/** `path` is below the provider's address. Throws a problem if the request is refused. */
export async function handleProviderRequest(ctx: Context, path: string): Promise<Reply> {
  const { world } = ctx.state;
  return handlerAt(path, ctx.method)(thirdPartyServer(world, requestedHost({ world, headers: ctx.headers })), ctx);
}

/** Throws unknownPath or methodNotAllowed if nothing is served there. */
function handlerAt(path: string, method: string): Handler {
  const match = router.find(method, path);
  if (match !== undefined) return match.value;
  const methods = router.at(path).flatMap((route) => route.methods);
  if (methods.length > 0) throw methodNotAllowed(method, path, methods);
  throw unknownPath(path, ['/authorize', '/token', '/revoke', '/.well-known/openid-configuration']);
}

function authorize(server: AuthorizationServer, { querystring, headers }: Context): Reply {
  return forPerson(headers.accept, () => handleAuthorization(server, new URLSearchParams(querystring), 302));
}

async function decide(server: AuthorizationServer, ctx: Context): Promise<Reply> {
  const decided = new URLSearchParams(await formOf(ctx));
  return forPerson(ctx.headers.accept, () => handleAuthorization(server, decided, 303));
}

async function token(server: AuthorizationServer, ctx: Context): Promise<Reply> {
  return handleTokenRequest(server, ctx.headers.authorization, fromBody(await formOf(ctx)));
}

async function revocation(server: AuthorizationServer, ctx: Context): Promise<Reply> {
  return handleProviderRevocation(server, ctx.headers.authorization, fromBody(await formOf(ctx)));
}

function metadata(server: AuthorizationServer): Reply {
  return { status: 200, headers: NOT_STORED, body: openIdConfigurationOf(server) };
}

/** Throws unsupportedMediaType unless the body is form-encoded. */
function formOf(ctx: Context): Promise<Record<string, string>> {
  const type = ctx.headers['content-type'] ?? '';
  if (!FORM_TYPE.test(type)) throw unsupportedMediaType(type, [FORM_NAME]);
  return readForm(ctx);
}
