import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import type {
  OAuthClientInformationMixed,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { everythingPath, functionPath, sandboxPath } from '../../testing/mcp-client.ts';

let mock: RunningMock;

beforeAll(async () => {
  mock = await startMock({ seed: 3 });
});

afterAll(() => mock.close());

const redirectUrl = 'http://localhost:33418/oauth/callback';

/** A client that knows nothing but the address of an MCP server, and whose user allows access. */
function provider() {
  let information: OAuthClientInformationMixed | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  let discovered: OAuthDiscoveryState | undefined;
  let redirected = new URLSearchParams();
  const own: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    clientInformation: () => information,
    saveClientInformation: (saved) => void (information = saved),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: async (url) => {
      url.searchParams.set('prompt', 'none');
      const response = await fetch(url, { redirect: 'manual' });
      redirected = new URL(String(response.headers.get('location'))).searchParams;
    },
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
    saveDiscoveryState: (saved) => void (discovered = saved),
    discoveryState: () => discovered,
  };
  return { own, redirected: () => redirected, tokens: () => tokens };
}

test.each(['127.0.0.1', 'localhost'])(
  'the official client 2.4.0 registers and logs in to every MCP server by itself, by the name %s',
  async (name) => {
    for (const path of [functionPath, everythingPath, sandboxPath]) {
      const url = new URL(mock.addresses.host + path);
      url.hostname = name;
      const { own, redirected, tokens } = provider();
      const transport = () => new StreamableHTTPClientTransport(url, { authProvider: own });
      const refused = transport();
      await expect(new Client({ name: 'test', version: '1.0.0' }).connect(refused)).rejects.toThrow(UnauthorizedError);
      await refused.finishAuth(redirected());
      expect(tokens()).toMatchObject({ scope: 'functions:get sandboxes:get', refresh_token: expect.any(String) });
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(transport());
      expect((await client.listTools()).tools.length).toBeGreaterThan(0);
      await client.close();
    }
  },
);

const register = async (of: RunningMock, body: object, headers: Record<string, string> = {}) => {
  const response = await fetch(`${of.addresses.host}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test('a confidential client gets a secret, and unknown scopes are omitted', async () => {
  const { status, body } = await register(mock, { redirect_uris: [redirectUrl], scope: 'openid agents:get' });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    client_secret: expect.stringMatching(/^[0-9a-f]{40}$/),
    client_secret_expires_at: 0,
    token_endpoint_auth_method: 'client_secret_basic',
    scope: 'agents:get',
  });
});

test.each([
  [{ redirect_uris: [] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['/relative'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: [redirectUrl], token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
  [{}, 'invalid_request'],
])('%j is refused', async (body, error) => {
  expect(await register(mock, body)).toMatchObject({ status: 400, body: { error } });
});

test('a page of another origin registers no client', async () => {
  const { status } = await register(mock, { redirect_uris: [redirectUrl] }, { origin: 'https://other.example' });
  expect(status).toBe(403);
});

test('a mock that can be reached from other machines registers no clients, and does not offer it', async () => {
  await using exposed = await startMock({ host: '0.0.0.0', controlToken: 'secret' });
  const { port } = new URL(exposed.addresses.host);
  const metadata = await fetch(`http://127.0.0.1:${port}/.well-known/oauth-authorization-server`);
  expect(await metadata.json()).not.toHaveProperty('registration_endpoint');
  const local = { addresses: { host: `http://127.0.0.1:${port}` } } as RunningMock;
  expect((await register(local, { redirect_uris: [redirectUrl] })).status).toBe(403);
});

test.each([
  ['https://proxy.example/mock', 403],
  ['http://localhost:8080', 201],
])('a mock on loopback whose public address is %s responds to registrations with %s', async (publicUrl, status) => {
  await using behind = await startMock({ publicUrl });
  const local = { addresses: { host: `http://127.0.0.1:${behind.world.mount.port}` } } as RunningMock;
  expect((await register(local, { redirect_uris: [redirectUrl] })).status).toBe(status);
  const metadata = await fetch(`${local.addresses.host}/.well-known/oauth-authorization-server`);
  expect('registration_endpoint' in ((await metadata.json()) as object)).toBe(status === 201);
});

test('registered clients are part of a snapshot, and of the limits', async () => {
  await using small = await startMock({ world: { extends: 'default', limits: { clients: 5 } } });
  const { body } = await register(small, { redirect_uris: [redirectUrl] });
  const snapshot = await fetch(`${small.addresses.host}/_mock/snapshot`);
  const { clients } = (await snapshot.json()) as { clients: { id: string }[] };
  expect(clients.map(({ id }) => id)).toContain(body['client_id']);
  for (let left = 5 - clients.length; left > 0; left--) await register(small, { redirect_uris: [redirectUrl] });
  expect((await register(small, { redirect_uris: [redirectUrl] })).status).toBe(429);
});
