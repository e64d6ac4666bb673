import { afterEach, expect, test } from 'vitest';
import { defaultWorld } from '../../../fixtures/worlds/default.ts';
import { callControl, changeMock, callManagement } from '../../testing/control-client.ts';
import { connect } from '../../testing/mcp-client.ts';
import { CALLBACK, locationOf, NOW, post, startFrozen } from '../../testing/oauth-client.ts';
import type { RunningMock } from '../../start-mock.ts';

let mock: RunningMock;
afterEach(() => mock.close());

const client = { client_id: 'mail-client', client_secret: 'mail-secret' };

const manage = (method: string, path: string, body?: object) =>
  callManagement(mock.addresses.host, mock.target.credentials.apiKey.value, method, path, body);

/** A refresh token, as after the consent of a user. */
async function consent(): Promise<string> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'mail-client',
    redirect_uri: CALLBACK,
    access_type: 'offline',
    prompt: 'none',
  });
  const page = await fetch(`${mock.addresses.host}/_mock/idp/authorize?${query.toString()}`, { redirect: 'manual' });
  const code = locationOf(page).searchParams.get('code') ?? '';
  const grant = { ...client, grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
  return String((await post(mock, '/_mock/idp/token', grant)).body['refresh_token']);
}

const connection = (token: string, name = 'mail') => ({
  metadata: { name },
  spec: {
    integration: 'google-mail',
    secret: { CLIENT_ID: client.client_id, CLIENT_SECRET: client.client_secret, REFRESH_TOKEN: token },
  },
});

async function makeFunction(token: string): Promise<void> {
  await manage('POST', '/integrations/connections', connection(token));
  const spec = { type: 'mcp', integrationConnections: ['mail'], runtime: { type: 'mcp' } };
  await manage('POST', '/functions', { metadata: { name: 'mailer' }, spec });
  await changeMock(mock.addresses.host, 'PUT', '/clock', { advanceMs: 2000 });
}

async function sendMail() {
  const { client: mcp } = await connect(mock, '/demo/functions/mailer/mcp');
  const result = await mcp.callTool({
    name: 'send_message',
    arguments: { to: 'mo@mail.example', subject: 'Order 7', text: 'It is on its way.' },
  });
  await mcp.close();
  return result;
}

test('a function sends messages while its connection is valid', async () => {
  mock = await startFrozen();
  await makeFunction(await consent());
  expect(await sendMail()).toMatchObject({ content: [{ text: 'Sent to mo@mail.example.' }] });
  expect((await callControl(mock.addresses.host, 'GET', '/outbox')).body).toMatchObject({
    messages: [{ function: 'mailer', connection: 'mail', to: 'mo@mail.example', subject: 'Order 7' }],
  });
});

test('after a revocation by the provider, a tool call returns an error as its result; a new consent repairs it', async () => {
  mock = await startFrozen();
  const token = await consent();
  await makeFunction(token);
  expect((await post(mock, '/_mock/idp/revoke', { ...client, token })).status).toBe(200);
  expect(await sendMail()).toMatchObject({
    isError: true,
    content: [{ text: 'google-mail refused integration connection "mail": The refresh token is revoked.' }],
  });
  await manage('PUT', '/integrations/connections/mail', connection(await consent()));
  expect((await sendMail()).isError).toBeUndefined();
});

test('creating a connection checks only its keys, and a tool call its values', async () => {
  mock = await startFrozen();
  await makeFunction('no-such-token');
  expect((await manage('GET', '/integrations/connections/mail')).status).toBe(200);
  expect(await sendMail()).toMatchObject({ isError: true });
  expect((await callControl(mock.addresses.host, 'GET', '/outbox')).body).toMatchObject({ messages: [] });
});

test('an update that sends the mask back leaves a secret as it was', async () => {
  mock = await startFrozen();
  await makeFunction(await consent());
  const { body } = await manage('GET', '/integrations/connections/mail');
  await manage('PUT', '/integrations/connections/mail', {
    ...(body as object),
    metadata: { name: 'mail', displayName: 'Mail' },
  });
  expect((await sendMail()).isError).toBeUndefined();
});

test('a world can verify the secrets when a connection is created; its target has working ones', async () => {
  mock = await startFrozen({ world: { ...defaultWorld(1, NOW), verifyOnCreate: true } });
  const refused = await manage('POST', '/integrations/connections', connection('no-such-token'));
  expect([refused.status, refused.body['message']]).toEqual([
    400,
    expect.stringMatching(/refresh token is unknown[^.]*\.$/),
  ]);
  expect(JSON.stringify(refused.body)).not.toContain('no-such-token');
  const working = mock.target.samples?.connectionSecrets?.['google-mail']?.['REFRESH_TOKEN'];
  const token = working !== undefined && 'value' in working ? working.value : '';
  const created = await manage('POST', '/integrations/connections', connection(token));
  expect(created.status).toBe(200);
});

