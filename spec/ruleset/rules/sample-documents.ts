/** For tests: documents that hold one thing each, and what a rule finds in them. */
import { modelOf } from '../document/model.mjs';
import { rules } from './index.mjs';

export type Json = Record<string, unknown>;

export function found(id: string, data: Json): string[] {
  const rule = rules.find((each) => each.id === id);
  if (rule === undefined) throw new Error(`There is no rule ${id}.`);
  const model = modelOf({ openapi: '3.1.0', ...data }, null, () => undefined);
  return [...rule.find(model)].map(({ message }) => message);
}

export const withSchemas = (schemas: Json, openapi = '3.1.0'): Json => ({
  openapi,
  paths: {},
  components: { schemas },
});

/** A resource with these fields of metadata. */
export const metadata = (properties: Json, more: Json = {}): Json =>
  withSchemas({ Vpc: resource({ metadata: { type: 'object', properties, ...more } }) });
export const resource = (properties: Json): Json => ({
  type: 'object',
  properties: { metadata: { type: 'object' }, spec: { type: 'object' }, ...properties },
});
export const name = (schema: Json): Json => metadata({ name: { type: 'string', ...schema } });
export const agent = (spec: Json): Json =>
  withSchemas({ Agent: resource({ spec: { properties: { triggers: {}, ...spec } } }) });
export const trigger = (configuration: Json): Json =>
  agent({ triggers: { items: { properties: { configuration: { properties: configuration } } } } });

export const schemes = {
  oauth: { type: 'oauth2', flows: {} },
  key: { type: 'http', scheme: 'Bearer' },
  brand: { type: 'apiKey', in: 'header', name: 'X-Svc-Authorization' },
};
/** A document of one operation. */
export const operation = (path: string, method: string, entry: Json, more: Json = {}): Json => ({
  paths: { [path]: { [method]: entry } },
  components: { securitySchemes: schemes },
  ...more,
});
export const get = (entry: Json, more?: Json): Json => operation('/vpcs', 'get', entry, more);
export const both = [{ oauth: ['admin'] }, { key: [] }];
export const header = (schema: Json, more: Json = {}): Json => ({
  parameters: [{ name: 'Svc-Version', in: 'header', schema, ...more }],
});
export const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });
export const responses = (byStatus: Json): Json => ({ responses: byStatus });
export const metrics = (parameter: Json, more: Json = {}): Json =>
  operation('/accounts/{id}/metrics', 'get', { parameters: [{ in: 'query', ...parameter }], ...more });
export const dimensions = ['workspace', 'resource_type', 'resource_name', 'resource_uuid', 'billing_dimension'];
export const event = (type: string): Json => ({ items: { properties: { time: { type } } } });
