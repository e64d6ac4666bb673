import { expect, test } from 'vitest';
import { operations, type OperationId } from '../../spec/operations.ts';
import type { Fields } from '../../suites/json/fields.ts';
import { kindIds, kinds } from '../../mock/domains/resources/kinds.ts';
import { pathOf } from '../../mock/world/resource-fault.ts';
import type { DeploymentResponse } from './response-contents.ts';
import type { AboutDeployment } from './context.ts';
import { worldOf } from './world-of.ts';

const takenAt = Date.parse('2026-11-20T12:00:00Z');
const about: AboutDeployment = { account: 'acc-1', workspace: 'main', resources: {}, takenAt, isSecret: () => false };
const get = (path: string, json: unknown): DeploymentResponse => ({
  operation: operationOf(`/${path.split('?', 1)[0]}`),
  path: `/${path}`,
  json,
});

/** The GET operation whose template has these segments. */
function operationOf(path: string): OperationId {
  const found = operations.filter(({ surface, method }) => surface === 'management' && method === 'GET');
  const form = (template: string): RegExp => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
  return found
    .toSorted((a, b) => a.pathParameters.length - b.pathParameters.length)
    .find((each) => form(each.path).test(path))!.id;
}

const agent = (name: string, spec: Fields, metadata: Fields = {}): Fields => ({
  metadata: { name, workspace: 'main', createdAt: '2026-11-01T00:00:00Z', ...metadata },
  spec,
  status: 'DEPLOYED',
});
const resourcesIn = (responses: readonly DeploymentResponse[], more: Partial<AboutDeployment> = {}) =>
  worldOf(responses, { ...about, ...more }).file.resources;

/** No form of a kept string. */
const canary = (place: string): string =>
  `Jane Canary of ${place}, jane.canary@corp.test, https://canary.corp.test/?key=canary`;

/** What agents and other kinds have, documented or not, with a canary in each string. */
function canaries(at: string): Fields {
  const c = (place: string): string => canary(`${at}.${place}`);
  return {
    enabled: true,
    region: c('region'),
    type: c('type'),
    integration: c('integration'),
    integrationConnections: [c('integrationConnections')],
    policies: [c('policies')],
    locations: [c('locations')],
    cidr: '81.2.69.0/24',
    description: c('description'),
    domain: 'canary.corp.test',
    secret: { TOKEN: c('secret'), nested: { deep: [c('deep')] } },
    password: c('password'),
    expiresAt: c('expiresAt'),
    token: c('token'),
    url: c('url'),
    bucket: c('bucket'),
    reference: c('reference'),
    repository: { type: c('repository.type'), url: c('repository.url') },
    revision: { active: c('active'), canary: c('canary'), canaryPercent: 5 },
    runtime: {
      image: c('image'),
      generation: c('generation'),
      model: c('model'),
      args: [c('args')],
      envs: [
        { name: c('envs.name'), value: c('envs.value') },
        { name: 'PLAIN', value: 'canary' },
        { name: 'REFERENCE', valueFrom: { secretKeyRef: { name: c('valueFrom'), key: 'canary' } } },
      ],
    },
    triggers: [
      {
        id: c('id'),
        type: c('trigger.type'),
        configuration: {
          authenticationType: c('authenticationType'),
          callbackUrl: 'https://canary.corp.test/hook',
          callbackSecret: c('callbackSecret'),
          path: c('path'),
          schedule: c('schedule'),
          tasks: [{ [c('key')]: c('task'), phone: 4_915_112_345_678 }],
        },
      },
    ],
    volumes: [{ name: c('volumes.name'), mountPath: c('mountPath') }],
    contact: {
      owner: 'Jane Canary',
      phone: '+49 151 canary',
      mail: 'canary@corp.test',
      short: 'canary',
      employee: 4_915_112_345_678,
    },
    [c('member')]: 1,
  };
}

