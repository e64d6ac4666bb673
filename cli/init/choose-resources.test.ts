import { expect, test } from 'vitest';
import { chooseResources } from './choose-resources.ts';
import type { Inventory } from './list-resources.ts';

type Lists = Partial<Record<keyof Inventory['lists'], readonly { readonly [key: string]: unknown }[]>>;

function inventory(lists: Lists): Inventory {
  const none: Inventory['lists'] = {
    agents: [],
    models: [],
    functions: [],
    jobs: [],
    sandboxes: [],
    volumes: [],
    connections: [],
    integrations: [],
    policies: [],
    workspaces: [],
  };
  const listed = Object.entries(lists).map(([kind, items]) => [
    kind,
    items.map((fields) => ({ name: (fields['metadata'] as { name: string }).name, fields })),
  ]);
  return {
    lists: { ...none, ...(Object.fromEntries(listed) as object) },
    hasLists: true,
    statuses: [],
    refusals: [],
    skippedCount: 0,
  };
}

const agent = (name: string, generation: string, more: object = {}) => ({
  metadata: { name, workspace: 'w' },
  spec: { runtime: { generation } },
  ...more,
});
const named = (name: string, more: object = {}) => ({ metadata: { name, ...more } });

test('one agent of each generation is chosen, and others of the same generation are named', () => {
  const agents = [agent('a', 'mk2'), agent('b', 'mk3'), agent('c', 'mk2'), agent('d', 'mk4'), named('e')];
  const { resources, others } = chooseResources(inventory({ agents }), undefined);
  expect(resources).toEqual({ agent: 'a', mk3Agent: 'b' });
  expect(others.agent).toEqual(['c']);
});

test('what is deployed and enabled is preferred, then what seems to be made for tests', () => {
  const agents = [
    agent('test-failed', 'mk2', { status: 'FAILED' }),
    agent('test-disabled', 'mk2', { spec: { enabled: false, runtime: { generation: 'mk2' } } }),
    agent('shop', 'mk2', { status: 'DEPLOYED' }),
    agent('test-shop', 'mk2', { status: 'DEPLOYED' }),
  ];
  const { resources, others } = chooseResources(inventory({ agents }), undefined);
  expect([resources.agent, ...(others.agent ?? [])]).toEqual(['test-shop', 'shop', 'test-failed', 'test-disabled']);
});

test('the workspace is the given one, or that of most resources, or the first; resources of others are not chosen', () => {
  const models = [named('a', { workspace: 'one' }), named('b', { workspace: 'two' }), named('c', { workspace: 'two' })];
  const workspaces = [named('zero'), named('one'), named('two')];
  const lists = inventory({ models, workspaces });
  expect(chooseResources(lists, undefined)).toMatchObject({ workspace: 'two', resources: { model: 'b' } });
  expect(chooseResources(lists, 'one')).toMatchObject({ workspace: 'one', resources: { model: 'a' } });
  expect(chooseResources(inventory({ workspaces }), undefined)).toMatchObject({ workspace: 'zero' });
  expect(chooseResources(inventory({}), undefined)).not.toHaveProperty('workspace');
});

test('a volume needs a region, a mail integration is recognized, and three policies are enough', () => {
  const volumes = [
    named('v1'),
    { ...named('v2'), spec: { region: 'a\nb' } },
    { ...named('v3'), spec: { region: 'eu' } },
  ];
  const integrations = [named('google-mail'), named('github')];
  const policies = ['p1', 'p2', 'p3', 'p4'].map((name) => named(name));
  expect(chooseResources(inventory({ volumes, integrations, policies }), undefined).resources).toEqual({
    volume: { name: 'v3', region: 'eu' },
    integration: 'github',
    mailIntegration: 'google-mail',
    policies: ['p1', 'p2', 'p3'],
  });
});

test('the addresses come from the URLs of the chosen resources', () => {
  const models = [named('m', { workspace: 'w', url: 'https://run.example.com/base/w/models/m' })];
  const sandboxes = [named('s', { workspace: 'w', url: 'https://sbx-s.example.com/' })];
  expect(chooseResources(inventory({ models, sandboxes }), undefined).addresses).toEqual({
    inference: 'https://run.example.com/base',
    sandbox: 'https://sbx-s.example.com',
  });
  const odd = [named('m', { workspace: 'w', url: 'https://run.example.com/elsewhere' })];
  expect(chooseResources(inventory({ models: odd }), undefined).addresses).toEqual({});
});
