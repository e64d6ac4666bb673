/** Tokens that the authorization server issues to the target's client beside access tokens, which no other API accepts (RFC 6749 section 1.5). */
import type { Run } from '../../engine/conforms.ts';
import { HarnessError, ResponsesTooLargeError } from '../../target/transport.ts';
import { undefinedIfNotTried } from '../provision/undefined-if-not-tried.ts';
import { exchangeCode, newCode, ownGrant } from './grants.ts';
import { tokenResponse } from './token-requests.ts';
import type { TokenResponse } from './token-requests.ts';

/** By what they are. Empty without a client, or if it gets only access tokens. */
export async function otherTokens(run: Run): Promise<ReadonlyMap<string, string>> {
  const byClient = await responseOf(run, () => ownGrant(run));
  const byCode = await responseOf(run, async () => exchangeCode(run, await newCode(run)));
  const accessTokens = new Set([byClient.access_token, byCode.access_token]);
  const found = {
    'a refresh token': byCode.refresh_token ?? byClient.refresh_token,
    'an ID token': byCode.id_token ?? byClient.id_token,
  };
  const isOther = (entry: [string, string | undefined]): entry is [string, string] =>
    entry[1] !== undefined && entry[1] !== '' && !accessTokens.has(entry[1]);
  return new Map(Object.entries(found).filter(isOther));
}

/** Empty if the client cannot get a token: rules about its requests report why. */
async function responseOf(run: Run, grant: () => ReturnType<typeof ownGrant>): Promise<TokenResponse> {
  if (run.target.client === undefined) return {};
  try {
    const exchange = await undefinedIfNotTried(grant());
    return exchange?.response.status === 200 ? tokenResponse(exchange) : {};
  } catch (error) {
    if (error instanceof HarnessError && !(error instanceof ResponsesTooLargeError)) return {};
    throw error;
  }
}
