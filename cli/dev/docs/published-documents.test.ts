/** Every published OpenAPI document passes our lint, the recommended rules of Redocly, and four independent parsers. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { validate as validateWithReadme } from '@readme/openapi-parser';
import { validate as validateWithScalar } from '@scalar/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, test } from 'vitest';
import { redocly } from '../../../spec/generate.ts';
import { documentOf } from '../../../spec/documents.ts';
import { eachOperation, resolve, surfaces, type OpenApiExample, type Surface } from '../../../spec/openapi-document.ts';
import { lintDocument } from '../../lint/lint-document.ts';

const root = path.join(import.meta.dirname, '../../..');
const fileOf = (surface: Surface): string => path.join(root, `spec/generated/${surface}.json`);
const documents = {
  ...Object.fromEntries(surfaces.map((surface) => [surface, fileOf(surface)])),
  control: path.join(root, 'docs/control-api.openapi.json'),
};

/** Warnings that are right, by document: how many, and why. */
const exceptions: Readonly<Record<string, Readonly<Record<string, readonly [count: number, reason: string]>>>> = {
  management: {},
  host: { 'operation-4xx-response': [12, 'the statuses of errors are not documented'] },
  inference: { 'operation-4xx-response': [8, 'the statuses of errors are not documented'] },
  sandbox: {
    'operation-4xx-response': [18, 'the statuses of errors are not documented'],
    'no-ambiguous-paths': [4, 'these paths of the interface contain slashes'],
  },
  control: {
    'operation-4xx-response': [25, 'all errors have the same body, whatever their status'],
    'no-required-schema-properties-undefined': [
      8,
      'a world file has either a base or all of the keys, which it lists once',
    ],
  },
};

/** The address of the mock with its default port. */
const firstServers: Readonly<Record<string, string>> = {
  management: 'http://127.0.0.1:4010/v0',
  host: 'http://127.0.0.1:4010',
  inference: 'http://127.0.0.1:4010',
  sandbox: 'http://127.0.0.1:4010/sandbox/demo/demo-box',
  control: 'http://127.0.0.1:4010/_mock',
};

type JsonSchema = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** Every member of a document with its place, such as `/paths/~agents/get`; without examples. */
function* membersOf(value: unknown, place = ''): Generator<readonly [place: string, member: JsonSchema]> {
  if (!isObject(value)) return;
  yield [place, value];
  for (const [key, member] of Object.entries(value))
    if (!/^examples?$/.test(key)) yield* membersOf(member, `${place}/${key.replaceAll('/', '~')}`);
}

const countOf = (value: unknown): number => (isObject(value) ? Object.keys(value).length : 0);

/** The values of examples, as JSON. */
const valuesOf = (examples: unknown, document: object): string[] =>
  Object.values(examples as object).map((each) =>
    JSON.stringify(resolve<OpenApiExample>(document as never, each as never)),
  );

/** A generator writes a type of its own for it: an object with several properties, a long enum, or a union. */
const isLarge = (schema: JsonSchema): boolean =>
  schema['$ref'] === undefined &&
  (countOf(schema['properties']) > 1 || countOf(schema['enum']) > 4 || countOf(schema['anyOf']) > 1);

/** Each returns the errors. */
const parsers: Readonly<Record<string, (document: object) => Promise<unknown>>> = {
  'swagger-parser': async (document) => {
    await SwaggerParser.validate(document as never);
    return [];
  },
  'the parser of ReadMe': async (document) => {
    const result = await validateWithReadme(document as never);
    return result.valid ? result.warnings : result.errors;
  },
  'the parser of Scalar': async (document) => (await validateWithScalar(document)).errors,
  'openapi-schema-validator': async (document) => (await new Validator().validate(document as never)).errors ?? [],
};

interface RedoclyReport {
  readonly problems: readonly { readonly ruleId: string; readonly severity: string }[];
}

/** The problems of each document: one process lints all, and prints a report after the other. */
function redoclyProblems(): Map<string, RedoclyReport['problems']> {
  const files = Object.values(documents);
  const output = redocly('lint', ...files, '--extends=recommended', '--format=json', '--max-problems=10000');
  const reports = output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1).split(/(?<=^\})(?=\{$)/m);
  expect(reports).toHaveLength(files.length);
  return new Map(
    reports.map((text, at) => {
      const { problems } = JSON.parse(text) as RedoclyReport;
      return [files[at]!, problems];
    }),
  );
}

