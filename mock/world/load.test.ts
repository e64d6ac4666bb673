import { describe, expect, test } from 'vitest';
import { replyFindings } from '../../spec/validators.ts';
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import type { WorldFile } from '../../spec/formats/world-file.ts';
import { createClock } from '../time/clock.ts';
import { kinds, placeAt, placeOf } from '../domains/resources/kinds.ts';
import type { KindId } from '../domains/resources/kind.ts';
import { meteredAccount } from '../state/lifetimes.ts';
import { loadWorld, WorldFileError } from './load.ts';
import { findResource } from '../state/resources.ts';
import { resourceBody } from '../domains/resources/envelope.ts';
import type { World } from './world.ts';

const NOW = Date.parse('2026-11-21T07:00:00Z');
const addresses = {
  management: 'http://127.0.0.1:4010/v0',
  host: 'http://127.0.0.1:4010',
  inference: 'http://127.0.0.1:4010',
};
const load = (file: WorldFile, seed = 1) =>
  loadWorld(file, { seed, clock: createClock(NOW, 'frozen'), addresses, brand: 'Svc' });
const state = ({ resources, lifetimes, namedCredentials, credentials }: World) =>
  JSON.stringify([
    [...resources].map(([key, items]) => [key, [...items]]),
    [...lifetimes],
    namedCredentials,
    [...credentials],
  ]);

describe('the default world', () => {
  const world = load(defaultWorld(1, NOW));
  const demo = { name: 'demo', account: 'acc-demo', region: 'local' };

  test('the world depends on seed and time', () => {
    expect(state(load(defaultWorld(1, NOW)))).toBe(state(world));
    expect(state(load(defaultWorld(2, NOW), 2))).not.toBe(state(world));
  });

  test('its resources are plain data', () => {
    for (const items of world.resources.values()) {
      expect(JSON.parse(JSON.stringify([...items]))).toEqual([...items]);
    }
  });

  test('there is one resource of every kind', () => {
    const collections = [...world.resources.keys()].map((key) => key.split('/').at(-1));
    for (const { collection } of Object.values(kinds)) expect(collections).toContain(collection.split('/').at(-1));
  });

  test('all resources of its target exist', () => {
    const { resources } = world.target;
    const named: [KindId, string | undefined][] = [
      ['agents', resources.agent],
      ['agents', resources.mk3Agent],
      ['models', resources.model],
      ['functions', resources.function],
      ['jobs', resources.job],
      ['sandboxes', resources.sandbox],
      ['volumes', resources.volume?.name],
      ['integrations/connections', resources.connection],
      ...(resources.policies ?? []).map((policy): [KindId, string] => ['policies', policy]),
    ];
    for (const [kind, name = ''] of named) expect(findResource(world, placeOf(kind, demo).key, name)?.name).toBe(name);
    for (const { sandbox: sandboxName, preview: previewName, token } of resources.previewTokens ?? []) {
      const { key } = placeOf('tokens', demo, { sandboxName, previewName });
      expect(findResource(world, key, token)?.name).toBe(token);
    }
    for (const { template: volumeTemplateName, version } of resources.templateVersions ?? []) {
      expect(findResource(world, placeOf('versions', demo, { volumeTemplateName }).key, version)?.name).toBe(version);
    }
    for (const name of [resources.integration, resources.mailIntegration])
      expect(world.integrations.has(name ?? '')).toBe(true);
  });

  test('every agent is returned as documented', () => {
    for (const workspace of world.workspaces.values()) {
      const place = placeOf('agents', workspace);
      const agents = [...(world.resources.get(place.key)?.values() ?? [])].map((agent) =>
        resourceBody(world, place, agent),
      );
      expect(replyFindings('listAgents', 200, agents)).toEqual([]);
    }
  });

  test('about 300 resources were metered over 400 days; some are deleted, some names were reused', () => {
    const metered = meteredAccount(world, 'acc-demo').resources;
    expect(metered.length).toBeGreaterThan(280);
    expect(metered.length).toBeLessThan(380);
    const lifetimes = [...world.lifetimes.values()];
    expect(Math.min(...lifetimes.map(({ start }) => start))).toBeLessThan(NOW - 390 * 86_400_000);
    expect(lifetimes.filter(({ end }) => end !== undefined).length).toBeGreaterThan(30);
    const names = metered.map(({ workspace, type, name }) => `${workspace}/${type}/${name}`);
    expect(new Set(names).size).toBeLessThan(names.length);
    expect(new Set(metered.map(({ workspace }) => workspace)).size).toBe(3);
    expect(meteredAccount(world, 'acc-other').resources).toEqual([]);
  });

  test('every resource of the usage history that was not deleted exists', () => {
    for (const { uuid, end } of world.lifetimes.values()) {
      const found = [...world.resources.values()].some((items) => items.values().some((item) => item.uuid === uuid));
      expect(found).toBe(end === undefined);
    }
  });

  test('API keys work from the start, JWTs are minted later', () => {
    const key = world.namedCredentials.find(({ name }) => name === 'apiKey');
    expect(world.credentials.get(key?.token ?? '')).toMatchObject({
      kind: 'api-key',
      workspace: 'demo',
      scopes: ['admin'],
    });
    expect(world.namedCredentials.filter(({ token }) => token !== undefined)).toHaveLength(1);
  });
});

