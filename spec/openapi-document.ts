/** The parts of an OpenAPI document, and how to find and resolve them. Runs in browsers too. */

export const surfaces = ['management', 'host', 'inference', 'sandbox'] as const;
/** One of the four addresses of the service. Each has its own document. */
export type Surface = (typeof surfaces)[number];

/** The subset of JSON Schema that the documents use. */
export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  enum?: readonly string[];
  const?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  readOnly?: boolean;
  required?: readonly string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: readonly Schema[];
  /** The content is not documented. */
  'x-not-shown'?: boolean;
  /** Describes what the `pattern` allows. */
  'x-allowed'?: string;
  /** Messages must not quote the value. */
  'x-secret'?: boolean;
  [keyword: string]: unknown;
}

export interface OpenApiParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
  /** A path parameter whose value may contain slashes. */
  'x-slashes'?: boolean;
}

export interface OpenApiExample {
  summary?: string;
  value: unknown;
}

export interface Content {
  content?: Record<string, { schema: Schema; examples?: Record<string, OpenApiExample | Reference> }>;
  description?: string;
  required?: boolean;
  headers?: Readonly<Record<string, object>>;
}

export interface Reference {
  $ref: string;
}

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  'x-documented'?: boolean;
  security?: readonly SecurityRequirement[];
  parameters?: readonly (OpenApiParameter | Reference)[];
  requestBody?: Content | Reference;
  responses: Record<string, Content | Reference>;
}

export interface SecurityScheme {
  type: string;
  flows?: Record<string, { scopes: Record<string, string> }>;
}

const methods = ['get', 'put', 'post', 'delete'] as const;

export type PathItem = { parameters?: readonly (OpenApiParameter | Reference)[] } & {
  [Method in (typeof methods)[number]]?: OpenApiOperation;
};

export interface OpenApiDocument {
  openapi: string;
  jsonSchemaDialect: string;
  info: { title: string; version: string; description: string };
  security: readonly SecurityRequirement[];
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, Schema>;
    securitySchemes: Record<string, SecurityScheme>;
    [section: string]: Record<string, unknown>;
  };
}

export interface FoundOperation {
  path: string;
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  operation: OpenApiOperation;
  /** Parameters of the path and the operation, with resolved references. */
  parameters: readonly OpenApiParameter[];
}

/** Returns all operations of a document in document order. */
export function eachOperation(document: OpenApiDocument): FoundOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      return [
        {
          path,
          method: method.toUpperCase() as FoundOperation['method'],
          operation,
          parameters: parameters.map((each) => resolve(document, each)),
        },
      ];
    }),
  );
}

/** Resolves a reference within a document; returns anything else unchanged. */
export function resolve<Thing extends object>(document: OpenApiDocument, thing: Thing | Reference): Thing {
  if (!('$ref' in thing) || typeof thing.$ref !== 'string') return thing as Thing;
  const [, section = '', name = ''] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(thing.$ref) ?? [];
  const found = document.components[section]?.[name];
  if (found === undefined) throw new Error(`The document has no ${thing.$ref}.`);
  return found as Thing;
}

/** Returns the key of `responses` for a status. An unlisted 2xx maps to the listed success. */
export function keyFor(status: number, keys: readonly string[]): string | undefined {
  if (keys.includes(String(status))) return String(status);
  const otherwise = status >= 200 && status <= 299 ? /^2/ : /^default$/;
  return keys.find((key) => otherwise.test(key));
}

/** Returns the media types of a request or response body with their schemas; empty without a body. */
export function contentOf(body: Content): [string, Schema][] {
  return Object.entries(body.content ?? {}).map(([type, { schema }]) => [type, schema]);
}
