/** Which documents describe the interface: those of other APIs get no findings of its rules. */
import { expect, test } from 'vitest';
import { documentOf } from '../../documents.ts';
import { rules } from '../rules/index.mjs';
import type { Json } from '../rules/sample-documents.ts';
import { json, responses, returns, takes } from '../rules/sample-documents.ts';
import { documentedOperations } from '../values.mjs';
import { modelOf } from './model.mjs';

const ownRules = rules.filter(({ requirements }) => requirements.length > 0);

function judge(data: Json): { isOurs: boolean; found: string[] } {
  const model = modelOf({ openapi: '3.1.0', ...data }, null, () => undefined);
  if (model === undefined) throw new Error('This is no document.');
  return {
    isOurs: model.isOurs,
    found: ownRules.filter((rule) => [...rule.find(model)].length > 0).map(({ id }) => id),
  };
}

const members = (...names: string[]): Json => ({
  type: 'object',
  properties: Object.fromEntries(names.map((each) => [each, { type: 'string' }])),
});
const envelope = (more: Json = {}, metadata = members('name'), spec = members('size')): Json => ({
  type: 'object',
  properties: { metadata, spec, ...more },
});
const status = (schema: Json): Json => envelope({ status: schema });
const V = { $ref: '#/components/schemas/V' };
/** Lists, creates and reads V at this path. */
const collection = (at: string): Json => ({
  [at]: { get: returns({ properties: { metadata: members('page'), items: { items: V } } }), post: takes(V) },
  [`${at}/{id}`]: { get: returns(V) },
});
const withV = (paths: Json, schema: Json): Json => ({ paths, components: { schemas: { V: schema } } });
const query = (...names: string[]) => ({ parameters: names.map((name) => ({ name, in: 'query' })) });
const metrics = (entry: Json): Json => ({ '/accounts/{accountId}/metrics': { get: entry } });
const followers = returns(members('followers'));

test.each<[string, Json]>([
  ['its volumes have metadata and spec', withV(collection('/volumes'), envelope())],
  ['their status is an object', withV(collection('/volumes'), status({ type: 'object' }))],
  ['its clusters have metadata and spec', withV({ ...collection('/clusters'), '/policies': { get: {} } }, envelope())],
  ['only a list has them', withV({ '/jobs': { get: returns({ properties: { a: V, b: V } }) } }, envelope())],
  ['its VPCs have the metadata of Kubernetes', withV(collection('/vpcs'), envelope({}, members('name', 'namespace')))],
  ['its VPCs have other statuses', withV(collection('/vpcs'), status({ enum: ['running', 'stopped'] }))],
  ['its status is an object below v0', withV(collection('/v0/disks'), status({ properties: { phase: {} } }))],
  ['two of its members are ours', withV(collection('/jobs'), envelope({}, members('displayName', 'createdBy')))],
  ['it counts followers', { paths: metrics(followers) }],
  ['it counts followers of listed accounts', { paths: { '/accounts': { get: followers }, ...metrics(followers) } }],
  ['it counts in windows', { paths: metrics({ ...followers, ...query('startTime', 'endTime', 'limit', 'cursor') }) }],
  ['its jobs have executions', { paths: { '/{project}/jobs/{job}/executions': { post: takes(members('image')) } } }],
])('another API: %s', (_what, document) => {
  expect(judge(document)).toEqual({ isOurs: false, found: [] });
});

const withHeaders = (names: readonly string[], ...paths: string[]): Json => ({
  paths: Object.fromEntries(paths.map((at) => [at, { get: followers }])),
  components: {
    securitySchemes: Object.fromEntries(names.map((name) => [name, { type: 'apiKey', in: 'header', name }])),
  },
});

const withOperations = (...operations: (readonly [method: string, at: string])[]): Json => ({
  ...withHeaders(['X-Acme-Workspace']),
  paths: Object.fromEntries(operations.map(([method, at]) => [at, { [method]: followers }])),
});

test('another API: its header for credentials has the form of ours', () => {
  const document = withHeaders(['X-Emby-Authorization', 'X-Emby-Token'], '/jobs', '/users');
  expect(judge(document)).toEqual({ isOurs: false, found: [] });
});

test.each<[string, Json]>([
  ['the brand of the interface document', withHeaders(['X-Svc-Workspace'], '/jobs')],
  ['two headers with one brand', withHeaders(['X-Acme-Workspace', 'x-acme-authorization'], '/jobs')],
  ['a header and the version header of one brand', withHeaders(['X-Acme-Workspace', 'Acme-Version'], '/jobs')],
  ['a header and two documented operations', withOperations(['get', '/accounts'], ['delete', '/images'])],
])('the interface: %s', (_what, document) => {
  expect(judge(document).isOurs).toBe(true);
});

const parameters = query('startTime', 'endTime', 'resolution', 'groupBy', 'resourceType');
const totals = members('total_cost', 'total_usage', 'resource_type');
const own = ['displayName', 'createdBy', 'workspace'];

test.each<[string, Json]>([
  ['metrics by their parameters', { paths: metrics({ ...followers, ...parameters }) }],
  [
    'metrics by the members of their response',
    { paths: metrics(returns({ properties: { data: { items: totals } } })) },
  ],
  ['metrics of which nothing is described', { paths: metrics(responses({ 403: json(members('message')) })) }],
  ['executions of tasks', { paths: { '/{w}/jobs/{j}/executions': { post: takes({ properties: { tasks: {} } }) } } }],
  ['VPCs with metadata and spec', withV(collection('/vpcs'), envelope())],
  ['VPCs with a text as status', withV(collection('/vpcs'), status({ type: 'string' }))],
  [
    'a resource below v0 of which one status is right',
    withV(collection('/v0/q'), status({ enum: ['BUILT', 'READY'] })),
  ],
  ['a resource that no operation has', withV({ '/volumes': { get: {} } }, envelope())],
  ['three members of metadata', withV(collection('/jobs'), envelope({}, members(...own)))],
  ['these with underscores', withV(collection('/jobs'), envelope({}, members('display_name', 'created_by', 'plan')))],
  [
    'three members of metadata and spec, with the status of Kubernetes',
    withV(
      collection('/agents'),
      envelope({ status: { type: 'object' } }, members('displayName'), members('triggers', 'runtime')),
    ),
  ],
])('the interface: %s', (_what, document) => {
  expect(judge(document).isOurs).toBe(true);
});

/** Documented operations that say enough, each alone, without the headers and statuses of the service. */
const telling = documentedOperations.filter((each) => (each.match(/[a-z-]+/g) ?? []).length > 2);

test.each(telling)('the interface: only %s of our documents, without headers', (wanted) => {
  const documents = (['management', 'host', 'inference', 'sandbox'] as const).map((surface) => documentOf(surface));
  const found = documents.flatMap((document) =>
    Object.entries(document.paths).flatMap(([at, item]) =>
      Object.entries(item)
        .filter(([method]) => `${method} ${at.replaceAll(/\{[^{}]*\}/g, '{}')}` === wanted)
        .map(([method, entry]) => {
          const text = JSON.stringify({ ...document, paths: { [at]: { [method]: entry } } });
          return JSON.parse(text, (key, value: unknown) =>
            ['securitySchemes', 'enum'].includes(key) || isHeader(value) ? undefined : value,
          ) as Json;
        }),
    ),
  );
  expect(found.map((each) => judge(each).isOurs)).toEqual([true]);
});

const isHeader = (value: unknown) => (value as { in?: unknown } | null)?.in === 'header';
