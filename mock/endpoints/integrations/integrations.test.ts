import { beforeEach, expect, test } from 'vitest';
import type { World } from '../../world/world.ts';
import { callEndpoint, frozenWorld } from '../../testing/call-endpoint.ts';

let world: World;
beforeEach(() => {
  world = frozenWorld();
});

test('provider info contains only the documented fields', async () => {
  const { body } = await callEndpoint(world, 'getIntegration', { path: { integrationName: 'github' } });
  expect(Object.keys(body).toSorted()).toEqual([
    'additionalInfos',
    'endpoints',
    'headers',
    'name',
    'organizations',
    'params',
    'repositories',
  ]);
  expect([body.organizations.length > 0, body.repositories.length > 0]).toEqual([true, true]);
  expect((await callEndpoint(world, 'getIntegration', { path: { integrationName: 'no-such' } })).status).toBe(404);
  expect((await callEndpoint(world, 'listIntegrations')).body).toContainEqual(body);
});

const secret = { CLIENT_ID: 'id-value', CLIENT_SECRET: 'secret-value', REFRESH_TOKEN: 'token-value' };
const connect = (spec: object) =>
  callEndpoint(world, 'createIntegrationConnection', { body: { metadata: { name: 'mail' }, spec } });

test('a mail connection needs all three secrets', async () => {
  for (const key of Object.keys(secret)) {
    const { [key as keyof typeof secret]: _left, ...rest } = secret;
    const { status, body } = await connect({ integration: 'google-mail', secret: rest });
    expect([status, body.message]).toEqual([400, expect.stringContaining(`spec.secret.${key} is `)]);
  }
  expect((await connect({ integration: 'google-mail' })).status).toBe(400);
  expect((await connect({ integration: 'google-mail', secret: { ...secret, REFRESH_TOKEN: '' } })).status).toBe(400);
  expect((await connect({ integration: 'google-mail', secret })).status).toBe(200);
});

test('no response contains secrets', async () => {
  await connect({ integration: 'google-mail', secret });
  const { body } = await callEndpoint(world, 'getIntegrationConnection', { path: { connectionName: 'mail' } });
  expect(Object.keys(body.spec.secret)).toEqual(Object.keys(secret));
  const state = JSON.stringify([...world.resources].map(([key, resources]) => [key, [...resources]]));
  for (const value of Object.values(secret)) expect(state).not.toContain(value);
});

test('an unknown or missing integration is 400 with a list of the known ones', async () => {
  for (const integration of ['no-such', undefined]) {
    const { status, body } = await connect({ ...(integration && { integration }), secret });
    expect([status, body.message]).toEqual([400, expect.stringContaining('allowed: github, google-mail')]);
  }
});

test('a function may reference only existing connections', async () => {
  const create = (integrationConnections: string[]) =>
    callEndpoint(world, 'createFunction', {
      body: { metadata: { name: 'tools' }, spec: { type: 'mcp', integrationConnections, runtime: { type: 'mcp' } } },
    });
  expect((await create(['demo-connection', 'no-such'])).body.message).toContain(
    'spec.integrationConnections[1] is "no-such"',
  );
  expect((await create(['demo-connection'])).body.spec.integrationConnections).toEqual(['demo-connection']);
});
