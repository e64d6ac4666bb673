/** Tokens of clients that get them for themselves: fetched, and fetched anew before they end. */
import { fieldsOf } from '../expect/fields.ts';
import { jsonIn } from '../expect/json-in.ts';
import { quoted } from './form.ts';
import { basicOf, secretsOf } from './target.ts';
import type { Proof, Renewal, Secret, Target, TokenClient } from './target.ts';
import { Trouble } from './transport.ts';
import type { Transport, WireRequest } from './transport.ts';

export type Token = Pick<Secret, 'value' | 'renewal'>;

/**
 * Client credentials grant (RFC 6749 4.4), the client in the body where HTTP Basic gets no token (decision 056). Throws
 * Trouble that names the place of the client in the target file where neither does.
 */
export async function fetchToken(client: TokenClient, at: string, transport: Transport): Promise<Token> {
  const statuses: number[] = [];
  for (const proof of client.proof === undefined ? proofs : [client.proof]) {
    const askedAt = Date.now();
    const answer = await transport.send(tokenRequest(client, proof));
    const { access_token: value, expires_in: lifetime } = fieldsOf(jsonIn(answer.text)) ?? {};
    statuses.push(answer.status);
    if (answer.status !== 200 || typeof value !== 'string' || value === '') continue;
    const seconds = Number(lifetime ?? 0); // some write it as text
    // Half of its time is left to whoever begins just before another is due.
    return seconds > 0 ? { value, renewal: { client: { ...client, proof }, due: askedAt + seconds * 500 } } : { value };
  }
  throw new Trouble(`${at}: ${quoted(client.tokenUrl)} gave no token (status ${statuses.join(', then ')}).`);
}

const proofs: readonly Proof[] = ['basic', 'post'];

function tokenRequest(client: TokenClient, proof: Proof): WireRequest {
  const { tokenUrl, id, secret, scope } = client;
  const { origin, pathname } = new URL(tokenUrl);
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope === undefined ? {} : { scope }),
    ...(proof === 'post' ? { client_id: id, client_secret: secret.value } : {}),
  });
  return {
    method: 'POST',
    origin,
    path: pathname,
    headers: {
      ...(proof === 'basic' ? { Authorization: `Basic ${basicOf(client).value}` } : {}),
      'Content-Type': 'application/x-www-form-urlencoded',
      Accept: 'application/json',
    },
    body: form.toString(),
  };
}

export interface Tokens {
  /** What to send in the place of a token of the target: another one, once half of its time is over. Throws Trouble. */
  valid(token: string): Promise<string>;
}

/** `learn` is told of each token that is fetched. */
export function createTokens(
  target: Target,
  transport: Transport,
  learn: (token: string, name: string) => void,
): Tokens {
  const latest = new Map(secretsOf(target).map((secret) => [secret.value, Promise.resolve(secret)]));

  async function fetchAnew({ name }: Secret, { client }: Renewal): Promise<Secret> {
    const token = await fetchToken(client, name, transport);
    learn(token.value, name);
    return { name, ...token };
  }

  function renew(token: string, secret: Secret, renewal: Renewal): void {
    const fetched = fetchAnew(secret, renewal);
    latest.set(token, fetched);
    fetched.catch(() => latest.set(token, Promise.resolve(secret))); // whoever asks next tries again
  }

  return {
    async valid(token) {
      const known = latest.get(token);
      if (known === undefined) return token;
      const secret = await known;
      const { renewal } = secret;
      if (renewal === undefined || Date.now() < renewal.due) return secret.value;
      if (latest.get(token) === known) renew(token, secret, renewal); // once for all who ask meanwhile
      return ((await latest.get(token)) ?? secret).value;
    },
  };
}
