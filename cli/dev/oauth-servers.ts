/**
 * `npm run oauth-servers`: judges OAuth servers made with published packages, which it installs in a temporary folder: each
 * fails exactly the rules that it breaks. Takes minutes.
 */
import type { IncomingMessage } from 'node:http';
import { startMock } from '../../mock/start-mock.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { runOnTarget } from '../e2e/testing/run-on-target.ts';
import { devCommand } from './dev-command.ts';
import { installPackages } from './install-packages.ts';
import { startProxy, startServer, type Route } from './published-server.ts';
import { writeVerdicts, type KnownVerdicts } from './unexpected-verdicts.ts';

devCommand('oauth-servers', 'judges OAuth servers made with published packages; takes minutes').parse();

const dependencies = {
  '@node-oauth/express-oauth-server': '4.2.0',
  '@node-oauth/oauth2-server': '5.3.0',
  express: '5.3.0',
  'oauth2-mock-server': '8.2.3',
  'oidc-provider': '9.13.3',
};

const INSTEAD_OF_INVALID_GRANT = 'failed: error invalid_request, expected error invalid_grant';
/** By configuration of fixtures/oauth-servers/server.mjs. */
const configurations: Readonly<Record<string, KnownVerdicts>> = {
  // It issues a token without scopes for an unknown scope, and the response does not say so.
  'oidc-provider': { 'oauth.scopes.never-exceeded-silently': 'failed: no scope, expected scope in the response' },
  // It checks neither clients nor redirect URIs nor scopes, so that tests need not register any.
  'oauth2-mock-server': {
    'oauth.authorize.no-open-redirect': 'failed: one to https://a.assay.invalid/callback, expected no redirect',
    'oauth.code.good-once': INSTEAD_OF_INVALID_GRANT,
    'oauth.code.redirect-uri-identical': 'failed: status 200, expected status 400',
    'oauth.code.verifier-checked': 'failed: an access_token, expected no token',
    'oauth.errors.basic-challenge': 'not-tried: the error invalid_client for an unknown client',
    'oauth.errors.grant-type': 'failed: error invalid_grant, expected error unsupported_grant_type',
    'oauth.errors.invalid-client': 'failed: status 200, expected status 400 or 401',
    'oauth.errors.unknown-code': INSTEAD_OF_INVALID_GRANT,
    'oauth.scopes.never-exceeded-silently': 'failed: assay-a:a among its scopes, expected a token without assay-a:a',
  },
  // It refuses an empty scope, and its tokens are random.
  '@node-oauth/oauth2-server': {
    'oauth.code.redirect-uri-identical': INSTEAD_OF_INVALID_GRANT,
    'oauth.token.is-a-jwt': 'failed: 1 parts, or other characters, expected three base64url parts',
    'oauth.token.other-parameters-ignored': 'failed: status 400, expected status 200',
  },
};

const selected = requirements
  .filter(({ id, level }) => id.startsWith('oauth.') && level === 'must')
  .map(({ id }) => id);

/** Serves OAuth from the server, and the rest from the mock, which takes the tokens of the server for its own. */
function routesTo(serverPort: number, mockPort: number, token: string): (request: IncomingMessage) => Route {
  const issued = new Set<string>();
  const onBody = (text: string) => {
    const [, authorization] = /"access_token":\s*"([^"]+)"/.exec(text) ?? [];
    if (authorization !== undefined) issued.add(`Bearer ${authorization}`);
  };
  return ({ url = '/', headers }) => {
    if (/^\/(oauth|\.well-known)\//.test(url)) return { port: serverPort, path: url, onBody };
    const isIssued = ([, value]: [string, unknown]) => issued.has(String(value));
    const replaced = Object.entries(headers)
      .filter(isIssued)
      .map(([name]) => [name, `Bearer ${token}`]);
    return { port: mockPort, path: url, headers: Object.fromEntries(replaced) as Record<string, string> };
  };
}

/** Writes which verdicts differ from what is known of the server. */
async function judge(cwd: string, name: string, known: KnownVerdicts): Promise<void> {
  await using mock = await startMock();
  const { target, addresses, world } = mock;
  const client = world.clients.get(world.target.client ?? '');
  if (client === undefined || target.client === undefined) throw new Error('The default world has no client.');
  const { id, secret, redirectUris, scopes } = client;
  const registered = JSON.stringify({ id, secret, redirectUri: redirectUris[0], scopes });
  using server = await startServer(cwd, ['server.mjs', name, 'PORT', registered]);
  const token = target.credentials.admin.value;
  using proxy = await startProxy(routesTo(server.port, Number(new URL(addresses.host).port), token));
  const host = proxy.address;
  const outcomes = await runOnTarget(
    {
      ...target,
      allow: 'write',
      addresses: { management: `${host}/v0`, host, inference: host },
      client: { ...target.client, tokenUrl: `${host}/oauth/token`, authorizationUrl: `${host}/oauth/authorize` },
    },
    { selected },
  );
  writeVerdicts(name, outcomes, known);
}

using folder = installPackages('oauth-servers', dependencies);
for (const [name, known] of Object.entries(configurations)) await judge(folder.path, name, known);