describe('an inconsistent world file is rejected', () => {
  const base: WorldFile = {
    accounts: [{ id: 'acc', displayName: 'A', plan: 'free' }],
    workspaces: [{ name: 'ws', account: 'acc', region: 'local' }],
    callers: [{ id: 'ann', kind: 'user', account: 'acc', accountRole: 'account-admin', workspaces: [] }],
    credentials: [{ name: 'admin', kind: 'jwt', caller: 'ann', scopes: ['admin'], workspace: 'ws' }],
    resources: [],
    target: { account: 'acc', workspace: 'ws', resources: {} },
  };
  const resource = { workspace: 'ws', collection: 'vpcs', name: 'net' };

  test('it can be loaded unchanged and needs no target resources', () => {
    expect(load(base).workspaces.size).toBe(1);
    expect(load({ ...base, resources: [resource] }).resources.get('ws/vpcs')?.size).toBe(1);
  });

  test.each<[string, Partial<WorldFile>, string]>([
    [
      'account',
      { workspaces: [{ name: 'ws', account: 'no', region: 'r' }] },
      'workspaces "ws": account is "no"; allowed: acc.',
    ],
    [
      'caller',
      { credentials: [{ name: 'x', kind: 'jwt', caller: 'bob', scopes: [], workspace: 'ws' }] },
      'credentials "x": caller is "bob"; allowed: ann.',
    ],
    [
      'no workspace',
      { credentials: [{ name: 'x', kind: 'jwt', caller: 'ann', scopes: [] }] },
      'credentials: "x" has no workspace',
    ],
    [
      'workspace',
      { resources: [{ ...resource, workspace: 'no' }] },
      'resources "net": workspace is "no"; allowed: ws.',
    ],
    [
      'creator',
      { resources: [{ ...resource, createdBy: 'bob' }] },
      'resources "net": createdBy is "bob"; allowed: ann.',
    ],
    [
      'target',
      { target: { account: 'acc', workspace: 'no', resources: {} } },
      'target.workspace is "no"; allowed: ws.',
    ],
    ['twice', { accounts: [...base.accounts, ...base.accounts] }, 'accounts names "acc" twice; allowed: once.'],
    [
      'collection',
      { resources: [{ ...resource, collection: 'vpcz' }] },
      'resources[0], vpcz "net" of ws, is of no known collection.',
    ],
    [
      'a name twice',
      { resources: [resource, resource] },
      'resources[1], vpcs "net" of ws, breaks a rule: VPC "net" exists already',
    ],
    [
      'parent',
      { resources: [{ ...resource, collection: 'sandboxes/box/previews' }] },
      'breaks a rule: Sandbox "box" does not exist.',
    ],
    [
      'a rule',
      { resources: [{ ...resource, collection: 'agents', spec: { public: true } }] },
      'breaks a rule: spec.public is true',
    ],
    ['time', { resources: [{ ...resource, createdAt: 'yesterday' }] }, 'has the time "yesterday"'],
    [
      'deleted before',
      { resources: [{ ...resource, createdAt: '2026-02-01T00:00:00Z', deletedAt: '2026-01-01T00:00:00Z' }] },
      'deletedAt',
    ],
    [
      'deleted later',
      { resources: [{ ...resource, createdAt: '2026-02-01T00:00:00Z', deletedAt: '2027-01-01T00:00:00Z' }] },
      'deletedAt',
    ],
  ])('%s', (_what, change, sentence) => {
    const loading = () => load({ ...base, ...change });
    expect(loading).toThrow(WorldFileError);
    expect(loading).toThrow(sentence);
  });
});

describe('places', () => {
  const demo = { name: 'demo', account: 'acc-demo', region: 'local' };

  test.each([
    ['agents', 'agents', 'demo/agents'],
    ['integrations/connections', 'integrations/connections', 'demo/integrations/connections'],
    ['sandboxes/box/previews/web/tokens', 'tokens', 'demo/sandboxes/box/previews/web/tokens'],
    ['workspaces', 'workspaces', 'account:acc-demo/workspaces'],
  ])('%s is a place of %s', (collection, id, key) => {
    expect(placeAt(demo, collection)).toMatchObject({ id, key, collection });
  });

  test.each([
    '',
    'agents/',
    'agents/x',
    'agents/x/previews',
    'previews',
    'sandboxes/box/tokens',
    'sandboxes//previews',
  ])('%j is none', (collection) => {
    expect(placeAt(demo, collection)).toBeUndefined();
  });
});