let problemsOf: Map<string, RedoclyReport['problems']>;
beforeAll(() => {
  problemsOf = redoclyProblems();
});

describe.each(Object.entries(documents))('the document %s', (name, file) => {
  const text = readFileSync(file, 'utf8');

  test('has only findings with a reason', async () => {
    const { findings, isLinted } = await lintDocument({ name: file, text });
    expect(isLinted).toBe(true);
    const problems = problemsOf.get(file) ?? [];
    expect([...findings, ...problems].filter(({ severity }) => severity === 'error')).toEqual([]);
    const rules = [...findings.map(({ rule }) => rule), ...problems.map(({ ruleId }) => ruleId)];
    const counts = Object.entries(Object.groupBy(rules, (rule) => rule)).map(([rule, all = []]) => [rule, all.length]);
    const allowed = Object.entries(exceptions[name] ?? {}).map(([rule, [count]]) => [rule, count]);
    expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(allowed));
  });

  test('has request bodies and responses in their operations, because generators would name types after them', () => {
    const { components } = JSON.parse(text) as { components: object };
    expect(Object.keys(components).filter((key) => /^(?:requestBodies|responses)$/.test(key))).toEqual([]);
  });

  // Generators take an object without this keyword for one without other members.
  test('says of every object that may have other members that it is open', () => {
    const silent = [...membersOf(JSON.parse(text))].filter(
      ([, { type, properties, additionalProperties, 'x-not-shown': isNotShown }]) =>
        ([type].flat().includes('object') || isObject(properties)) &&
        (isNotShown === true || properties === undefined) &&
        additionalProperties !== true &&
        !isObject(additionalProperties),
    );
    expect(silent.map(([place]) => place)).toEqual([]);
  });

  // Generators name types after components, whatever their kind.
  test('has a name of its own for each component, and none that TypeScript or JavaScript uses', () => {
    const { components } = JSON.parse(text) as { components: Record<string, object> };
    const names = Object.values(components).flatMap((each) => Object.keys(each).map((key) => key.toLowerCase()));
    expect(names.filter((each, at) => names.indexOf(each) !== at)).toEqual([]);
    const globals = Object.getOwnPropertyNames(globalThis).map((each) => each.toLowerCase());
    expect(names.filter((each) => globals.includes(each))).toEqual([]);
  });

  test('has a name for each body with several properties, and for each large schema that is used twice', () => {
    const members = [...membersOf(JSON.parse(text))];
    const bodies = members.filter(([place]) => /^\/(?:paths|components\/\w+)\/.*\/content\/[^/]+\/schema$/.test(place));
    expect(bodies.length).toBeGreaterThan(4);
    expect(bodies.filter(([, schema]) => isLarge(schema)).map(([place]) => place)).toEqual([]);
    const large = members.filter(([, schema]) => isLarge(schema));
    const placesByText = Object.groupBy(large, ([, schema]) => JSON.stringify(schema));
    const repeated = Object.values(placesByText).filter((places = []) => places.length > 1);
    expect(repeated.map((places = []) => places.map(([place]) => place))).toEqual([]);
  });

  test('begins with the address of the mock, and describes every address', () => {
    const { servers } = JSON.parse(text) as { servers: readonly JsonSchema[] };
    const [first, ...templated] = servers;
    expect(first).toEqual({ url: firstServers[name], description: expect.stringMatching(/^\w.*mock.*\.$/) });
    expect(templated).toHaveLength(name === 'control' ? 0 : 1);
    for (const each of templated)
      expect(each).toEqual({
        url: expect.stringContaining('{'),
        description: expect.stringMatching(/^\w.*\.$/),
        variables: expect.anything(),
      });
  });

  // Importers of collections take the first, and only a few ask for an OAuth token by themselves.
  test('accepts a fixed token before OAuth wherever it accepts both', () => {
    const lists = [...membersOf(JSON.parse(text))].flatMap(([, { security }]) =>
      Array.isArray(security) ? [security.map((each: object) => Object.keys(each)[0])] : [],
    );
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.filter(([first]) => first === 'oauth')).toEqual([]);
    const withOauth = lists.filter((schemes) => schemes.includes('oauth'));
    expect(withOauth.filter(([first]) => first !== 'apiKey')).toEqual([]);
  });

  // Generators name variables after parameters, beside types of these names.
  test('has no parameter called Workspace or Version', () => {
    const { components } = JSON.parse(text) as { components: { parameters?: object } };
    expect(Object.keys(components.parameters ?? {}).filter((key) => /^(?:Workspace|Version)$/.test(key))).toEqual([]);
  });

  test('has a second example of each error, for mocks and clients that show one', () => {
    const document = JSON.parse(text) as object;
    const errors = [...membersOf(document)].filter(([place]) =>
      /\/responses\/(?:400|default)\/content\/[^/]+$/.test(place),
    );
    const single = errors.filter(([, { examples }]) => countOf(examples) < 2);
    expect(single.map(([place]) => place)).toEqual([]);
    const neutral = /"The request (?:is invalid|failed)\.?"/;
    const specific = errors.filter(
      ([, { examples }]) => !valuesOf(examples, document).some((value) => neutral.test(value)),
    );
    expect(specific.map(([place]) => place)).toEqual([]);
    expect(errors.length).toBeGreaterThan(0);
  });

  test('has a tag for each operation, which it describes', () => {
    const { tags, paths } = JSON.parse(text) as { tags: readonly { name: string }[]; paths: object };
    const operations = [...membersOf(paths)].filter(([, { operationId }]) => operationId !== undefined);
    const names = tags.map((tag) => tag.name);
    const untagged = operations.filter(
      ([, own]) => !Array.isArray(own['tags']) || !names.includes(String(own['tags'][0])),
    );
    expect(operations.length).toBeGreaterThan(2);
    expect(untagged.map(([place]) => place)).toEqual([]);
  });

  test('describes each of its schemas', () => {
    const { components } = JSON.parse(text) as { components: { schemas: Record<string, JsonSchema> } };
    const undescribed = Object.entries(components.schemas).filter(([, schema]) => schema['description'] === undefined);
    expect(undescribed.map(([key]) => key)).toEqual([]);
  });

  test.each(Object.entries(parsers))('is valid for %s', async (_, parse) => {
    expect(await parse(JSON.parse(text) as object)).toEqual([]);
  });
});

