/** Authorization codes: bound to client, redirection URI and challenge, and valid once (RFC 6749 4.1.2). */
import { CODE_SECONDS, remember, revoke, type AuthorizationServer } from './authorization-server.ts';
import { type Client, type Code, type Grant } from '../../state/oauth.ts';
import { requireParameter, type Parameters } from './parameters.ts';
import { verifyChallenge } from './pkce.ts';
import { invalidGrant } from './oauth-problems.ts';

export function issueCode(
  server: AuthorizationServer,
  bound: Pick<Code, 'grant' | 'redirectUri' | 'challenge'>,
): string {
  const { random, state, clock } = server;
  const code = random.hex(40);
  const expiresAt = clock.now() + CODE_SECONDS * 1000;
  remember(server, 'codes', state.codes, code, { ...bound, expiresAt, used: false });
  return code;
}

/** Redeems a code for its grant. Throws invalid_grant; a second use revokes the tokens of the first. */
export function redeemCode(server: AuthorizationServer, client: Client, parameters: Parameters): Grant {
  const { codes } = server.state;
  const name = requireParameter(parameters, 'code');
  const code = codes.get(name);
  if (code === undefined || code.grant.client !== client.id)
    throw invalidGrant('The code is unknown or belongs to another client.');
  if (code.used) {
    revoke(server, code.grant.id);
    throw invalidGrant('The code has been used already; its tokens are revoked.');
  }
  if (code.expiresAt <= server.clock.now()) throw invalidGrant('The code has expired.');
  checkRedirectUri(code, client, parameters.get('redirect_uri'));
  verifyChallenge(code.challenge, parameters.get('code_verifier'));
  codes.set(name, { ...code, used: true });
  return code.grant;
}

/** RFC 6749 4.1.3: must be the same as in the authorization request; optional if that had none. */
function checkRedirectUri({ redirectUri }: Code, client: Client, sent: string | undefined): void {
  const fits = redirectUri === undefined ? sent === undefined || sent === client.redirectUris[0] : sent === redirectUri;
  if (!fits) throw invalidGrant('redirect_uri differs from that of the authorization request.');
}
