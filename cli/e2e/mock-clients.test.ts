/** What the clients of real users make of a mock that is started as a user starts it. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport, type FetchLike } from '@modelcontextprotocol/client';
import OpenAI from 'openai';
import * as oauth from 'openid-client';
import { Agent, fetch as fetchThrough } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookup } from '../../suites/target/loopback.ts';

/** As much of the line that the mock prints as these tests need. */
interface Target {
  readonly addresses: Readonly<Record<'management' | 'host' | 'inference' | 'sandbox', string>>;
  readonly workspace: string;
  readonly credentials: { readonly apiKey: { readonly value: string } };
  readonly client: Readonly<Record<'id' | 'secret', { readonly value: string }>> & { readonly redirectUri: string };
  readonly resources: Readonly<Record<'agent' | 'model' | 'function', string>>;
}

let mock: ChildProcess;
let target: Target;

beforeAll(async () => {
  const words = [path.join(import.meta.dirname, '../assay.mjs'), 'mock', '--port', '0', '--json', '--quiet'];
  const started = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  mock = started;
  const lines = createInterface(started.stdout);
  const first = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  const ready = JSON.parse(String(first[0])) as { ready: boolean; target: Target };
  assert.equal(ready.ready, true);
  ({ target } = ready);
});

afterAll(async () => {
  const ended = once(mock, 'exit');
  assert.equal(mock.kill('SIGTERM'), true);
  assert.deepEqual(await ended, [0, null]);
});

const addressOf = (collection: string, name: string) =>
  `${target.addresses.inference}/${target.workspace}/${collection}/${name}`;

describe('openid-client', () => {
  const discover = () => {
    const { id, secret } = target.client;
    const options = { execute: [oauth.allowInsecureRequests] };
    return oauth.discovery(new URL(target.addresses.host), id.value, {}, oauth.ClientSecretPost(secret.value), options);
  };

  async function statusWith({ access_token: token }: oauth.TokenEndpointResponse): Promise<number> {
    const url = `${target.addresses.management}/agents/${target.resources.agent}`;
    return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
  }

  test('gets a token for client credentials', async () => {
    expect(await statusWith(await oauth.clientCredentialsGrant(await discover()))).toBe(200);
  });

  test('gets a token for a code, with PKCE, that a person allows on the page', async () => {
    const client = await discover();
    const [verifier, state] = [oauth.randomPKCECodeVerifier(), oauth.randomState()];
    const page = oauth.buildAuthorizationUrl(client, {
      redirect_uri: target.client.redirectUri,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const back = await allowedOn(page);
    expect(back.href.startsWith(`${target.client.redirectUri}?`)).toBe(true);
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const tokens = await oauth.authorizationCodeGrant(client, back, checks);
    expect(await statusWith(tokens)).toBe(200);
    expect(await statusWith(await oauth.refreshTokenGrant(client, tokens.refresh_token ?? ''))).toBe(200);
  });
});

/** The redirect target of the unchanged form. */
async function allowedOn(page: URL): Promise<URL> {
  const html = await (await fetch(page, { headers: { accept: 'text/html' } })).text();
  const [, method = '', action = ''] = /<form method="(\w+)" action="([^"]+)">/.exec(html) ?? [];
  const fields = new URLSearchParams({ decision: 'allow' });
  for (const [, type, name = '', value = '', rest] of html.matchAll(INPUT))
    if (type === 'hidden' || rest?.includes('checked')) fields.append(name, value);
  const sent = await fetch(new URL(action, page), { method, body: fields, redirect: 'manual' });
  return new URL(sent.headers.get('location') ?? 'about:blank');
}

const INPUT = /<input type="(hidden|radio)" name="(\w+)" value="([^"]*)"([^>]*)>/g;

describe('the openai package', () => {
  const query = { model: 'any', messages: [{ role: 'user' as const, content: 'Where is order 17?' }] };
  const client = () => {
    const baseURL = `${addressOf('models', target.resources.model)}/v1`;
    return new OpenAI({ apiKey: target.credentials.apiKey.value, baseURL, maxRetries: 0 });
  };

  test('gets the same completion with and without streaming', async () => {
    const whole = await client().chat.completions.create(query);
    const text = whole.choices[0]?.message.content;
    expect(text).toContain('You said: "Where is order 17?".');
    const pieces: string[] = [];
    for await (const { choices } of await client().chat.completions.create({ ...query, stream: true }))
      pieces.push(choices[0]?.delta.content ?? '');
    expect(pieces.filter(Boolean).length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(text);
  });
});

describe('the official MCP client', () => {
  // Not every system knows that names below .localhost are loopback.
  const dispatcher = new Agent({ connect: { lookup } });
  const fetchLocally = ((url, init) => fetchThrough(url, { ...init, dispatcher } as object)) as FetchLike;
  afterAll(() => dispatcher.close());

  const servers: [string, () => string, string, Record<string, unknown>, string][] = [
    ['a function', () => addressOf('functions', target.resources.function), 'echo', { text: 'Hello' }, 'Hello'],
    ['a sandbox', () => target.addresses.sandbox, 'list_directory', { path: '/' }, '/app'],
  ];

  test.each(servers)('lists and calls the tools of %s', async (_, address, name, args, answers) => {
    const transport = new StreamableHTTPClientTransport(new URL(`${address()}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${target.credentials.apiKey.value}` } },
      fetch: fetchLocally,
    });
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(transport);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain(name);
    const { content, isError = false } = await client.callTool({ name, arguments: args });
    expect([isError, JSON.stringify(content)]).toEqual([false, expect.stringContaining(answers)]);
    await transport.terminateSession();
    await client.close();
  });
});
