import { expect, test } from 'vitest';
import { defaultWorld } from '../../../fixtures/worlds/default.ts';
import type { ClientFile, TargetNames } from '../../../spec/formats/world-file.ts';
import { frozenWorld, NOW } from '../../testing/call-endpoint.ts';
import { targetOf } from '../../world/target.ts';
import { worldFile } from '../../world/check-world-file.ts';

const usual = defaultWorld(1, NOW);

function worldWith(clients: ClientFile[], target: Partial<TargetNames> = {}) {
  const { client: _, ...names } = usual.target;
  return frozenWorld({ ...usual, clients, target: { ...names, ...target } });
}

test('a client may request the scope admin by default', () => {
  const { clients } = worldWith([{ id: 'one' }, { id: 'two', scopes: ['agents:get'] }]);
  expect([...clients.values()].map(({ name, scopes }) => ({ name, scopes }))).toEqual([
    { name: 'one', scopes: ['admin'] },
    { name: 'two', scopes: ['agents:get'] },
  ]);
});

test.each([
  ['an unknown caller', { caller: 'nobody' }, 'clients "one": caller is "nobody"'],
  ['an unknown workspace', { workspace: 'nowhere' }, 'clients "one": workspace is "nowhere"'],
  ['a redirection URI that is relative', { redirectUris: ['/callback'] }, 'redirectUris has "/callback"'],
  ['a redirection URI with a fragment', { redirectUris: ['http://a.example/#b'] }, 'without fragment'],
  ['a redirection URI with a line break', { redirectUris: ['http://a.example/\r\nx: y'] }, 'absolute URI'],
  ['a redirection URI that browsers run', { redirectUris: ['javascript:alert(1)'] }, 'absolute URI'],
])('a world file with %s is rejected', (_, client, says) => {
  expect(() => worldWith([{ id: 'one', ...client }])).toThrow(says);
});

test('two clients with the same id are rejected', () => {
  expect(() => worldWith([{ id: 'one' }, { id: 'one' }])).toThrow('clients names "one" twice');
});

test('a redirect URI may have an application scheme and a query', () => {
  const redirectUris = ['com.example.app:/callback', 'https://a.example/callback?tenant=b'];
  expect(worldWith([{ id: 'one', redirectUris }]).clients.get('one')?.redirectUris).toEqual(redirectUris);
});

test('an unknown key or scope of a client is rejected with a list of the allowed ones', () => {
  const file = (client: object) => worldFile({ ...usual, clients: [{ id: 'one', ...client }] }, 'world.yaml');
  expect(() => file({ redirectUri: 'http://a.example' })).toThrow('Unknown key "redirectUri" in clients[0].');
  expect(() => file({ scopes: ['agents:fly'] })).toThrow('agents:update');
});

test('the target contains the client and its secret; a public client is rejected there', () => {
  const world = worldWith([{ id: 'one', secret: 's', redirectUris: ['http://a.example/'] }], { client: 'one' });
  expect(targetOf(world).client).toEqual({
    id: { value: 'one' },
    secret: { value: 's' },
    tokenUrl: 'http://127.0.0.1:4010/oauth/token',
    authorizationUrl: 'http://127.0.0.1:4010/oauth/authorize',
    redirectUri: 'http://a.example/',
    scopes: ['admin'],
  });
  expect(() => targetOf(worldWith([{ id: 'one' }], { client: 'one' }))).toThrow('which has no secret');
  expect(() => worldWith([], { client: 'two' })).toThrow('target.client is "two"');
});
