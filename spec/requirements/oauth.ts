/** Rules for the OAuth 2.0 endpoints: requirements of RFC 6749 count as documented, everything else is observed. */
import type { Requirement } from './requirement.ts';

export const oauthRequirements = [
  {
    id: 'oauth.client-credentials.token-works',
    level: 'must',
    since: '0.1.0',
    rule: 'POST /oauth/token with grant_type=client_credentials and a valid client, authenticated with HTTP Basic (RFC 6749 2.3.1), returns 200 with access_token and token_type (5.1), and the management API accepts the token as a valid credential (no 401); not tried if the client may not use this grant (unauthorized_client), or the server requires other parameters (invalid_request, invalid_target).',
    sources: [
      { heading: 'Authentication', words: 'client credentials (token URL `/oauth/token`)' },
      {
        standard: 'RFC 6749',
        section: '4.4',
        words: 'The client can request an access token using only its client credentials',
      },
    ],
    needs: ['client'],
    operations: ['requestToken', 'listAccounts'],
  },
  {
    id: 'oauth.token.no-store',
    level: 'must',
    since: '0.1.0',
    rule: 'The token response has Cache-Control: no-store (RFC 6749 5.1).',
    sources: [
      {
        standard: 'RFC 6749',
        section: '5.1',
        words: 'with a value of "no-store" in any response containing tokens',
      },
    ],
    needs: ['client'],
    operations: ['requestToken'],
  },
  {
    id: 'oauth.token.is-json',
    level: 'must',
    since: '0.1.0',
    rule: 'Token responses, and errors of the token endpoint, have the media type application/json (RFC 6749 5.1 and 5.2).',
    sources: [
      {
        standard: 'RFC 6749',
        section: '5.1',
        words: 'included in the entity-body of the HTTP response using the "application/json" media type',
      },
    ],
    needs: ['client'],
    operations: ['requestToken'],
  },
  {
    id: 'oauth.token.member-types',
    level: 'must',
    since: '0.1.0',
    rule: 'In a token response, access_token, token_type, refresh_token and scope are strings and expires_in is a whole number, if present; scopes are separated by single spaces (RFC 6749 5.1 and 3.3).',
    sources: [
      {
        standard: 'RFC 6749',
        section: '5.1',
        words: 'Numerical values are included as JSON numbers.',
        about: ['expires_in: '],
      },
      {
        standard: 'RFC 6749',
        section: '3.3',
        words: 'expressed as a list of space-delimited, case-sensitive strings',
        about: ['scope: '],
      },
    ],
    needs: ['client'],
    operations: ['requestToken'],
  },
  {
    id: 'oauth.token.other-parameters-ignored',
    level: 'must',
    since: '0.1.0',
    rule: 'Unknown parameters of a token request are ignored, and parameters without a value count as omitted: the client gets a token as without them (RFC 6749 3.2).',
    sources: [
      {
        standard: 'RFC 6749',
        section: '3.2',
        words: 'The authorization server MUST ignore unrecognized request parameters.',
      },
    ],
    needs: ['client'],
    operations: ['requestToken'],
  },
  {
    id: 'oauth.token.type-is-bearer',
    level: 'must',
    since: '0.1.0',
    rule: 'The token_type of a token response is Bearer, in any letter case (RFC 6749 5.1 and 7.1).',
    sources: [
      { heading: 'Authentication', words: 'send the key or token as `Authorization: Bearer <ACCESS_TOKEN>`' },
      { standard: 'RFC 6749', section: '5.1', words: 'The type of the token issued' },
    ],
    needs: ['client'],
    operations: ['requestToken'],
  },
  {
    id: 'oauth.token.expires-in-agrees',
    level: 'must',
    since: '0.1.0',
    rule: 'If a token response has expires_in, it is a positive number of seconds, and the token does not expire earlier (with a tolerance of 60 s).',
    sources: [{ standard: 'RFC 6749', section: '5.1', words: 'The lifetime in seconds of the access token.' }],
    needs: ['client'],
    operations: ['requestToken'],
    values: { toleranceSeconds: 60 },
  },
  {
    id: 'oauth.errors.invalid-client',
    level: 'must',
    since: '0.1.0',
    rule: 'An unknown client or a wrong client secret returns 400 or 401 with error invalid_client (RFC 6749 5.2).',
    sources: [{ standard: 'RFC 6749', section: '5.2', words: 'Client authentication failed' }],
    needs: ['client'],
    operations: ['requestToken'],
    values: { statuses: [400, 401], error: 'invalid_client' },
  },
  {
    id: 'oauth.errors.basic-challenge',
    level: 'must',
    since: '0.1.0',
    rule: 'An unknown client that authenticates with HTTP Basic and gets the error invalid_client gets it with status 401 and WWW-Authenticate: Basic (RFC 6749 5.2).',
    sources: [
      {
        standard: 'RFC 6749',
        section: '5.2',
        words:
          'include the "WWW-Authenticate" response header field matching the authentication scheme used by the client',
      },
    ],
    needs: ['client'],
    operations: ['requestToken'],
    values: { status: 401, error: 'invalid_client', scheme: 'Basic' },
  },
  {
    id: 'oauth.errors.grant-type',
    level: 'must',
    since: '0.1.0',
    rule: 'With a valid client, an unknown grant_type returns 400 with error unsupported_grant_type, and a missing one returns 400 with invalid_request (RFC 6749 5.2).',
    sources: [
      {
        standard: 'RFC 6749',
        section: '5.2',
        words: 'The authorization grant type is not supported by the authorization server.',
      },
    ],
    needs: ['client'],
    operations: ['requestToken'],
    values: { status: 400, unknown: 'unsupported_grant_type', missing: 'invalid_request' },
  },
  {
    id: 'oauth.errors.unknown-code',
    level: 'must',
    since: '0.1.0',
    rule: 'With a valid client, a code that was never issued returns 400 with error invalid_grant, and a missing one returns 400 with invalid_request or invalid_grant (RFC 6749 5.2); not tried if the authorization page requires user interaction.',
    sources: [
      { heading: 'Authentication', words: 'authorization code (authorization URL `/oauth/authorize`' },
      {
        standard: 'RFC 6749',
        section: '5.2',
        words:
          'The provided authorization grant (e.g., authorization code, resource owner credentials) or refresh token is invalid, expired, revoked',
      },
    ],
    needs: ['client'],
    operations: ['authorize', 'requestToken'],
    values: { status: 400, unknown: 'invalid_grant', missing: 'invalid_request' },
  },
  {
    id: 'oauth.code.redirect-uri-identical',
    level: 'must',
    since: '0.1.0',
    rule: 'A code is exchanged only with the redirect_uri of its authorization request: another one returns 400 with error invalid_grant; a missing one, for a code that was requested without PKCE, 400 with invalid_grant or invalid_request (RFC 6749 4.1.3), unless the server is an OpenID provider; not tried if the authorization page requires user interaction.',
    sources: [
      { heading: 'Authentication', words: 'authorization code (authorization URL `/oauth/authorize`' },
      {
        standard: 'RFC 6749',
        section: '4.1.3',
        words: 'if included ensure that their values are identical',
      },
      {
        standard: 'RFC 6749',
        section: '5.2',
        words: 'does not match the redirection URI used in the authorization request',
      },
    ],
    needs: ['client'],
    operations: ['authorize', 'requestToken'],
    values: { status: 400, error: 'invalid_grant', missing: 'invalid_request' },
  },
  {
    id: 'oauth.code.verifier-checked',
    level: 'must',
    since: '0.1.0',
    rule: 'If the server supports PKCE (its metadata lists S256, or it refuses a code that was requested with a challenge and is exchanged without a verifier), a code is exchanged only with the right code_verifier: without one there is no token, and another one, such as the challenge itself, returns 400 with error invalid_grant (RFC 7636 4.6); not tried if the authorization page requires user interaction.',
    sources: [
      { heading: 'Authentication', words: "The token endpoint's request and response parameters: not shown." },
      {
        standard: 'RFC 7636',
        section: '4.6',
        words: 'If the values are not equal, an error response indicating "invalid_grant"',
      },
    ],
    needs: ['client'],
    operations: ['authorize', 'requestToken'],
    values: { status: 400, error: 'invalid_grant' },
  },
  {
    id: 'oauth.authorize.state-returned',
    level: 'must',
    since: '0.1.0',
    rule: 'A redirect from the authorization endpoint to the client, with a code or an error, returns the state of the request unchanged (RFC 6749 4.1.2 and 4.1.2.1); not tried if there is no redirect without user interaction.',
    sources: [
      { heading: 'Authentication', words: 'authorization code (authorization URL `/oauth/authorize`' },
      { standard: 'RFC 6749', section: '4.1.2', words: 'The exact value received from the client.' },
    ],
    needs: ['client'],
    operations: ['authorize'],
  },
  {
    id: 'oauth.authorize.other-parameters-ignored',
    level: 'must',
    since: '0.1.0',
    rule: 'Unknown parameters of an authorization request are ignored, and parameters without a value count as omitted: the client gets a code as without them (RFC 6749 3.1); not tried if the authorization page requires user interaction.',
    sources: [
      {
        standard: 'RFC 6749',
        section: '3.1',
        words: 'The authorization server MUST ignore unrecognized request parameters.',
      },
    ],
    needs: ['client'],
    operations: ['authorize'],
  },
  {
    id: 'oauth.authorize.response-type-known',
    level: 'must',
    since: '0.1.0',
    rule: 'An authorization request with an unknown response_type, or without one, yields no code (RFC 6749 3.1.1).',
    sources: [
      {
        standard: 'RFC 6749',
        section: '3.1.1',
        words: 'the authorization server MUST return an error response as described in Section 4.1.2.1',
      },
    ],
    needs: ['client'],
    operations: ['authorize'],
  },
  {
    id: 'oauth.code.good-once',
    level: 'must',
    since: '0.1.0',
    rule: 'An authorization code can be exchanged once: a second exchange returns 400 invalid_grant (RFC 6749 4.1.2); not tried if the authorization page requires user interaction.',
    sources: [
      {
        standard: 'RFC 6749',
        section: '4.1.2',
        words: 'The client MUST NOT use the authorization code more than once.',
      },
    ],
    needs: ['client'],
    operations: ['authorize', 'requestToken'],
    values: { status: 400, error: 'invalid_grant' },
  },
  {
    id: 'oauth.authorize.no-open-redirect',
    level: 'must',
    since: '0.1.0',
    rule: '/oauth/authorize never redirects to an unregistered redirect_uri (RFC 6749 4.1.2.1).',
    sources: [
      {
        standard: 'RFC 6749',
        section: '4.1.2.1',
        words: 'MUST NOT automatically redirect the user-agent to the invalid redirection URI',
      },
    ],
    needs: ['client'],
    operations: ['authorize'],
  },
  {
    id: 'oauth.scopes.never-exceeded-silently',
    level: 'must',
    since: '0.1.0',
    rule: 'A requested scope beyond those that the target lists for the client is rejected with invalid_scope or narrowed, and a narrowed token reports its scope; a token for one of the scopes claims no other documented scope than the response reports, unless that is admin (RFC 6749 3.3).',
    sources: [
      {
        standard: 'RFC 6749',
        section: '3.3',
        words:
          'the authorization server MUST include the "scope" response parameter to inform the client of the actual scope granted',
      },
    ],
    needs: ['client'],
    operations: ['requestToken'],
  },
  {
    id: 'oauth.token.is-a-jwt',
    level: 'must',
    since: '0.1.0',
    rule: 'The access token is a JWT: three base64url parts, a JSON header and payload, and an expiry in the future.',
    sources: [{ heading: 'Authentication', words: 'the service 2.0 (JWT tokens)' }],
    needs: ['client'],
    operations: ['requestToken'],
  },
  {
    id: 'oauth.extras.what-the-server-offers',
    level: 'observe',
    since: '0.1.0',
    rule: 'Client authentication methods, PKCE, refresh tokens, discovery document, key set URL, claims, token lifetime.',
    sources: [{ heading: 'Authentication', words: "The token endpoint's request and response parameters: not shown." }],
    needs: [],
    operations: ['authorize', 'requestToken'],
  },
] as const satisfies readonly Requirement[];