test('the sandbox document says that files are bytes', () => {
  const bytes = [...membersOf(documentOf('sandbox'))].filter(([, { format }]) => format === 'binary');
  expect(bytes.map(([place]) => place)).toEqual([
    '/paths/~filesystem~{path}/get/responses/200/content/application~octet-stream/schema',
    '/components/schemas/UploadForm/properties/file',
  ]);
});

test('a body of a documented error may be another one, as a type that TypeScript keeps', () => {
  const { schemas } = documentOf('management').components as unknown as { schemas: Record<string, JsonSchema> };
  const names = ['BadRequest', 'MetricsForbidden'].map((key) => schemas[key]?.['anyOf']);
  const other = { $ref: '#/components/schemas/OtherError' };
  expect(names).toEqual([
    [{ $ref: '#/components/schemas/VersionError' }, other],
    [{ $ref: '#/components/schemas/AccessDenied' }, other],
  ]);
  expect(schemas['OtherError']?.['anyOf']).toContainEqual(
    expect.objectContaining({ type: 'object', additionalProperties: true }),
  );
});

/** The headers of requests in either revision: with a session, and without one. */
test.each(['inference', 'sandbox'] as const)('the %s document declares the headers of MCP requests', (surface) => {
  const ofSession = ['Mcp-Session-Id', 'MCP-Protocol-Version'];
  const mcp = eachOperation(documentOf(surface)).filter(({ path: at }) => at.endsWith('/mcp'));
  const headers = mcp.map(({ method, parameters }) => [
    method,
    parameters.filter((each) => each.in === 'header').map((each) => each.name),
  ]);
  expect(Object.fromEntries(headers)).toEqual({
    GET: ofSession,
    POST: [...ofSession, 'Mcp-Method', 'Mcp-Name'],
    DELETE: ofSession,
  });
});

test.each(Object.entries(parsers))('%s rejects a document without responses', async (_, parse) => {
  const document = JSON.parse(
    readFileSync(fileOf('host'), 'utf8').replaceAll('"responses": {', '"answers": {'),
  ) as object;
  const errors = await parse(document).catch((error: unknown) => [error]);
  expect(errors).not.toEqual([]);
});
