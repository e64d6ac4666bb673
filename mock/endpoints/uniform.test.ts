import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { OperationId } from '../../spec/generated/types.ts';
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import type { World } from '../world/world.ts';
import {
  callEndpoint as askOne,
  frozenWorld,
  NOW,
  type EndpointResponse,
  type EndpointRequest,
} from '../testing/call-endpoint.ts';
import type { endpoints } from './index.ts';

let world: World;
beforeEach(() => {
  world = frozenWorld();
});

/** For tests of each kind, in which the operation id is known only at run time. */
const callOperation = (id: string, request: object = {}): Promise<EndpointResponse> =>
  askOne(world, id as keyof typeof endpoints, request as EndpointRequest<OperationId & keyof typeof endpoints>);

const emptyWorld = { ...defaultWorld(1, NOW), resources: [] };

const kinds = [
  { one: 'Agent', many: 'Agents', param: 'agentName', deploys: true },
  { one: 'Function', many: 'Functions', param: 'functionName', deploys: true },
  { one: 'Model', many: 'Models', param: 'modelName', deploys: true },
  { one: 'Sandbox', many: 'Sandboxes', param: 'sandboxName', deploys: true },
  { one: 'Job', many: 'Jobs', param: 'jobName', deploys: true },
  { one: 'Volume', many: 'Volumes', param: 'volumeName', deploys: true },
  { one: 'Vpc', many: 'Vpcs', param: 'vpcName', deploys: true },
  { one: 'CustomDomain', many: 'CustomDomains', param: 'customDomainName', deploys: true },
  { one: 'VolumeTemplate', many: 'VolumeTemplates', param: 'volumeTemplateName' },
  { one: 'Policy', many: 'Policies', param: 'policyName' },
  { one: 'Image', many: 'Images', param: 'imageName' },
  { one: 'Workspace', many: 'Workspaces', param: 'workspaceName' },
  {
    one: 'IntegrationConnection',
    many: 'IntegrationConnections',
    param: 'connectionName',
    spec: { integration: 'github', secret: {} },
  },
  { one: 'SandboxPreview', many: 'SandboxPreviews', param: 'previewName', above: { sandboxName: 'demo-box' } },
];

describe.each(kinds)('$many', ({ one, many, param, deploys, spec = {}, above = {} }) => {
  const metadata = { name: 'made-here', displayName: 'Made here', labels: { a: 'b' } };
  const named = { path: { ...above, [param]: 'made-here' } };
  const create = (body: object = { metadata, spec }) => callOperation(`create${one}`, { path: above, body });

  test('a created resource can be read and listed', async () => {
    const { status, body } = await create();
    expect([status, body.metadata]).toEqual([200, expect.objectContaining(metadata)]);
    expect(body.metadata).toMatchObject({
      createdAt: '2026-11-21T07:00:00.000Z',
      createdBy: 'ada@demo.example',
      plan: 'team',
      workspace: one === 'Workspace' ? 'made-here' : 'demo',
    });
    expect((await callOperation(`get${one}`, named)).body).toEqual(body);
    expect((await callOperation(`list${many}`, { path: above })).body).toContainEqual(body);
  });

  test('status and events are present once deployed', async () => {
    const { body } = await create();
    expect(['status' in body, 'events' in body]).toEqual([deploys === true, deploys === true]);
  });

  test('a name in use is 409', async () => {
    await create();
    expect((await create()).status).toBe(409);
  });

  test.each(['x'.repeat(49), '-', '0', 'a--b-'])('%j is a name', async (name) => {
    expect((await create({ metadata: { name }, spec })).status).toBe(200);
  });

  test('an update replaces what the client may set', async () => {
    const { body: before } = await create();
    world.clock.advance(5000);
    const changed = { metadata: { name: 'made-here', labels: { c: 'd' } }, spec: { ...spec, note: 'new' } };
    const { status, body } = await callOperation(`update${one}`, { ...named, body: changed, as: 'apiKey' });
    expect(status).toBe(200);
    expect(body.spec.note).toBe('new');
    expect(body.metadata).toEqual({
      ...before.metadata,
      labels: { c: 'd' },
      displayName: undefined,
      updatedAt: '2026-11-21T07:00:05.000Z',
      updatedBy: 'deployer',
    });
  });

  test('its name cannot change', async () => {
    await create();
    expect(
      (await callOperation(`update${one}`, { ...named, body: { metadata: { name: 'other' }, spec } })).status,
    ).toBe(400);
  });

  test('a deleted resource is gone at the latest when its deletion completes', async () => {
    await create();
    const { status, body } = await callOperation(`delete${one}`, named);
    expect([status, body.status]).toEqual([200, deploys ? 'DELETING' : undefined]);
    world.clock.advance(600);
    expect((await callOperation(`get${one}`, named)).status).toBe(404);
    expect((await callOperation(`list${many}`, { path: above })).body).not.toContainEqual(
      expect.objectContaining({ metadata }),
    );
    expect((await create()).status).toBe(200);
  });

  test('an unknown resource is 404 for every operation', async () => {
    const body = { metadata: { name: 'made-here' }, spec };
    for (const id of [`get${one}`, `delete${one}`]) expect((await callOperation(id, named)).status).toBe(404);
    expect((await callOperation(`update${one}`, { ...named, body })).status).toBe(404);
  });
});

