/** The errors of RFC 6749, RFC 7009 and OpenID Connect, one constructor each. */
import { Problem } from '../../http/problems.ts';

export function invalidRequest(why: string): Problem {
  return new Problem(400, 'invalid_request', why);
}

/**
 * `byHeader`: the client sent an Authorization header, so RFC 6749 5.2 requires 401 with a challenge. Otherwise 400, because
 * a 401 must have a challenge (RFC 9110 15.5.2), and no scheme belongs to credentials in the body.
 */
export function invalidClient(why: string, byHeader: boolean): Problem {
  if (!byHeader) return new Problem(400, 'invalid_client', why);
  return new Problem(401, 'invalid_client', why, { 'www-authenticate': 'Basic realm="oauth"' });
}

export function invalidGrant(why: string): Problem {
  return new Problem(400, 'invalid_grant', why);
}

export function unauthorizedClient(why: string): Problem {
  return new Problem(400, 'unauthorized_client', why);
}

export function unsupportedGrantType(found: string, allowed: readonly string[]): Problem {
  return new Problem(400, 'unsupported_grant_type', `grant_type is '${found}'; allowed: ${allowed.join(', ')}.`);
}

export function unsupportedResponseType(found: string): Problem {
  return new Problem(400, 'unsupported_response_type', `response_type is '${found}'; allowed: code.`);
}

export function invalidScope(why: string): Problem {
  return new Problem(400, 'invalid_scope', why);
}

export function accessDenied(): Problem {
  return new Problem(400, 'access_denied', 'The user denied the request.');
}

export function loginRequired(hint: string | undefined): Problem {
  return new Problem(
    400,
    'login_required',
    hint === undefined ? 'There is no user who can log in.' : `'${hint}' cannot log in.`,
  );
}
