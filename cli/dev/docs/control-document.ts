/** Builds the OpenAPI document of `/_mock` from its calls: request bodies from their formats, the rest from control-operations.ts. */
import { calls } from '../../../mock/server/control/calls.ts';
import { controlOperations } from './control-operations.ts';

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
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the mock',
      version: '1',
      description: 'JSON over HTTP on the port of the mock, separate from the API of the service.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4010/_mock' }],
    security: [{}, { controlToken: [] }],
    paths,
    components: {
      securitySchemes: {
        controlToken: { type: 'http', scheme: 'bearer', description: 'The value of --control-token, if it is set.' },
      },
      schemas: {
        Problem: {
          type: 'object',
          description: 'Why a request was refused.',
          properties: { error: { type: 'string' }, code: { type: 'integer' }, message: { type: 'string' } },
          required: ['error', 'code', 'message'],
        },
      },
    },
  };
}

async function operationOf(call: string, method: string, path: string): Promise<object> {
  const described = controlOperations[call];
  if (described === undefined) throw new Error(`control-operations.ts does not describe ${call}.`);
  const { operationId, summary, description, query = {}, status = 200, response } = described;
  const format = (await calls[path]?.[method]?.())?.body;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameters = [
    ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...Object.entries(query).map(([name, meaning]) => ({
      name,
      in: 'query',
      description: meaning,
      schema: { type: 'string' },
    })),
  ];
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(format !== undefined && {
      requestBody: { required: format.optional !== true, content: json(withoutDialect(await format.jsonSchema())) },
    }),
    responses: {
      [status]: { description: 'Success.', content: json(response ?? {}) },
      default: { description: 'Refused.', content: json({ $ref: '#/components/schemas/Problem' }) },
    },
  };
}

const json = (schema: object) => ({ 'application/json': { schema } });

function withoutDialect({ $schema: _, ...schema }: { readonly $schema?: unknown }): object {
  return schema;
}
