/** The tokens in the credential headers of requests, and those that requests are issued. */
import { fieldsOf } from '../json/fields.ts';
import type { Exchange } from './exchange.ts';
import type { IssuedTokens } from './issued-tokens.ts';
import type { Head } from './retry-delay.ts';
import { lifetimeOf } from './token-end.ts';
import type { Tokens } from './token.ts';
import type { WireResponse } from './transport.ts';
import type { ResolvedRequest } from './wire-request.ts';

type Headers = ResolvedRequest['headers'];

/** The scheme and the token of a value of a credential header. */
const CREDENTIAL = /^(\S+ +)(\S+)$/;

const isCredentialHeader = ([name]: readonly [string, unknown]): boolean => /authorization$/i.test(name);

export const tokensIn = (headers: Headers): string[] =>
  Object.entries(headers)
    .filter(isCredentialHeader)
    .flatMap(([, value]) => [value].flat())
    .flatMap((line) => CREDENTIAL.exec(line)?.[2] ?? []);

async function mapTokens(headers: Headers, change: (token: string) => string | Promise<string>): Promise<Headers> {
  const changed = async (line: string): Promise<string> => {
    const [, scheme = '', token] = CREDENTIAL.exec(line) ?? [];
    return token === undefined ? line : scheme + (await change(token));
  };
  const all = Object.entries(headers).map(async ([name, value]) => {
    if (!isCredentialHeader([name, value])) return [name, value] as const;
    return [name, Array.isArray(value) ? await Promise.all(value.map(changed)) : await changed(value)] as const;
  });
  return Object.fromEntries(await Promise.all(all));
}

/** Replaces tokens of the target that have expired or are due for renewal, and issued ones that were replaced. */
export const withValidTokens = (headers: Headers, tokens: Tokens): Promise<Headers> =>
  mapTokens(headers, (token) => tokens.valid(token));

/** Whether the target refused the request because a token of the run has ended: that is no block of the run, and shows nothing. */
export const refusesEnded = (tokens: Tokens, { headers }: Pick<ResolvedRequest, 'headers'>, response: Head): boolean =>
  isRefusal(response) && tokensIn(headers).some((token) => tokens.hasEnded(token, response));

/** A target may hide from callers without a valid credential what exists (decision 053). */
export const isRefusal = ({ status }: Pick<Head, 'status'>): boolean => [401, 403, 404].includes(status);

/** Undefined if the request is not for a token. */
const grantOf = ({ method, body }: ResolvedRequest): string | undefined =>
  method === 'POST' && typeof body === 'string' && body.includes('grant_type=')
    ? (new URLSearchParams(body).get('grant_type') ?? undefined)
    : undefined;

function tokenIn({ response }: Exchange) {
  const { access_token: token, expires_in: seconds } = fieldsOf(response.json) ?? {};
  if (response.status !== 200 || typeof token !== 'string' || token === '') return undefined;
  return { token, seconds: typeof seconds === 'number' ? seconds : lifetimeOf(token) };
}

interface Sent {
  readonly response: WireResponse;
  /** Records the exchange. */
  readonly toExchange: (response: WireResponse) => Exchange;
}

/**
 * Notes the token of the response, if it is issued with client credentials. A request with an issued token that a later one may have
 * revoked is repeated with a new one; its refusal is not recorded.
 */
export async function sendWithIssuedTokens<Request extends ResolvedRequest>(
  issued: IssuedTokens<Request>,
  request: Request,
  send: (request: Request) => Promise<Sent>,
): Promise<Exchange> {
  const complete = async (each: Request): Promise<Exchange> => {
    const { response, toExchange } = await send(each);
    return toExchange(response);
  };
  const requestToken = async (each: Request): Promise<Exchange> => {
    const exchange = await complete(each);
    const found = grantOf(each) === 'client_credentials' ? tokenIn(exchange) : undefined;
    if (found !== undefined) issued.note(found.token, each, found.seconds);
    return exchange;
  };
  if (grantOf(request) !== undefined) return issued.request(() => requestToken(request));
  let sent = await send(request);
  for (const token of sent.response.status === 401 ? tokensIn(request.headers) : [])
    await issued.replace(
      token,
      async (each) => tokenIn(await requestToken(each))?.token,
      async (value) => {
        const headers = await mapTokens(request.headers, (each) => (each === token ? value : each));
        sent = await send({ ...request, headers });
        return sent.response.status !== 401;
      },
    );
  return sent.toExchange(sent.response);
}
