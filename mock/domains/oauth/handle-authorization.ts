/** The authorization endpoint: shows a login page, or redirects to the client (RFC 6749 4.1.1). */
import type { Reply } from '../../http/reply.ts';
import { Problem } from '../../http/problems.ts';
import type { AuthorizationServer, Person } from './authorization-server.ts';
import type { Client, Grant } from '../../state/oauth.ts';
import { issueCode } from './codes.ts';
import { loginPage } from './login-page.ts';
import { errorBody } from './oauth-error.ts';
import { fromQuery, refuseRepeated, requireParameter, type Parameters } from './parameters.ts';
import { challengeOf } from './pkce.ts';
import {
  accessDenied,
  invalidRequest,
  loginRequired,
  unauthorizedClient,
  unsupportedResponseType,
} from './oauth-problems.ts';
import { scopesFor } from './scopes.ts';

/** Posted forms need status 303, so that the browser continues with a GET (RFC 9700 4.12). */
type RedirectStatus = 302 | 303;

/**
 * Throws invalid_request if the redirection URI is not the client's: then there is no redirect
 * (oauth.authorize.no-open-redirect). Other errors are sent to the client by redirect.
 */
export function handleAuthorization(
  server: AuthorizationServer,
  query: URLSearchParams,
  status: RedirectStatus,
): Reply<string> {
  refuseRepeated(query, ['client_id', 'redirect_uri']);
  const parameters = fromQuery(query);
  const client = server.clients.get(requireParameter(parameters, 'client_id'));
  if (client === undefined) throw invalidRequest('client_id is unknown.');
  const uri = redirectUriOf(client, parameters.get('redirect_uri'));
  const respond = (members: Record<string, string>) => redirect(uri, status, server, parameters, members);
  try {
    refuseRepeated(query);
    const decided = decide(server, client, parameters);
    return typeof decided === 'string' ? respond({ code: decided }) : decided;
  } catch (error) {
    if (error instanceof Problem) return respond(errorBody(error.kind, error.message));
    throw error;
  }
}

/** Issues a code, or shows the login page. Throws the errors that are sent to the client. */
function decide(server: AuthorizationServer, client: Client, parameters: Parameters): string | Reply<string> {
  checkResponse(parameters);
  const challenge = challengeOf(parameters, client);
  const scopes = scopesFor(server, client, parameters.get('scope'));
  const offline = server.isOffline(parameters.get('access_type'));
  const decision = decisionOf(parameters);
  const hint = parameters.get('login_hint');
  if (decision === 'deny') throw accessDenied();
  if (decision === 'ask') return loginPage(server, client, scopes, offline, parameters);
  const person = personOf(server, hint);
  const grant: Grant = { id: server.random.uuid(), client: client.id, subject: person.id, scopes, offline };
  const redirectUri = parameters.get('redirect_uri');
  return issueCode(server, {
    grant,
    ...(redirectUri !== undefined && { redirectUri }),
    ...(challenge && { challenge }),
  });
}

/** RFC 6749 3.1.2.3: compared as a string; optional if the client has only one. */
function redirectUriOf({ redirectUris }: Client, requestedUri: string | undefined): string {
  const [only, ...others] = redirectUris;
  if (only === undefined) throw unauthorizedClient('The client has no redirection URI, so it may not request codes.');
  if (requestedUri === undefined && others.length > 0)
    throw invalidRequest('redirect_uri is missing, and the client has several.');
  if (requestedUri !== undefined && !redirectUris.includes(requestedUri))
    throw invalidRequest('redirect_uri is not registered for the client; it must match exactly.');
  return requestedUri ?? only;
}

function checkResponse(parameters: Parameters): void {
  const type = requireParameter(parameters, 'response_type');
  if (type !== 'code') throw unsupportedResponseType(type);
  const mode = parameters.get('response_mode') ?? 'query';
  if (mode !== 'query') throw invalidRequest(`response_mode is '${mode}'; allowed: query.`);
}

/** OpenID Connect Core 3.1.2.1: `none` excludes other values. */
function decisionOf(parameters: Parameters): 'allow' | 'deny' | 'ask' {
  const prompts = parameters.get('prompt')?.split(' ') ?? [];
  if (prompts.includes('none') && prompts.length > 1)
    throw invalidRequest('prompt combines none with other values; none must be alone.');
  const decision = parameters.get('decision') ?? (prompts.includes('none') ? 'allow' : 'ask');
  if (decision === 'allow' || decision === 'deny' || decision === 'ask') return decision;
  throw invalidRequest(`decision is '${decision}'; allowed: allow, deny.`);
}

function personOf({ people }: AuthorizationServer, hint: string | undefined): Person {
  const person = hint === undefined ? people[0] : people.find(({ id }) => id === hint);
  if (person === undefined) throw loginRequired(hint);
  return person;
}

/** Contains the issuer (RFC 9207). */
function redirect(
  uri: string,
  status: RedirectStatus,
  { issuer }: AuthorizationServer,
  parameters: Parameters,
  members: Record<string, string>,
): Reply<string> {
  const state = parameters.get('state');
  const query = new URLSearchParams({ ...members, ...(state !== undefined && { state }), iss: issuer });
  const location = `${uri}${uri.includes('?') ? '&' : '?'}${query.toString()}`;
  const headers = { location, 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' };
  return { status, headers, body: '' };
}
