/** Observes features of the authorization server that the interface does not document. */
import { DISCOVERY_DOCUMENTS, type Json } from '../../spec/observations/value-kind.ts';
import { isFields } from '../json/fields.ts';
import { observes } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { readJwt } from '../generators/tampered-jwt.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import type { Exchange } from '../target/client.ts';
import { clientOf, requestToken, tokenResponse } from '../kit/oauth/token-requests.ts';
import { exchangeCode, newCode, ownGrant, requestOwnToken } from '../kit/oauth/grants.ts';
import type { Code } from '../kit/oauth/grants.ts';

observes('oauth.extras.what-the-server-offers', async (run) => {
  await observeDocuments(run);
  clientOf(run);
  await observeClients(run);
  await observeToken(run);
  await observeCodes(run);
});

const documents = [
  ['the discovery document', 'getAuthorizationServerMetadata'],
  ['the OpenID discovery document', 'getOpenIdConfiguration'],
  ['the key set', 'getKeySet'],
] as const;

/** The metadata locations of RFC 8414 and OpenID Connect Discovery, and the lists of the metadata. */
async function observeDocuments(run: Run): Promise<void> {
  for (const [what, id] of documents) {
    const { response } = await run.as('none').call(id);
    run.observe(what, { status: response.status });
    const document = DISCOVERY_DOCUMENTS.find((each) => each === what);
    if (document === undefined || response.status !== 200 || !isFields(response.json)) continue;
    for (const [member, value] of Object.entries(response.json)) {
      if (!member.endsWith('_supported') || member === 'scopes_supported') continue;
      const is = (Array.isArray(value) ? value.map(String).toSorted() : value) as Json;
      run.observe(`${document}: ${member}`, { document, member, is });
    }
  }
}

async function observeClients(run: Run): Promise<void> {
  for (const proof of ['basic', 'post'] as const) {
    const { exchange } = await requestOwnToken(run, { proof });
    run.observe(`client_secret_${proof}`, clientOutcome(exchange));
  }
  const twice = await undefinedIfNotTried(clientTwice(run));
  if (twice !== undefined) run.observe('the same client by header and by body', tokenOutcome(twice));
}

function clientTwice(run: Run): Promise<Exchange> {
  const { id, secret } = clientOf(run);
  const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret.value };
  return requestToken(run, fields, { proof: 'basic' });
}

interface TokenOutcome {
  readonly status: number;
  readonly error?: string;
}

function tokenOutcome(exchange: Exchange): TokenOutcome {
  const { error } = tokenResponse(exchange);
  return { status: exchange.response.status, ...(error !== undefined && { error }) };
}

/** The status says nothing about the method if the client is not authorized for the grant. */
function clientOutcome(exchange: Exchange): TokenOutcome | { status: null; error: string } {
  const outcome = tokenOutcome(exchange);
  return outcome.error === 'unauthorized_client' ? { status: null, error: outcome.error } : outcome;
}

/** The names of the claims of the client's token. Values are not recorded. */
async function observeToken(run: Run): Promise<void> {
  const response = await undefinedIfNotTried(ownGrant(run));
  if (response === undefined) return;
  const { access_token: token = '', expires_in: lifetime, token_type: type } = tokenResponse(response);
  run.observe('token_type', { text: textOrNull(type) });
  run.observe('expires_in of the client’s own token', { seconds: lifetime ?? null });
  const jwt = readJwt(token);
  if (jwt === undefined) return;
  run.observe('alg of the access token', { text: textOrNull(jwt.header['alg']) });
  run.observe('claims of the access token', Object.keys(jwt.payload).toSorted());
}

/** A value that is not a string as JSON; null if there is none. */
function textOrNull(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Skipped if the authorization page needs a person. */
async function observeCodes(run: Run): Promise<void> {
  for (const pkce of [true, false]) {
    const code = await undefinedIfNotTried(newCode(run, { pkce }));
    const what = pkce ? 'a code with PKCE' : 'a code without PKCE';
    run.observe(what, code === undefined ? 'needs a person' : await exchanged(run, code));
  }
  const code = await undefinedIfNotTried(newCode(run));
  if (code === undefined) return;
  const wrong = { ...code, fields: { ...code.fields, code_verifier: 'assay-'.repeat(10) } };
  run.observe('a code with another code_verifier', tokenOutcome(await exchangeCode(run, wrong)));
}

async function exchanged(run: Run, code: Code) {
  const response = await exchangeCode(run, code);
  const { refresh_token } = tokenResponse(response);
  if (refresh_token === undefined) return { ...tokenOutcome(response), refresh: null };
  const fresh = await requestToken(run, { grant_type: 'refresh_token', refresh_token });
  const next = tokenResponse(fresh).refresh_token;
  const rotated = next !== undefined && next !== refresh_token;
  return { ...tokenOutcome(response), refresh: { ...tokenOutcome(fresh), rotated } };
}
