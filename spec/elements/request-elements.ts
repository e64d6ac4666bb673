/** The elements of a request: the operation, its parameters and body fields, their values and bounds. */
import { contentOf, resolve } from '../openapi-document.ts';
import type { Content, FoundOperation, OpenApiDocument, OpenApiParameter, Schema } from '../openapi-document.ts';
import type { OperationId } from '../operations.ts';
import { THE_OPERATION } from './element.ts';
import type { Call, Element, UnnamedElement } from './element.ts';
import { elementsOfValue } from './schema-elements.ts';
import { isObject } from '../json-object.ts';
import { valuesAt } from './values-at.ts';
import { windowElements } from './window-elements.ts';

export function requestElements(document: OpenApiDocument, found: FoundOperation): readonly Element[] {
  const { operation } = found;
  const parameters = found.parameters.map((each) => ({ ...each, schema: resolve(document, each.schema) }));
  const elements = [
    { element: THE_OPERATION, kind: 'valid' as const, isIn: () => true },
    ...parameters.filter((each) => each.in !== 'path').flatMap(parameterElements),
    ...windowElements(parameters),
    ...bodyElements(document, operation.requestBody),
  ];
  return elements.map((each) => ({ ...each, operation: operation.operationId as OperationId }));
}

function parameterElements({ in: location, name, required, schema }: OpenApiParameter): UnnamedElement[] {
  const parameter = `${location} ${name}`;
  const valuesIn = ({ query, headers }: Call): readonly string[] => {
    if (location === 'query') return query.getAll(name);
    const value = headers.get(name.toLowerCase());
    return value === undefined ? [] : [value];
  };
  return [
    ...(required === true ? [absent(parameter, (call) => valuesIn(call).length === 0)] : []),
    ...valueElements(parameter, schema, valuesIn),
  ];
}

function bodyElements(document: OpenApiDocument, requestBody: FoundOperation['operation']['requestBody']) {
  if (requestBody === undefined) return [];
  const contents = contentOf(resolve<Content>(document, requestBody));
  const types = contents.map(([type]) => ({
    element: `body of ${type}`,
    kind: 'valid' as const,
    isIn: ({ headers }: Call) => headers.get('content-type')?.startsWith(type) === true,
  }));
  const [first] = contents;
  // All media types of an operation have the same fields.
  return first === undefined ? [] : [...types, ...fieldElements(document, first[1], [])];
}

/** A field is named by its path: `[]` stands for every element of a list, `*` for every value of a map. */
function fieldElements(document: OpenApiDocument, given: Schema, path: readonly string[]): UnnamedElement[] {
  const schema = resolve(document, given);
  if (given.readOnly === true || schema.readOnly === true) return [];
  const { properties = {}, required = [], items, additionalProperties } = schema;
  return [
    ...(path.length === 0 ? [] : valueElements(fieldName(path), schema, ({ body }) => valuesAt(body, path))),
    ...required.map((name) => absent(fieldName([...path, name]), ({ body }) => isMissing(body, path, name))),
    ...Object.entries(properties).flatMap(([name, each]) => fieldElements(document, each, [...path, name])),
    ...(items === undefined ? [] : fieldElements(document, items, [...path, '[]'])),
    ...(typeof additionalProperties === 'object' ? fieldElements(document, additionalProperties, [...path, '*']) : []),
  ];
}

const fieldName = (path: readonly string[]): string => `body ${path.join('.').replaceAll('.[]', '[]')}`;

function valueElements(name: string, schema: Schema, valuesIn: (call: Call) => readonly unknown[]): UnnamedElement[] {
  return [
    { element: name, kind: 'valid', isIn: (call) => valuesIn(call).length > 0 },
    ...elementsOfValue(schema).map(({ says, kind, matches }) => ({
      element: `${name} ${says}`,
      kind,
      isIn: (call: Call) => valuesIn(call).some(matches),
    })),
  ];
}

const absent = (name: string, isIn: Element['isIn']): UnnamedElement => ({
  element: `without ${name}`,
  kind: 'invalid',
  isIn,
});

const isMissing = (body: unknown, path: readonly string[], name: string): boolean =>
  valuesAt(body, path).some((each) => isObject(each) && !Object.hasOwn(each, name));
