import { expect, test } from 'vitest';
import { documentOf } from './documents.ts';
import { eachOperation } from './openapi-document.ts';
import { requirement } from './requirements/index.ts';
import * as values from './values.ts';

const { schemas } = documentOf('management').components;

test('the enumerations match the interface', () => {
  expect(values.statuses).toEqual(
    'DELETING TERMINATED FAILED DEACTIVATED DEACTIVATING UPLOADING BUILDING DEPLOYING DEPLOYED BUILT'.split(' '),
  );
  expect(values.generations).toEqual(['mk2', 'mk3']);
  expect(values.triggerTypes).toEqual(['http', 'http-async', 'cron']);
  expect(values.resolutions).toEqual(['hourly', 'daily', 'weekly', 'monthly']);
  expect(values.groupByDimensions).toEqual(
    'workspace resource_type resource_name resource_uuid billing_dimension'.split(' '),
  );
});

test('the scopes match the interface', () => {
  const table: Record<string, string> = {
    agents: 'create delete get list update',
    functions: 'create delete get list update',
    jobs: 'create delete get list update',
    models: 'create delete get list update',
    policies: 'create delete get list update',
    customdomains: 'create delete get list update',
    sandboxes: 'control create delete get list update',
    volumes: 'create delete get list',
    volumeTemplates: 'create delete get list upsert',
    workspaces: 'accept create decline delete get invite leave list remove update',
    integrations: 'create list',
    templates: 'get list',
    apiKey: 'list write',
    configurations: 'list',
    invitations: 'list',
    locations: 'list',
    mcphub: 'list',
    sandboxhub: 'list',
  };
  const rows = Object.entries(table).flatMap(([resource, actions]) =>
    actions.split(' ').map((action) => `${resource}:${action}`),
  );
  expect(values.scopes).toEqual(['admin', ...rows]);
});

test('both OAuth flows have the same scopes and URLs', () => {
  const flows = documentOf('management').components.securitySchemes['oauth']?.flows ?? {};
  expect(Object.keys(flows)).toEqual(['authorizationCode', 'clientCredentials']);
  expect(flows['authorizationCode']).toMatchObject({
    authorizationUrl: '/oauth/authorize',
    tokenUrl: '/oauth/token',
    scopes: flows['clientCredentials']?.scopes,
  });
});

function gbs(type: string, ...names: string[]) {
  return names.map((name) => [`${type}_${name}_gbs`, { resourceType: type, unit: 'GB-seconds' }]);
}

test('each billing dimension has the resource type and unit listed in the interface', () => {
  const table = Object.fromEntries([
    ...gbs('sandbox', 'compute_runtime', 'image_storage', 'snapshot_storage'),
    ...gbs('agent', 'compute_runtime', 'image_storage'),
    ['agent_async_requests_count', { resourceType: 'agent', unit: 'count' }],
    ...gbs('job', 'compute_runtime', 'image_storage'),
    ...gbs('mcp_server', 'compute_runtime', 'image_storage'),
    ...gbs('volume', 'storage'),
    ['custom_domain_active_time_hours', { resourceType: 'custom_domain', unit: 'hours' }],
  ]) as Record<string, unknown>;
  expect(values.billingDimensionTable).toEqual(table);
  expect(values.billingDimensions).toEqual(Object.keys(table));
});

test('the limits match the documents', () => {
  const { limits } = values;
  const metadata = schemas['Metadata']?.properties;
  const configuration = schemas['TriggerConfiguration']?.properties;
  const metrics = eachOperation(documentOf('management')).find(
    ({ operation }) => operation.operationId === 'getAccountMetrics',
  );
  const query = Object.fromEntries(metrics?.parameters.map((each) => [each.name, each.schema]) ?? []);
  expect(metadata?.['name']).toMatchObject({ maxLength: limits.nameLength, pattern: '^[a-z0-9-]+$' });
  expect(metadata?.['displayName']?.maxLength).toBe(limits.displayNameLength);
  expect(configuration?.['timeout']?.maximum).toBe(limits.triggerTimeoutSeconds);
  expect(configuration?.['schedule']?.pattern).toContain(`{${limits.cronFields - 1}}`);
  expect(schemas['AgentRuntime']?.properties?.['memory']?.description).toContain(`/ ${limits.megabytesPerCore}`);
  expect(query['limit']).toMatchObject({ default: limits.metricsPageDefault, 'x-clamped-at': limits.metricsPageMax });
  expect(query['groupBy']).toMatchObject({ 'x-max-dimensions': limits.groupByDimensions });
  expect(schemas['Resolution']?.['x-window-cap']).toEqual(JSON.parse(JSON.stringify(values.windowCaps)));
  const secret = schemas['IntegrationConnectionSpec']?.properties?.['secret'];
  expect(secret?.['x-keys-of-oauth-mail-integration']).toEqual(values.mailSecretKeys);
});

test('the limits match the numbers in the interface', () => {
  expect(values.limits).toEqual({
    nameLength: 49,
    displayNameLength: 63,
    triggerTimeoutSeconds: 900,
    cronFields: 5,
    megabytesPerCore: 2048,
    metricsPageDefault: 100,
    metricsPageMax: 100,
    groupByDimensions: 3,
  });
});

test('the caps in the rules are the window caps', () => {
  const daysOf = (id: 'metrics.resolution.hourly-cap' | 'metrics.resolution.daily-cap') =>
    (requirement(id) as { values?: { capDays?: number } }).values?.capDays;
  expect(`P${daysOf('metrics.resolution.hourly-cap')}D`).toBe(values.windowCaps.hourly);
  expect(`P${daysOf('metrics.resolution.daily-cap')}D`).toBe(values.windowCaps.daily);
});