test('secrets and personal data survive in no field of any kind', () => {
  const metadata = {
    workspace: canary('workspace'),
    displayName: canary('displayName'),
    labels: { owner: canary('label'), [canary('label key')]: 'canary', 'canary@corp.test': 'x' },
    createdBy: 'canary@corp.test',
    updatedBy: 'canary@corp.test',
    createdAt: canary('createdAt'),
    plan: canary('plan'),
    url: 'https://canary.corp.test',
    id: canary('id'),
    unknown: canary('unknown'),
  };
  const lists = kindIds.map((id) => {
    const collection = pathOf(kinds[id]).replace(/\{\w+\}/g, 'parent');
    const item = { status: canary('status'), events: [{ message: canary('event') }], spec: canaries(id) };
    return get(collection, [
      { ...item, metadata: { ...metadata, name: `${id.replace(/\W|_/g, '-')}-1` } },
      { ...item, metadata: { ...metadata, name: canary('name') } },
    ]);
  });
  const integration = {
    name: 'forge',
    additionalInfos: canaries('infos'),
    endpoints: { api: 'https://canary.corp.test' },
    headers: { authorization: 'canary' },
    params: { key: 'canary' },
  };
  const organization = {
    avatar_url: 'https://canary.corp.test/a',
    displayName: canary('d'),
    id: 'canary',
    name: 'canary',
    more: 'canary',
  };
  const repository = {
    id: 'canary',
    isBl: true,
    name: 'canary',
    organization: 'canary',
    url: 'https://canary.corp.test',
  };
  const metrics = {
    startTime: '2026-10-01T00:00:00Z',
    endTime: '2026-11-01T00:00:00Z',
    data: [
      {
        workspace: canary('w'),
        resourceType: 'volume',
        resourceName: canary('n'),
        resourceUuid: 'canary',
        billingDimension: 'volume_storage_gbs',
        summary: { usage: 500 },
        timeseries: [],
      },
    ],
  };
  const { file, remarks } = worldOf(
    [
      ...lists,
      get('integrations', {
        items: [
          { ...integration, organizations: [organization], repositories: [repository] },
          { name: canary('integration') },
        ],
      }),
      get('accounts', [{ id: 'acc-1', displayName: canary('account') }]),
      get('accounts/acc-1/metrics?groupBy=resource_name,billing_dimension', metrics),
    ],
    { ...about, account: canary('account') },
  );
  const text = JSON.stringify(file) + remarks.join('\n');
  // The member of revisions, and the percentage of one, are no data.
  expect(text.replaceAll('canaryPercent', '')).not.toMatch(/canary|jane|4915|81\.2/i);
  expect(new Set(file.resources.map(({ collection }) => collection.split('/').at(-1))).size).toBeGreaterThan(10);
});

test('a credential of the target is replaced wherever it is, also in names', () => {
  const isSecret = (text: string): boolean => text.includes('svc-key-1234');
  const spec = { region: 'svc-key-1234', triggers: [{ id: 'svc-key-1234', type: 'http' }], 'svc-key-1234': 1 };
  const found = worldOf([get('agents', [agent('svc-key-1234', spec, { workspace: 'svc-key-1234' })])], {
    ...about,
    isSecret,
  });
  expect(found.file.resources).toHaveLength(1);
  expect(JSON.stringify(found)).not.toContain('svc-key-1234');
});

test('names and documented fields stay; equal values have equal replacements of the same length', () => {
  const spec = {
    enabled: false,
    runtime: { generation: 'mk3', memory: 512, minScale: 0, maxScale: 3, envs: [{ name: 'HOME', value: '/root' }] },
    triggers: [{ id: 'daily', type: 'cron', configuration: { schedule: '0 3 * * *' } }],
  };
  const people = {
    displayName: 'A display name of someone',
    labels: { owner: 'jane-doe-of-sales' },
    createdBy: 'jane@corp.test',
  };
  const responses = [get('agents', { items: [agent('a', spec, people), agent('b', spec, people)] })];
  const [a, b] = resourcesIn(responses);
  expect(a).toMatchObject({ name: 'a', spec: { ...spec, runtime: { ...spec.runtime, envs: [{ name: 'HOME' }] } } });
  expect({ ...b, name: 'a' }).toEqual(a);
  expect([a?.displayName?.length, a?.labels?.['owner']?.length]).toEqual([25, 17]);
  expect(resourcesIn(responses)).toEqual([a, b]);
});

const usageOf = (name: string, usage: number, more: Fields = {}): Fields => ({
  workspace: 'main',
  resourceType: 'agent',
  resourceName: name,
  billingDimension: 'agent_compute_runtime_gbs',
  summary: { cost: 1, usage },
  timeseries: [0, usage, 0].map((each, day) => ({
    timestamp: `2026-11-0${day + 4}T00:00:00Z`,
    cost: each,
    usage: each,
  })),
  ...more,
});
const metricsOf = (data: readonly Fields[], query = ''): DeploymentResponse =>
  get(`accounts/acc-1/metrics?groupBy=resource_name,billing_dimension${query}`, {
    startTime: '2026-11-04T00:00:00Z',
    endTime: '2026-11-07T00:00:00Z',
    data,
  });

