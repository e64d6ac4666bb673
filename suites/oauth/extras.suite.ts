/** Observes features of the authorization server that the interface does not document. */
import { observes } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { readJwt } from '../generators/tampered-jwt.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import type { Exchange } from '../target/client.ts';
import { clientOf, requestToken, tokenResponse } from '../kit/oauth/token-requests.ts';
import { exchangeCode, newCode, ownGrant } from '../kit/oauth/grants.ts';
import type { Code } from '../kit/oauth/grants.ts';

observes('oauth.extras.what-the-server-offers', async (run) => {
  await observeDocuments(run);
  clientOf(run);
  await observeClients(run);
  await observeToken(run);
  await observeCodes(run);
});

const documents = {
  'the discovery document': 'getAuthorizationServerMetadata',
  'the OpenID discovery document': 'getOpenIdConfiguration',
  'the key set': 'getKeySet',
} as const;

/** The metadata locations of RFC 8414 and OpenID Connect Discovery, and the lists of the metadata. */
async function observeDocuments(run: Run): Promise<void> {
  for (const [what, id] of Object.entries(documents)) {
    const { response } = await run.as('none').call(id);
    run.observe(what, String(response.status));
    if (response.status !== 200 || typeof response.json !== 'object' || response.json === null) continue;
    for (const [member, value] of Object.entries(response.json))
      if (member.endsWith('_supported') && member !== 'scopes_supported')
        run.observe(`${what}: ${member}`, listed(value));
  }
}

const listed = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).toSorted().join(', ') : JSON.stringify(value);

async function observeClients(run: Run): Promise<void> {
  const ways = {
    client_secret_basic: () => ownGrant(run, { proof: 'basic' }),
    client_secret_post: () => ownGrant(run, { proof: 'post' }),
    'the same client by header and by body': () => clientTwice(run),
  };
  for (const [what, send] of Object.entries(ways)) run.observe(what, seen(await undefinedIfNotTried(send())));
}

function clientTwice(run: Run): Promise<Exchange> {
  const { id, secret } = clientOf(run);
  const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret.value };
  return requestToken(run, fields, { proof: 'basic' });
}

function seen(exchange: Exchange | undefined): string {
  if (exchange === undefined) return 'unauthorized_client';
  const { error } = tokenResponse(exchange);
  return error === undefined ? String(exchange.response.status) : `${exchange.response.status} ${error}`;
}

/** The names of the claims of the client's token. Values are not recorded. */
async function observeToken(run: Run): Promise<void> {
  const response = await undefinedIfNotTried(ownGrant(run));
  if (response === undefined) return;
  const { access_token: token = '', expires_in: lifetime, token_type: type } = tokenResponse(response);
  run.observe('token_type', type ?? 'not said');
  run.observe('expires_in of the client’s own token', lifetime === undefined ? 'not said' : `${lifetime} seconds`);
  const jwt = readJwt(token);
  if (jwt === undefined) return;
  run.observe('alg of the access token', String(jwt.header['alg']));
  run.observe('claims of the access token', Object.keys(jwt.payload).toSorted().join(', '));
}

/** Skipped if the authorization page needs a person. */
async function observeCodes(run: Run): Promise<void> {
  for (const pkce of [true, false]) {
    const code = await undefinedIfNotTried(newCode(run, { pkce }));
    const what = pkce ? 'a code with PKCE' : 'a code without PKCE';
    run.observe(what, code === undefined ? 'none without a person' : await exchanged(run, code));
  }
  const code = await undefinedIfNotTried(newCode(run));
  if (code === undefined) return;
  const wrong = { ...code, fields: { ...code.fields, code_verifier: 'assay-'.repeat(10) } };
  run.observe('a code with another code_verifier', seen(await exchangeCode(run, wrong)));
}

async function exchanged(run: Run, code: Code): Promise<string> {
  const response = await exchangeCode(run, code);
  const { refresh_token } = tokenResponse(response);
  if (refresh_token === undefined) return `${seen(response)}, without a refresh token`;
  const fresh = await requestToken(run, { grant_type: 'refresh_token', refresh_token });
  const rotated = tokenResponse(fresh).refresh_token;
  const kept = rotated === undefined || rotated === refresh_token;
  return `${seen(response)}, with a refresh token that is answered ${seen(fresh)} and ${kept ? 'kept' : 'rotated'}`;
}
