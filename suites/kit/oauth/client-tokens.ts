/** What the authorization server issues to the target's client. */
import type { Run } from '../../engine/conforms.ts';
import { HarnessError, ResponsesTooLargeError } from '../../target/transport.ts';
import { undefinedIfNotTried } from '../provision/undefined-if-not-tried.ts';
import { exchangeCode, newCode, ownGrant } from './grants.ts';
import { tokenResponse } from './token-requests.ts';
import type { TokenResponse } from './token-requests.ts';

interface ClientTokens {
  readonly access: readonly string[];
  /** Issued beside access tokens, and accepted by no other API (RFC 6749 section 1.5). By what they are. */
  readonly others: ReadonlyMap<string, string>;
}

/** Empty without a client. */
export async function clientTokens(run: Run): Promise<ClientTokens> {
  const byClient = await responseOf(run, () => ownGrant(run));
  const byCode = await responseOf(run, async () => exchangeCode(run, await newCode(run)));
  const access = [byClient.access_token, byCode.access_token].filter(isToken);
  const found = {
    'a refresh token': byCode.refresh_token ?? byClient.refresh_token,
    'an ID token': byCode.id_token ?? byClient.id_token,
  };
  const isOther = (entry: [string, string | undefined]): entry is [string, string] =>
    isToken(entry[1]) && !access.includes(entry[1]);
  return { access, others: new Map(Object.entries(found).filter(isOther)) };
}

const isToken = (text: string | undefined): text is string => text !== undefined && text !== '';

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