test('usage keeps its size and its days; what only the metrics name is a deleted resource', () => {
  const { file, remarks } = worldOf(
    [
      get('agents', [agent('a', {})]),
      metricsOf([usageOf('a', 70)]),
      metricsOf([usageOf('gone', 5), usageOf('a', 70)], '&cursor=2'),
    ],
    about,
  );
  const period = {
    dimension: 'agent_compute_runtime_gbs',
    from: '2026-11-05T00:00:00.000Z',
    to: '2026-11-06T00:00:00.000Z',
  };
  expect(file.resources).toMatchObject([
    { name: 'a', isUsageComplete: true, usage: [{ ...period, amount: 70 }] },
    { name: 'gone', deletedAt: period.to, usage: [{ ...period, amount: 5 }] },
  ]);
  expect(remarks).toEqual([
    'Not in the world file: agents that only the metrics name, except as deleted ones with their usage: 1.',
  ]);
  expect(resourcesIn([metricsOf([usageOf('a', 70)])], { hasUsage: false })).toEqual([]);
});

test('usage of instances of a resource is added, and that of another window is not', () => {
  const other = get('accounts/acc-1/metrics', {
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2026-02-01T00:00:00Z',
    data: [{ summary: { cost: 3 } }],
  });
  const { file, remarks } = worldOf(
    [other, metricsOf([usageOf('a', 70, { resourceUuid: '1' }), usageOf('a', 7, { resourceUuid: '2' })])],
    about,
  );
  expect(file.resources).toMatchObject([{ usage: [{ amount: 77 }] }]);
  expect(remarks).toContain(
    'Not in the world file: responses of the metrics without the usage of resources, or of another window: 1.',
  );
});

test('what the mock does not accept is left out and counted, and the rest of the resource stays', () => {
  const spec = { runtime: { generation: 'mk2', memory: -5 }, policies: ['absent'], public: true };
  const { file, remarks } = worldOf([get('agents', [agent('a', spec), agent('Übel', {}, { name: 'Übel' })])], about);
  expect(file.resources.map(({ name }) => name)).toEqual(['a', 'renamed-1']);
  expect(file.resources[0]?.spec).toEqual({ runtime: { generation: 'mk2' }, policies: [] });
  expect(remarks).toEqual(
    [
      'Not in the world file: agents with a name that the format does not allow, except by another name: 1.',
      expect.stringContaining('spec.public of agents'),
      expect.stringContaining('spec.runtime.memory of agents'),
      expect.stringContaining('spec.policies[] of agents'),
    ].toSorted((a, b) => (typeof a === 'string' ? -1 : typeof b === 'string' ? 1 : 0)),
  );
});

test('writes that passed count in their order', () => {
  const of = (operation: OperationId, path: string, json: unknown): DeploymentResponse => ({ operation, path, json });
  const found = resourcesIn([
    of('createAgent', '/agents', agent('a', { enabled: true })),
    of('updateAgent', '/agents/a', agent('a', { enabled: false })),
    of('createSandbox', '/sandboxes', { metadata: { name: 's', workspace: 'main' }, spec: {} }),
    get('sandboxes/s/previews', [{ metadata: { name: 'web' }, spec: { port: 80 } }]),
    of('createVpc', '/vpcs', { metadata: { name: 'v' }, spec: {} }),
    of('deleteSandbox', '/sandboxes/s', {}),
  ]);
  expect(found.map(({ collection, name, spec }) => [collection, name, spec])).toEqual([
    ['vpcs', 'v', {}],
    ['agents', 'a', { enabled: false }],
  ]);
});

test('what is no part of a world is counted, and an empty deployment is a valid world', () => {
  const { file, remarks, resourceCount } = worldOf([get('jobs/j/executions', []), get('jobs/j/executions', [])], about);
  expect([file.resources, resourceCount, remarks]).toEqual([
    [],
    0,
    ['Not in the world file: responses of listJobExecutionsOfJob: 2.'],
  ]);
});