describe('during deletion', () => {
  test.each(kinds.filter(({ deploys }) => deploys))('a $one can only be read', async ({ one, param }) => {
    const body = { metadata: { name: 'made-here' }, spec: {} };
    const named = { path: { [param]: 'made-here' } };
    await callOperation(`create${one}`, { body });
    await callOperation(`delete${one}`, named);
    world.clock.advance(599);
    expect((await callOperation(`get${one}`, named)).body.status).toBe('TERMINATED');
    expect((await callOperation(`delete${one}`, named)).status).toBe(200);
    expect((await callOperation(`update${one}`, { ...named, body })).status).toBe(409);
    expect((await callOperation(`create${one}`, { body })).status).toBe(409);
  });
});

describe('addresses', () => {
  test.each([
    ['Agent', 'http://127.0.0.1:4010/demo/agents/made-here'],
    ['Function', 'http://127.0.0.1:4010/demo/functions/made-here'],
    ['Model', 'http://127.0.0.1:4010/demo/models/made-here'],
    ['Sandbox', 'http://sbx-made-here-demo.local.localhost:4010'],
    ['Job', undefined],
    ['Volume', undefined],
  ])('%s', async (one, url) => {
    const { body } = await callOperation(`create${one}`, {
      body: { metadata: { name: 'made-here', url: 'http://x.example' }, spec: {} },
    });
    expect(body.metadata.url).toBe(url);
  });

  test('a sandbox is in its own region, or else in that of its workspace', async () => {
    const make = (name: string, spec: object) =>
      callOperation('createSandbox', { body: { metadata: { name }, spec }, workspace: 'demo-staging' });
    expect((await make('one', { region: 'us-east-1' })).body.metadata.url).toContain(
      'sbx-one-demo-staging.us-east-1.localhost',
    );
    expect((await make('two', {})).body.metadata.url).toContain('sbx-two-demo-staging.eu-west-1.localhost');
  });
});

describe('isolation of workspaces', () => {
  test('two workspaces may have resources of the same name, each visible only in its own', async () => {
    const body = { metadata: { name: 'made-here' }, spec: {} };
    expect((await callOperation('createVpc', { body })).status).toBe(200);
    expect((await callOperation('getVpc', { path: { vpcName: 'made-here' }, workspace: 'demo-staging' })).status).toBe(
      404,
    );
    expect((await callOperation('createVpc', { body, workspace: 'demo-staging' })).status).toBe(200);
  });
});