test('a snapshot has the secrets of connections', async () => {
  mock = await startFrozen();
  await makeFunction(await consent());
  const { body } = await callControl(mock.addresses.host, 'GET', '/snapshot');
  await changeMock(mock.addresses.host, 'POST', '/reset');
  await changeMock(mock.addresses.host, 'PUT', '/snapshot', body);
  expect((await sendMail()).isError).toBeUndefined();
});

test('a function with tools: everything needs its connection like any other, and has send_message', async () => {
  const spec = { type: 'mcp', integrationConnections: ['mail'], runtime: { type: 'mcp' } };
  const { metadata, spec: connected } = connection('no-such-token');
  const world = defaultWorld(1, NOW);
  const resources = [
    ...world.resources,
    { workspace: 'demo', collection: 'integrations/connections', name: metadata.name, spec: connected },
    { workspace: 'demo', collection: 'functions', name: 'mailer', spec, tools: 'everything' as const },
  ];
  mock = await startFrozen({ world: { ...world, resources } });
  await changeMock(mock.addresses.host, 'PUT', '/clock', { advanceMs: 2000 });
  const call = async (name: string) => {
    const { client: mcp } = await connect(mock, '/demo/functions/mailer/mcp');
    const result = await mcp.callTool({ name, arguments: {} });
    await mcp.close();
    return result;
  };
  expect(await call('test_simple_text')).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('google-mail refused integration connection "mail"') }],
  });
  expect(await sendMail()).toMatchObject({ isError: true });
  await manage('PUT', '/integrations/connections/mail', connection(await consent()));
  expect(await call('test_simple_text')).toMatchObject({ content: [{ text: 'This is a simple text response.' }] });
  expect(await sendMail()).toMatchObject({ content: [{ text: 'Sent to mo@mail.example.' }] });
});

test('a function that defines send_message itself keeps its own tool', async () => {
  mock = await startFrozen();
  const { metadata, spec: connected } = connection('no-such-token');
  const spec = { type: 'mcp', integrationConnections: ['mail'], runtime: { type: 'mcp' } };
  const addResources = [
    { workspace: 'demo', collection: 'integrations/connections', name: metadata.name, spec: connected },
    {
      workspace: 'demo',
      collection: 'functions',
      name: 'mailer',
      spec,
      tools: [{ name: 'send_message', result: 'Own.' }],
    },
  ];
  await mock.loadWorld({ extends: 'default', addResources });
  await manage('PUT', '/integrations/connections/mail', connection(await consent()));
  await changeMock(mock.addresses.host, 'PUT', '/clock', { advanceMs: 2000 });
  expect(await sendMail()).toMatchObject({ content: [{ text: 'Own.' }] });
});

test('a session that began before an update sends no message through a connection that is no longer named', async () => {
  mock = await startFrozen();
  await makeFunction(await consent());
  const { client: mcp } = await connect(mock, '/demo/functions/mailer/mcp');
  await manage('PUT', '/functions/mailer', {
    metadata: { name: 'mailer' },
    spec: { type: 'mcp', runtime: { type: 'mcp' } },
  });
  const message = { to: 'mo@mail.example', subject: 'Order 7', text: 'It is on its way.' };
  expect(await mcp.callTool({ name: 'send_message', arguments: message })).toMatchObject({
    isError: true,
    content: [{ text: 'Function "mailer" has no mail connection any more.' }],
  });
  expect((await mock.outbox()).messages).toEqual([]);
  await mcp.close();
});

test('a revoked connection is an event of the functions that use it, which stay deployed', async () => {
  mock = await startFrozen();
  const token = await consent();
  await makeFunction(token);
  const newest = async () => {
    const { body } = await manage('GET', '/functions/mailer');
    const events = body['events'] as { status: string; message: string }[];
    return [body['status'], events.length, events.at(-1)?.status, events.at(-1)?.message];
  };
  const [status, count] = await newest();
  expect(status).toBe('DEPLOYED');
  const refused = 'google-mail refused integration connection "mail": The refresh token is revoked.';
  for (const _ of [1, 2]) {
    await changeMock(mock.addresses.host, 'PUT', '/clock', { advanceMs: 1000 });
    await post(mock, '/_mock/idp/revoke', { ...client, token });
    expect(await newest()).toEqual(['DEPLOYED', Number(count) + 1, 'DEPLOYED', refused]);
  }
  await manage('PUT', '/integrations/connections/mail', connection(await consent()));
  expect((await newest())[1]).toBe(Number(count) + 1);
  await manage('PUT', '/integrations/connections/mail', connection('no-such-token'));
  expect((await newest())[3]).toContain('The refresh token is unknown');
});

test('another mock that imports the world verifies secrets, too', async () => {
  mock = await startFrozen();
  const token = await consent();
  await makeFunction(token);
  await post(mock, '/_mock/idp/revoke', { ...client, token });
  const { body } = await callControl(mock.addresses.host, 'GET', '/snapshot');
  await mock.close();
  mock = await startFrozen();
  expect((await callControl(mock.addresses.host, 'PUT', '/snapshot', body)).status).toBe(200);
  expect(await sendMail()).toMatchObject({ isError: true });
});
