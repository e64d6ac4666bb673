import { beforeEach, describe, expect, test } from 'vitest';
import { bodyFindings } from '../../spec/validators.ts';
import type { World } from '../world/world.ts';
import { callEndpoint, frozenWorld } from '../testing/call-endpoint.ts';

let world: World;
beforeEach(() => {
  world = frozenWorld();
});

describe('images', () => {
  const clean = async () => (await callEndpoint(world, 'deleteUnusedImages')).body.deleted;
  const put = (spec: object) =>
    callEndpoint(world, 'updateAgent', {
      path: { agentName: 'demo-agent' },
      body: { metadata: { name: 'demo-agent' }, spec },
    });

  test('the first cleanup removes images of deleted agents, the second nothing', async () => {
    const before = (await callEndpoint(world, 'listImages')).body.length;
    expect([await clean(), await clean()]).toEqual([3, 0]);
    expect((await callEndpoint(world, 'listImages')).body).toHaveLength(before - 3);
  });

  test('an image stays in use while its deployment is being replaced, and is removed afterwards', async () => {
    await clean();
    await put({ runtime: { memory: 64 } });
    expect(await clean()).toBe(0);
    world.clock.advance(1000);
    expect([await clean(), await clean()]).toEqual([1, 0]);
  });

  test('the image of every kind of workload is in use', async () => {
    await clean();
    const { body: images } = await callEndpoint(world, 'listImages');
    const references = images.map(({ spec }: { spec: { reference: string } }) => spec.reference);
    for (const collection of ['agents/demo-agent', 'functions/demo-tools', 'jobs/demo-job']) {
      expect(references).toContainEqual(expect.stringContaining(`/demo/${collection}:`));
    }
  });

  test('the image of a deactivated or deleted workload is unused', async () => {
    await clean();
    await put({ enabled: false });
    await callEndpoint(world, 'deleteJob', { path: { jobName: 'demo-job' } });
    world.clock.advance(1000);
    // The agent's of before the update and of after it, and the job's.
    expect(await clean()).toBe(3);
  });

  test('the registry of another workspace is not changed', async () => {
    const before = (await callEndpoint(world, 'listImages', { workspace: 'demo-staging' })).body;
    await clean();
    expect((await callEndpoint(world, 'listImages', { workspace: 'demo-staging' })).body).toEqual(before);
  });
});

