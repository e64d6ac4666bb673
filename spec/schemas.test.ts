import { expect, test } from 'vitest';
import { newAjv, READERS_KEYWORDS } from './ajv.ts';
import type { Schema, Surface } from './openapi-document.ts';
import { documentOf } from './documents.ts';
import { surfaces } from './openapi-document.ts';

/** The tables of interface.md: schema, field, type; `!` marks what is required, `?` what is read-only. */
const tables: Partial<Record<Surface, Record<string, string>>> = {
  management: {
    Metadata:
      'name string!, displayName string, labels object of string, createdAt string?, updatedAt string?, createdBy string?, updatedBy string?, plan string?, url string?, workspace string?',
    Agent: 'metadata Metadata!, spec AgentSpec!, status DeploymentStatus?, events CoreEvents?',
    AgentSpec:
      'enabled boolean, policies array of string, public boolean, region string, repository Repository, revision RevisionConfiguration, runtime AgentRuntime, triggers array of Trigger, volumes array of VolumeAttachment',
    Repository: 'type string, url string',
    RevisionConfiguration:
      'active string, canary string, canaryPercent integer, stickySessionTtl integer, traffic integer',
    AgentRuntime:
      'envs array of Env, generation string, image string, maxScale integer, memory integer, minScale integer',
    Env: 'name string, value string, secret boolean, valueFrom not shown',
    Trigger: 'id string, type string, enabled boolean, configuration TriggerConfiguration',
    TriggerConfiguration:
      'authenticationType string, callbackSecret string?, callbackUrl string, path string, retry integer, schedule string, tasks array of TriggerConfigurationTask, timeout integer',
    VolumeAttachment: 'name string, mountPath string, readOnly boolean',
    CoreEvent: 'type string, status string, message string, revision string, canaryRevision string, time string',
    Vpc: 'metadata Metadata!, spec object not shown!, status DeploymentStatus?, events CoreEvents?',
    Integration:
      'name string, additionalInfos object not shown, endpoints object not shown, headers object not shown, params object not shown, organizations array of IntegrationOrganization, repositories array of IntegrationRepository',
    IntegrationOrganization: 'avatar_url string, displayName string, id string, name string',
    IntegrationRepository: 'id string, isBl boolean, name string, organization string, url string',
    IntegrationConnectionSpec: 'integration string, secret object of string',
    FunctionSpec: 'type string, integrationConnections array of string, runtime object not shown',
    VolumeTemplate: 'metadata Metadata!, spec object!, state object, versions array of VolumeTemplateVersion',
    'VolumeTemplate/spec': 'defaultSize integer, description string',
    'VolumeTemplate/state': 'lastVersionUploadedAt string, latestVersion string, versionCount integer',
    VolumeTemplateVersion:
      'bucket string, contentSize integer, name string, region string, templateName string, versionId string, workspace string',
    VolumeTemplateVersionDeletion: 'message string!, template VolumeTemplate!',
    ImageCleanup: 'deleted integer!, message string!',
    Message: 'message string!',
    ErrorBody: 'error string!, code integer, message string',
    VersionError: 'error string!, message string!',
    AccessDenied: 'message string!',
    AccountMetricsResponse:
      'startTime Instant!, endTime Instant!, resolution Resolution!, summary object!, data array of AccountMetricsDataEntry!, meta object!',
    'AccountMetricsResponse/summary': 'totalCost number!, totalUsage number',
    'AccountMetricsResponse/meta': 'hasMore boolean!, nextCursor string!',
    AccountMetricsDataEntry:
      'workspace string, resourceType string, resourceName string, resourceUuid string, billingDimension BillingDimension, summary object!, timeseries array of AccountMetricsPoint!',
    'AccountMetricsDataEntry/summary': 'cost number!, usage number',
    AccountMetricsPoint: 'timestamp Instant!, cost number!, usage number',
    GroupByValues: 'values array of GroupByDimension!',
    ResourceTypeValues: 'values array of string!',
  },
  host: { JobExecutionRequest: 'tasks array of object!' },
  inference: {
    AgentQuery: 'inputs string!',
    ChatCompletionRequest: 'messages array of ChatMessage!',
    ChatMessage: 'role string!, content string or not shown',
  },
  sandbox: {
    FilesToWrite: 'files object of string!',
    DirectoryListing: 'name string, path string, files array of FileEntry, subdirectories array of SubdirectoryEntry',
    FileEntry:
      'group string!, lastModified string!, name string!, owner string!, path string!, permissions string!, size integer!',
    SubdirectoryEntry: 'name string!, path string!',
    MultipartUpload: 'uploadId string!, path string, permissions integer, initiatedAt string, parts object not shown',
    MultipartUploads: 'uploads array of MultipartUpload!',
    SandboxError: 'error string!',
  },
};

