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

/** A document of one path item. */
export const item = (fields: Json, openapi = '3.1.0'): Json => ({ openapi, paths: { '/a': fields } });

export const GADGET = { $ref: '#/components/schemas/Gadget' };
/** A resource whose name is a member of its own. */
export const flat = (name_: Json) => ({ type: 'object', properties: { name: { type: 'string', ...name_ } } });
/** A resource whose members have unfamiliar names. */
export const renamed = (name_: Json, more: Json = {}) => ({
  type: 'object',
  properties: { meta: flat(name_), configuration: { type: 'object' }, ...more },
});
export const listOf = (schema: Json) => ({
  type: 'object',
  properties: { items: { type: 'array', items: schema }, page: { type: 'object' } },
});
/** A document with these paths and the schema `Gadget`. */
export const paths = (entries: Json, gadget: Json): Json => ({
  paths: entries,
  components: { schemas: { Gadget: gadget }, securitySchemes: schemes },
});
export const returns = (schema: Json) => responses({ 200: json(schema) });
export const takes = (schema: Json) => ({ requestBody: json(schema), ...returns(schema) });
/** A document with a collection of this schema. `isOurs`: whether it has a header of the service. */
export const gadgets = (gadget: Json, { prefix = '/v0', parameter = 'gadgetName', isOurs = true } = {}): Json => ({
  paths: {
    [`${prefix}/gadgets`]: { get: returns({ type: 'array', items: GADGET }), post: takes(GADGET) },
    [`${prefix}/gadgets/{${parameter}}`]: { get: returns(GADGET), put: takes(GADGET), delete: {} },
  },
  components: { schemas: { Gadget: gadget }, ...(isOurs && { securitySchemes: schemes }) },
});

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
/** Events whose field `time` has this schema. */
export const events = (time: Json): Json => {
  const names = ['type', 'status', 'message', 'revision', 'canaryRevision'];
  const texts = Object.fromEntries(names.map((each) => [each, { type: 'string' }]));
  return { items: { properties: { ...texts, time } } };
};
