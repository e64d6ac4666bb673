/** Redeems the codes and refresh tokens of a world, which a snapshot contains, and uses the access tokens that it yields. */
import type { Snapshot } from '../../world/snapshot-schema.ts';
import { identityProvider } from '../../../fixtures/worlds/identity-provider.ts';

export interface Redeemed {
  readonly what: string;
  readonly status: number;
  readonly text: string;
}

const redirect_uri = 'http://127.0.0.1:8765/callback';
const ownClient = { client_id: 'demo-client', client_secret: 'demo-secret' };
const [provided] = identityProvider.clients;
const providedClient = { client_id: provided?.id ?? '', client_secret: provided?.secret ?? '' };

const servers = [
  { token: '/oauth/token', client: ownClient, stateOf: ({ oauth }: Snapshot) => oauth },
  { token: '/_mock/idp/token', client: providedClient, stateOf: (of: Snapshot) => of.identityProvider.state },
];

/** `host`: the address of the world. */
export async function redeemGrants(host: string, snapshot: Snapshot): Promise<Redeemed[]> {
  const responses: Redeemed[] = [];
  for (const { token: path, client, stateOf } of servers) {
    const { codes, refreshTokens } = stateOf(snapshot);
    const forms = [
      // First: a second use of a code revokes them.
      ...refreshTokens.map(([token]) => ({ grant_type: 'refresh_token', refresh_token: token, ...client })),
      ...codes.map(([code]) => ({ grant_type: 'authorization_code', code, redirect_uri, ...client })),
    ];
    for (const form of forms) responses.push(...(await redeem(host, path, form)));
  }
  return responses;
}

async function redeem(host: string, path: string, form: Record<string, string>): Promise<Redeemed[]> {
  const response = await fetch(`${host}${path}`, { method: 'POST', body: new URLSearchParams(form) });
  const text = await response.text();
  const redeemed = { what: `POST ${path} ${form['grant_type']}`, status: response.status, text };
  if (response.status !== 200) return [redeemed];
  const { access_token } = JSON.parse(text) as { access_token: string };
  const read = await fetch(`${host}/v0/agents`, { headers: { authorization: `Bearer ${access_token}` } });
  return [redeemed, { what: 'GET /v0/agents with its token', status: read.status, text: await read.text() }];
}

/** Creates a code and a refresh token at each server. */
export async function createGrants(host: string): Promise<void> {
  for (const { token, client } of servers) {
    const code = await newCode(host, token.replace(/token$/, 'authorize'), client.client_id);
    await redeem(host, token, { grant_type: 'authorization_code', code, redirect_uri, ...client });
    await newCode(host, token.replace(/token$/, 'authorize'), client.client_id);
  }
}

async function newCode(host: string, path: string, client_id: string): Promise<string> {
  const parameters = { response_type: 'code', client_id, redirect_uri, prompt: 'none', access_type: 'offline' };
  const url = `${host}${path}?${new URLSearchParams(parameters).toString()}`;
  const { headers } = await fetch(url, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
}
