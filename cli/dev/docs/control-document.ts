/** Builds the OpenAPI document of `/_mock` from its calls: request bodies from their formats, the rest from control-operations.ts. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { faultRule, scriptedResponse } from '../../../mock/pipeline/rule-formats.ts';
import { calls } from '../../../mock/server/control/calls.ts';
import { writtenByUsers } from '../../../spec/formats/json-schema.ts';
import { json } from '../../../spec/formats/readonly-json.ts';
import { worldFileSchema } from '../../../spec/formats/world-file.ts';
import { pathExamples, problemExamples, requestExamples, responseExamples } from './control-examples.ts';
import { controlOperations, controlTags } from './control-operations.ts';
import { responseSchemas, schemaDescriptions, sharedSchemas } from './control-schemas.ts';

/** By method and path, such as `PUT /clock`; without the pages of the console and the reference. */
export const controlCalls = (): string[] =>
  Object.entries(calls)
    .filter(([path]) => path !== '' && path !== '/' && !/^\/(?:console|docs)\b/.test(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));

export async function controlDocument(): Promise<object> {
  const paths: Record<string, Record<string, object>> = {};
  for (const call of controlCalls()) {
    const [method = '', path = ''] = call.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = await operationOf(call, method, path);
  }
  const schemas = Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, component(name, schema)]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the mock',
      version: '1',
      description: 'JSON over HTTP on the port of the mock, separate from the API of the service.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4010/_mock', description: 'The mock with its default port.' }],
    security: [{}, { controlToken: [] }],
    tags: controlTags.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        controlToken: { type: 'http', scheme: 'bearer', description: 'The value of --control-token, if it is set.' },
      },
      schemas,
      examples: problemExamples,
    },
  };
}

async function operationOf(call: string, method: string, path: string) {
  const described = controlOperations[call];
  if (described === undefined) throw new Error(`control-operations.ts does not describe ${call}.`);
  const { operationId, summary, description, query = {}, request, status = 200, response } = described;
  const format = await requestFormat(call);
  if ((format === undefined) !== (request === undefined)) throw new Error(`${call} needs a name for its request body.`);
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      description: described.path?.[name],
      schema: { type: 'string' },
      example: pathExamples[name],
    })),
    ...Object.entries(query).map(([name, meaning]) => ({
      name,
      in: 'query',
      description: meaning,
      schema: { type: 'string' },
    })),
  ];
  return {
    operationId,
    tags: [tagOf(path)],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(format !== undefined && {
      requestBody: {
        required: format.optional !== true,
        content: jsonContent(reference(request!), requestExamples[call]),
      },
    }),
    responses: {
      [status]: {
        description: 'Success.',
        content: jsonContent(withReferences(response ?? {}), responseExamples[call]),
      },
      default: {
        description: 'Refused.',
        content: { 'application/json': { schema: reference('Problem'), examples: problemReferences } },
      },
    },
  };
}

function tagOf(path: string): string {
  const [, first = ''] = path.split('/');
  const tag = controlTags.find(({ paths }) => paths.includes(first));
  if (tag === undefined) throw new Error(`control-operations.ts has no tag for ${path}.`);
  return tag.name;
}

async function requestFormat(call: string) {
  const [method = '', path = ''] = call.split(' ');
  return (await calls[path]?.[method]?.())?.body;
}

function component(name: string, schema: object): object {
  const described = { description: schemaDescriptions[name], ...withReferencesInside(schema) };
  if (described.description === undefined) throw new Error(`control-schemas.ts does not describe ${name}.`);
  return described;
}

const jsonContent = (schema: object, example?: object) => ({
  'application/json': { schema, ...(example && { example }) },
});

const reference = (name: string, section = 'schemas') => ({ $ref: `#/components/${section}/${name}` });

const problemReferences = Object.fromEntries(
  Object.keys(problemExamples).map((name) => [name, reference(name, 'examples')]),
);

/**
 * A JSON Schema of zod for an OpenAPI document. Of the schemas that zod does not inline, any JSON value is the only one; it
 * is not recursive in the document, because generators write types for it that TypeScript refuses.
 */
function converted(schema: object): object {
  const {
    $schema: _,
    $defs = {},
    ...rest
  } = schema as { $schema?: unknown; $defs?: Readonly<Record<string, unknown>> };
  const unknown = Object.values($defs).find((definition) => !isDeepStrictEqual(definition, jsonDefinition));
  if (unknown !== undefined) throw new Error(`A recursive schema has no name: ${JSON.stringify(unknown)}.`);
  return JSON.parse(JSON.stringify(rest), (key, value: { $ref?: string } | string | null) => {
    // The source of a regular expression escapes slashes, which generators escape again.
    if (typeof value === 'string') return key === 'pattern' ? value.replaceAll(String.raw`\/`, '/') : value;
    if (value?.$ref !== '#/$defs/__schema0') return value;
    const { $ref: __, ...described } = value;
    return { description: 'Any JSON value.', ...described };
  }) as object;
}

const zodSchema = (schema: z.ZodType): object => z.toJSONSchema(schema, { ...writtenByUsers, unrepresentable: 'any' });

const jsonDefinition = (zodSchema(z.array(json)) as { $defs: Record<string, object> }).$defs['__schema0']!;

const requestSchemas: Record<string, object> = {};
for (const [call, { request }] of Object.entries(controlOperations))
  if (request !== undefined)
    requestSchemas[request] = converted((await (await requestFormat(call))?.jsonSchema()) ?? {});

const wholeSchemas: Readonly<Record<string, object>> = {
  Problem: {
    type: 'object',
    properties: { error: { type: 'string' }, code: { type: 'integer' }, message: { type: 'string' } },
    required: ['error', 'code', 'message'],
  },
  FaultRule: converted(zodSchema(faultRule)),
  ScriptedResponse: converted(zodSchema(scriptedResponse)),
  WorldFile: converted(zodSchema(worldFileSchema)),
  ...responseSchemas,
  ...requestSchemas,
};

/** Schemas that are references wherever they occur, by name. */
const named: Readonly<Record<string, object>> = {
  ...wholeSchemas,
  ...Object.fromEntries(Object.entries(sharedSchemas).map(([name, place]) => [name, schemaAt(place)])),
};

/** The schema at a place such as `WorldFile/properties/target`. */
function schemaAt(place: string): object {
  let found: unknown = wholeSchemas;
  for (const key of place.split('/')) found = (found as Readonly<Record<string, unknown>> | undefined)?.[key];
  if (typeof found !== 'object' || found === null) throw new Error(`There is no schema at ${place}.`);
  return found;
}

const namesByText = new Map(Object.entries(named).map(([name, schema]) => [JSON.stringify(schema), name]));

/** Writes a reference in place of each schema that has a name. */
function withReferences(schema: object): object {
  const name = namesByText.get(JSON.stringify(schema));
  return name === undefined ? withReferencesInside(schema) : reference(name);
}

function withReferencesInside(schema: object): object {
  if (Array.isArray(schema)) return schema.map(ofMember);
  const members = Object.entries(converted(schema)).map(([key, member]) => [key, ofMember(member)]);
  const { additionalProperties, ...rest } = Object.fromEntries(members) as Record<string, unknown>;
  if (typeof rest['description'] === 'string' && Object.keys(rest).length === 1)
    return { ...rest, 'x-not-shown': true };
  if (additionalProperties === undefined) return rest;
  const isOpen = isDeepStrictEqual(additionalProperties, {});
  return { ...rest, ...(isOpen ? { 'x-not-shown': true, additionalProperties: true } : { additionalProperties }) };
}

const ofMember = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? withReferences(value) : value;