const rows = Object.entries(tables).flatMap(([surface, table]) =>
  Object.entries(table).map(([name, fields]) => [surface as Surface, name, fields] as const),
);

test.each(rows)('on the %s surface %s has its fields', (surface, name, fields) => {
  const [component = '', field] = name.split('/');
  const whole = documentOf(surface).components.schemas[component];
  expect(fieldsOf((field === undefined ? whole : whole?.properties?.[field]) ?? {})).toEqual(fields.split(', '));
});

function fieldsOf(schema: Schema): string[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const marks = `${schema.required?.includes(name) ? '!' : ''}${field.readOnly ? '?' : ''}`;
    return `${name} ${typeOf(field)}${marks}`;
  });
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.items) return `array of ${typeOf(schema.items)}`;
  const values = typeof schema.additionalProperties === 'object' ? ` of ${typeOf(schema.additionalProperties)}` : '';
  return [schema.type, schema['x-not-shown'] === true ? 'not shown' : ''].filter(Boolean).join(' ') + values;
}

test('defaults match the interface', () => {
  const { schemas } = documentOf('management').components;
  expect(schemas['AgentSpec']?.properties).toMatchObject({ enabled: { default: true }, public: { default: false } });
  expect(schemas['Trigger']?.properties?.['enabled']?.default).toBe(true);
});

test('quantities name their unit', () => {
  const { schemas } = documentOf('management').components;
  expect(schemas['AgentRuntime']?.properties).toMatchObject({ memory: { 'x-unit': 'megabytes' } });
  expect(schemas['TriggerConfiguration']?.properties).toMatchObject({ timeout: { 'x-unit': 'seconds' } });
  expect(schemas['RevisionConfiguration']?.properties).toMatchObject({ stickySessionTtl: { 'x-unit': 'seconds' } });
  expect(schemas['AccountMetricsPoint']?.properties).toMatchObject({ cost: { 'x-unit': 'USD' } });
});

test.each(surfaces)('every schema of the %s document compiles in strict mode', (surface) => {
  const { schemas } = documentOf(surface).components;
  const ajv = newAjv({ validateSchema: true, keywords: [...READERS_KEYWORDS, 'components'] });
  const compile = (name: string) => ajv.compile({ components: { schemas }, $ref: `#/components/schemas/${name}` });
  expect(() => Object.keys(schemas).map(compile)).not.toThrow();
});

test.each(surfaces)('the %s document declares JSON Schema 2020-12', (surface) => {
  expect(documentOf(surface)).toMatchObject({
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  });
});

const everySchema = surfaces.flatMap((surface) =>
  Object.entries(documentOf(surface).components.schemas).flatMap(([name, schema]) => within(name, schema)),
);

function within(at: string, schema: Schema): [string, Schema][] {
  const below = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items ? [['[]', schema.items] as const] : []),
    ...(typeof schema.additionalProperties === 'object' ? [['*', schema.additionalProperties] as const] : []),
  ];
  return [[at, schema], ...below.flatMap(([name, each]) => within(`${at}/${name}`, each))];
}

test('no object forbids undocumented fields', () => {
  expect(everySchema.filter(([, schema]) => schema.additionalProperties === false)).toEqual([]);
});

test('every pattern has a description of what it allows', () => {
  const patterns = everySchema.filter(([, schema]) => schema.pattern !== undefined);
  expect(patterns.length).toBeGreaterThan(2);
  expect(patterns.filter(([, schema]) => schema['x-allowed'] === undefined)).toEqual([]);
});

test('every component schema has a description', () => {
  for (const surface of surfaces) {
    const entries = Object.entries(documentOf(surface).components.schemas);
    expect(entries.filter(([, { description }]) => description === undefined).map(([name]) => name)).toEqual([]);
  }
});