describe('nested resources', () => {
  test('the outermost missing resource is named', async () => {
    const preview = { path: { sandboxName: 'no-box', previewName: 'web' } };
    expect((await callOperation('getSandboxPreview', preview)).body.message).toBe('Sandbox "no-box" does not exist.');
    const token = { path: { sandboxName: 'demo-box', previewName: 'no-preview', tokenName: 't1' } };
    expect((await callOperation('getSandboxPreviewToken', token)).body.message).toBe(
      'Preview "no-preview" does not exist.',
    );
  });

  test('nested resources are deleted with their parent', async () => {
    await callOperation('deleteSandboxPreview', { path: { sandboxName: 'demo-box', previewName: 'web' } });
    await callOperation('createSandboxPreview', {
      path: { sandboxName: 'demo-box' },
      body: { metadata: { name: 'web' }, spec: {} },
    });
    expect(
      (await callOperation('listSandboxPreviewTokens', { path: { sandboxName: 'demo-box', previewName: 'web' } })).body,
    ).toEqual([]);
  });

  test('a sandbox that was created again has no previews of its predecessor', async () => {
    await callOperation('deleteSandbox', { path: { sandboxName: 'demo-box' } });
    world.clock.advance(600);
    await callOperation('createSandbox', { body: { metadata: { name: 'demo-box' }, spec: {} } });
    expect((await callOperation('listSandboxPreviews', { path: { sandboxName: 'demo-box' } })).body).toEqual([]);
  });
});

describe('specs that are not documented', () => {
  test.each([5, 'x', [], null, true])('runtime %j is rejected', async (runtime) => {
    const { status, body } = await callOperation('createSandbox', {
      body: { metadata: { name: 'made-here' }, spec: { runtime } },
    });
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^spec\.runtime is .*; allowed: an object\.$/)]);
  });

  test.each([
    { runtime: { envs: 5, image: 5 } },
    { revision: 'x' },
    { revision: null },
    { enabled: 'no' },
    { triggers: 5 },
  ])('%j is none of the mock’s business', async (spec) => {
    for (const one of ['Sandbox', 'Job', 'Model', 'Policy', 'Vpc']) {
      expect((await callOperation(`create${one}`, { body: { metadata: { name: 'made-here' }, spec } })).status).toBe(
        200,
      );
    }
  });

  const withRegion = (one: string, region: unknown) =>
    callOperation(`create${one}`, { body: { metadata: { name: 'made-here' }, spec: { region } } });

  test.each(['', 'x y', 'eu_west', 'EU', 'a.b', 'r'.repeat(64)])('%j is not a region name', async (region) => {
    for (const one of ['Sandbox', 'Volume', 'Workspace']) {
      const { status, body } = await withRegion(one, region);
      expect([status, body.message]).toEqual([400, expect.stringMatching(/^spec\.region is .*; allowed: 1 to 63 /)]);
    }
  });

  test.each([5, null, []])('the region of a sandbox or workspace is never %j', async (region) => {
    for (const one of ['Sandbox', 'Workspace']) {
      expect((await withRegion(one, region)).body.message).toMatch(/^spec\.region is .*; allowed: a string\.$/);
    }
  });

  test('a volume has one region, by default that of its workspace, which cannot change', async () => {
    const write = (id: string, region?: unknown) =>
      callOperation(id, {
        path: { volumeName: 'v' },
        body: { metadata: { name: 'v' }, spec: { ...(region !== undefined && { region }) } },
      });
    expect((await write('createVolume')).body.spec.region).toBe('local');
    expect((await write('updateVolume', 'local')).status).toBe(200);
    expect((await write('updateVolume')).body.spec.region).toBe('local');
    expect((await write('updateVolume', 'eu-west-1')).status).toBe(400);
  });

  test('any values result in a resource or a client error', async () => {
    const known = fc.constantFrom(
      'runtime',
      'revision',
      'region',
      'enabled',
      'envs',
      'image',
      'canary',
      'secret',
      'value',
      'x',
    );
    const spec = fc.dictionary(known, fc.object({ key: known, maxDepth: 3 }));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('Sandbox', 'Job', 'Model', 'Policy', 'Vpc', 'CustomDomain', 'Image'),
        spec,
        async (one, sent) => {
          world = frozenWorld(emptyWorld);
          const { status } = await callOperation(`create${one}`, {
            body: { metadata: { name: 'made-here' }, spec: sent },
          });
          expect([200, 400]).toContain(status);
        },
      ),
    );
  });
});
