/** Checks that the OpenAPI documents describe every operation, parameter, schema and property. */
import { describe, expect, test } from 'vitest';
import type { OpenApiDocument, Schema } from './openapi-document.ts';
import { documentOf } from './documents.ts';
import { eachOperation, resolve, surfaces } from './openapi-document.ts';

describe.each(surfaces)('%s', (surface) => {
  const document = documentOf(surface);

  test('every operation has a description', () => {
    const missing = eachOperation(document).filter(({ operation }) => !hasText(operation.description));
    expect(missing.map(({ operation }) => operation.operationId)).toEqual([]);
  });

  test('every parameter has a description', () => {
    const parameters = eachOperation(document).flatMap((found) => found.parameters);
    expect(parameters.filter(({ description }) => !hasText(description)).map(({ name }) => name)).toEqual([]);
  });

  test('every schema and property has a description', () => {
    const schemas = Object.entries(document.components.schemas ?? {});
    expect(schemas.flatMap(([name, schema]) => undescribed(document, name, schema))).toEqual([]);
  });
});

/** The paths of a schema and its properties, at any depth, that lack a description. */
function undescribed(document: OpenApiDocument, path: string, schema: Schema): string[] {
  const own = hasText(schema.description) || hasText(target(document, schema).description) ? [] : [path];
  const properties = Object.entries(schema.properties ?? {});
  const nested = properties.flatMap(([name, property]) => undescribed(document, `${path}.${name}`, property));
  return [...own, ...nested, ...propertiesOfItems(document, path, schema)];
}

function propertiesOfItems(document: OpenApiDocument, path: string, { items }: Schema): string[] {
  if (items?.properties === undefined) return [];
  return undescribed(document, `${path}[]`, items);
}

function target(document: OpenApiDocument, schema: Schema): Schema {
  return resolve<Schema>(document, schema);
}

function hasText(description: string | undefined): boolean {
  return description !== undefined && description.trim() !== '';
}