describe('volume template versions', () => {
  const path = { volumeTemplateName: 'demo-template', versionName: 'v5' };

  test('deleting a version returns the template without it', async () => {
    const { status, body } = await callEndpoint(world, 'deleteVolumeTemplateVersion', { path });
    expect([status, body.message]).toEqual([200, 'Version "v5" of volume template "demo-template" is deleted.']);
    expect(body.template.state).toMatchObject({ versionCount: 4, latestVersion: 'v4' });
    expect(body.template.versions.map(({ name }: { name: string }) => name)).toEqual(['v1', 'v2', 'v3', 'v4']);
    for (const version of body.template.versions) expect(version.templateName).toBe('demo-template');
    expect((await callEndpoint(world, 'deleteVolumeTemplateVersion', { path })).status).toBe(404);
  });

  test('a version is created as a separate record', async () => {
    const of = { path: { volumeTemplateName: 'demo-template' } };
    const { body } = await callEndpoint(world, 'createVolumeTemplateVersion', {
      ...of,
      body: { name: 'v6', contentSize: 7, versionId: 'mine' },
    });
    expect(body).toEqual({
      name: 'v6',
      contentSize: 7,
      templateName: 'demo-template',
      workspace: 'demo',
      region: 'local',
      bucket: 'templates-demo',
      versionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const { body: template } = await callEndpoint(world, 'getVolumeTemplate', of);
    expect(template.state).toEqual({
      versionCount: 6,
      latestVersion: 'v6',
      lastVersionUploadedAt: '2026-11-21T07:00:00.000Z',
    });
    expect((await callEndpoint(world, 'createVolumeTemplateVersion', { ...of, body: { contentSize: 7 } })).status).toBe(
      400,
    );
  });

  test('a template without versions has no latest one', async () => {
    const { body } = await callEndpoint(world, 'createVolumeTemplate', {
      body: { metadata: { name: 'empty' }, spec: {} },
    });
    expect([body.state, body.versions]).toEqual([{ versionCount: 0 }, []]);
  });
});

describe('preview tokens', () => {
  const path = { sandboxName: 'demo-box', previewName: 'web', tokenName: 't1' };

  test('a deleted token cannot be deleted again', async () => {
    const { status, body } = await callEndpoint(world, 'deleteSandboxPreviewToken', { path });
    expect([status, body]).toEqual([200, { message: 'Preview token "t1" of preview "web" is deleted.' }]);
    expect((await callEndpoint(world, 'deleteSandboxPreviewToken', { path })).status).toBe(404);
    expect((await callEndpoint(world, 'getSandboxPreviewToken', { path: { ...path, tokenName: 't2' } })).status).toBe(
      200,
    );
  });

  test('the server generates its value', async () => {
    const body = { metadata: { name: 'mine' }, spec: { token: 'chosen' } };
    const created = await callEndpoint(world, 'createSandboxPreviewToken', { path, body });
    expect(created.body.spec.token).toMatch(/^[0-9a-f]{40}$/);
  });

  test.each([
    {},
    { metadata: 5 },
    { metadata: {} },
    { metadata: { name: 5 } },
    { metadata: { name: 'A' } },
    { metadata: { name: 'x'.repeat(50) } },
    { metadata: { name: 't', labels: { a: 5 } } },
    { metadata: { name: 't', displayName: 'x'.repeat(64) } },
  ])('%j does not fit what a token is made of', (body) => {
    expect(bodyFindings('createSandboxPreviewToken', body)).not.toEqual([]);
  });
});

describe('integrations', () => {
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
});

describe('accounts and workspaces', () => {
  test('a caller can read its own account', async () => {
    expect((await callEndpoint(world, 'listAccounts')).body).toEqual([
      {
        id: 'acc-demo',
        displayName: 'Demo Company',
        plan: 'team',
        workspaces: ['demo', 'demo-staging', 'demo-research'],
      },
    ]);
    expect((await callEndpoint(world, 'listAccounts', { as: 'foreignAdmin' })).body[0].id).toBe('acc-other');
  });

  const namesSeenBy = async (as: string) =>
    (await callEndpoint(world, 'listWorkspaces', { as })).body.map(
      ({ metadata }: { metadata: { name: string } }) => metadata.name,
    );

  test('an account admin can read every workspace, other callers their own', async () => {
    expect(await namesSeenBy('admin')).toEqual(['demo', 'demo-staging', 'demo-research']);
    expect(await namesSeenBy('member')).toEqual(['demo', 'demo-staging']);
    expect(await namesSeenBy('foreignAdmin')).toEqual(['other']);
  });

  test('the creator of a workspace can use it', async () => {
    const body = { metadata: { name: 'fresh' }, spec: { region: 'eu-west-1' } };
    expect((await callEndpoint(world, 'createWorkspace', { body, as: 'member' })).status).toBe(200);
    expect(world.workspaces.get('fresh')).toEqual({ name: 'fresh', account: 'acc-demo', region: 'eu-west-1' });
    expect(await namesSeenBy('member')).toContain('fresh');
  });

  test('workspace names are unique across accounts', async () => {
    const body = { metadata: { name: 'demo' }, spec: {} };
    expect((await callEndpoint(world, 'createWorkspace', { body, as: 'foreignAdmin' })).status).toBe(409);
  });

  test('only an empty workspace can be deleted', async () => {
    const path = { workspaceName: 'demo' };
    expect((await callEndpoint(world, 'deleteWorkspace', { path })).status).toBe(409);
    await callEndpoint(world, 'createWorkspace', { body: { metadata: { name: 'fresh' }, spec: {} } });
    expect((await callEndpoint(world, 'deleteWorkspace', { path: { workspaceName: 'fresh' } })).status).toBe(200);
    expect(world.workspaces.has('fresh')).toBe(false);
  });

  test('a role ends with its workspace', async () => {
    const body = { metadata: { name: 'fresh' }, spec: {} };
    await callEndpoint(world, 'createWorkspace', { body, as: 'member' });
    await callEndpoint(world, 'deleteWorkspace', { path: { workspaceName: 'fresh' } });
    await callEndpoint(world, 'createWorkspace', { body, as: 'admin' });
    expect(await namesSeenBy('member')).toEqual(['demo', 'demo-staging']);
  });
});

describe('metrics', () => {
  const window = { startTime: '2026-10-01T00:00:00Z', endTime: '2026-10-02T00:00:00Z' };
  const path = { accountId: 'acc-demo' };
  const metrics = (query: object = {}, as = 'admin', accountId = 'acc-demo') =>
    callEndpoint(world, 'getAccountMetrics', { path: { accountId }, query: { ...window, ...query }, as });

  test('the default world has usage of every kind, on several pages', async () => {
    const { body } = await metrics({ groupBy: 'resource_name,billing_dimension' });
    expect([body.data.length, body.meta.hasMore, body.summary.totalCost > 0]).toEqual([100, true, true]);
    const types = await callEndpoint(world, 'listMetricsResourceTypes', { path, query: window });
    expect(types.body.values).toEqual(['agent', 'custom_domain', 'job', 'mcp_server', 'sandbox', 'volume']);
    expect((await callEndpoint(world, 'listMetricsGroupBy', { path })).body.values).toHaveLength(5);
  });

  test('workspaces are for account admins', async () => {
    for (const as of ['member', 'workspaceAdmin']) {
      for (const query of [{ workspace: 'demo' }, { groupBy: 'resource_type,workspace' }]) {
        expect(await metrics(query, as)).toEqual({
          status: 403,
          body: { error: 'forbidden', message: 'Access denied' },
        });
      }
      expect((await metrics({ groupBy: 'resource_name' }, as)).status).toBe(200);
    }
    expect((await metrics({ workspace: 'demo' })).status).toBe(200);
  });

  test('a foreign account and an unknown one get the same response', async () => {
    for (const accountId of ['acc-other', 'acc-none']) {
      expect((await metrics({}, 'admin', accountId)).status).toBe(404);
      expect((await callEndpoint(world, 'listMetricsGroupBy', { path: { accountId } })).status).toBe(404);
      expect(
        (await callEndpoint(world, 'listMetricsResourceTypes', { path: { accountId }, query: window })).status,
      ).toBe(404);
    }
  });

  test('an empty account has no cost', async () => {
    const { body } = await metrics({}, 'foreignAdmin', 'acc-other');
    expect([body.summary.totalCost, body.data.length]).toEqual([0, 1]);
  });

  test('a resource is metered from its creation to its deletion, and keeps its past', async () => {
    const cost = async () => {
      const query = { startTime: '2026-11-21T00:00:00Z', endTime: '2026-11-25T00:00:00Z', resourceName: 'fresh' };
      return (await metrics(query)).body.summary.totalCost;
    };
    await callEndpoint(world, 'createVolume', { body: { metadata: { name: 'fresh' }, spec: {} } });
    expect(await cost()).toBe(0);
    world.clock.advance(3_600_000);
    const afterAnHour = await cost();
    expect(afterAnHour).toBeGreaterThan(0);
    await callEndpoint(world, 'deleteVolume', { path: { volumeName: 'fresh' } });
    world.clock.advance(3_600_000);
    expect(await cost()).toBe(afterAnHour);
  });
});
